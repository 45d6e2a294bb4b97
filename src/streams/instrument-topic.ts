// The list of instruments as a stream: all of them or one, and each again when its terms or its
// status change.
import { stringify } from '../contract/json.ts';
import { writeInstrument } from '../contract/market-data/market-data.ts';
import type { Subject } from '../contract/streams/requests.ts';
import type { InstrumentChanged } from '../core/event.ts';
import type { Instrument } from '../core/instrument.ts';
import { present } from '../core/present.ts';
import { Topic, type TopicHost } from './topic.ts';

export class InstrumentTopic extends Topic {
  readonly #instrument: Instrument | null;
  readonly #changed = new Set<number>();

  constructor(host: TopicHost, subject: Subject, instrument: Instrument | null) {
    super(host, subject);
    this.#instrument = instrument;
    host.state.eventFilter.addListings();
  }

  see({ securityId }: InstrumentChanged): void {
    if (this.#instrument !== null && this.#instrument.securityId !== securityId) return;
    this.#changed.add(securityId);
  }

  override flush(): void {
    if (this.#changed.size === 0) return;
    const { instruments } = this.host.state;
    const changed = [...this.#changed].map((securityId) => instruments[securityId]!);
    this.#changed.clear();
    this.update(this.#members(changed));
  }

  protected override snapshot(): string {
    const { instruments } = this.host.state;
    return this.#members(this.#instrument === null ? present(instruments) : [this.#instrument]);
  }

  #members(instruments: readonly Instrument[]): string {
    return `,"data":${stringify(instruments.map(writeInstrument))}`;
  }

  override close(): void {
    this.host.state.eventFilter.removeListings();
  }
}
