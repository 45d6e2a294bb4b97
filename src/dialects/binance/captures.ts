// Captures the execution reports and trades of a command for its answer. The core emits the events
// of an account only for subscribers, so a capture subscribes while its command is on its way.
import type { Command } from '../../core/command.ts';
import type { CoreEvent, ExecutionReport, Trade } from '../../core/event.ts';
import type { EventFilter } from '../../core/event-filter.ts';
import type { CustomerWrite } from '../../core/once.ts';
import type { Outcome, ResultOf } from '../../core/outcome.ts';
import type { Access, Receipt, Receiver } from '../../engine/command-port.ts';
import type { Engine, EngineObserver } from '../../engine/engine.ts';
import { enter } from '../../gateway/door.ts';
import type { Services } from '../../gateway/services.ts';

/** The end of a command. */
export interface Done<C extends Command = Command> {
  readonly seq: number;
  /** Business time, ms. */
  readonly time: number;
  readonly outcome: Outcome<ResultOf<C>>;
  /**
   * The last one of each of the caller's orders, by order, in the order of the first ones. Empty
   * where an earlier command with this signature did it.
   */
  readonly reports: ReadonlyMap<number, ExecutionReport>;
  readonly trades: readonly Trade[];
}

/** The orders, and the trades, of an answer: a mass cancel or a match may have more. */
const MAX_CAPTURED = 2_000;

export class Captures implements EngineObserver {
  readonly #engine: Engine;
  /** The events of the last command, and its seq. */
  #last: readonly CoreEvent[] = [];
  #lastSeq = -1;
  /** Commands in progress, which later commands continue. */
  readonly open = new Set<Capture>();

  constructor(engine: Engine) {
    this.#engine = engine;
    engine.observe(this);
  }

  get eventFilter(): EventFilter {
    return this.#engine.exchange.state.eventFilter;
  }

  receiveEvents(events: readonly CoreEvent[]): void {
    this.#last = events;
    this.#lastSeq = this.#engine.exchange.state.seq;
    for (const capture of this.open) capture.add(events);
  }

  receiveApplied(): void {}

  /** It only keeps what it is given, so a later answer does not depend on this. */
  failed(): void {}

  /** Enters a command and resolves to what it did. Rejects with an EngineError. */
  submit<C extends CustomerWrite>(services: Services, command: C, access: Access) {
    return new Promise<Done<C>>((resolve, reject) => {
      const capture = new Capture(this, command.uid, resolve as (done: Done) => void, reject);
      this.eventFilter.owners.add(command.uid);
      try {
        enter(services, command, access, capture);
      } catch (error) {
        capture.reject(error as Error);
      }
    });
  }

  /** The events of a command that is being answered. */
  eventsOf(seq: number): readonly CoreEvent[] {
    return seq === this.#lastSeq ? this.#last : [];
  }
}

class Capture implements Receiver {
  readonly reports = new Map<number, ExecutionReport>();
  readonly trades: Trade[] = [];
  readonly #captures: Captures;
  readonly #uid: number;
  readonly #resolve: (done: Done) => void;
  readonly #reject: (error: Error) => void;

  constructor(
    captures: Captures,
    uid: number,
    resolve: (done: Done) => void,
    reject: (error: Error) => void,
  ) {
    this.#captures = captures;
    this.#uid = uid;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  sequenced(seq: number): void {
    this.add(this.#captures.eventsOf(seq));
    this.#captures.open.add(this);
  }

  resolve({ seq, time, outcome }: Receipt): void {
    const { reports, trades } = this;
    if (!this.#captures.open.has(this)) this.add(this.#captures.eventsOf(seq));
    this.#end();
    this.#resolve({ seq, time, outcome, reports, trades });
  }

  reject(error: Error): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    this.#captures.open.delete(this);
    this.#captures.eventFilter.owners.remove(this.#uid);
  }

  add(events: readonly CoreEvent[]): void {
    for (const event of events) {
      if (event.type === 'executionReport') {
        if (event.uid === this.#uid) this.#report(event);
      } else if (event.type === 'trade' && event.takerUid === this.#uid) {
        if (this.trades.length < MAX_CAPTURED) this.trades.push(event);
      }
    }
  }

  #report(report: ExecutionReport): void {
    const { orderId } = report;
    const isKept = this.reports.size < MAX_CAPTURED || this.reports.has(orderId);
    if (isKept) this.reports.set(orderId, report);
  }
}
