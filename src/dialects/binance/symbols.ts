// The names of pairs: Binance writes BTCUSDT for BTC-USDT.
import type { Instrument } from '../../core/instrument.ts';
import type { State } from '../../core/state.ts';

export class Symbols {
  readonly #state: State;
  readonly #byName = new Map<string, Instrument>();
  /** By securityId. */
  readonly #names: string[] = [];

  constructor(state: State) {
    this.#state = state;
  }

  /** Takes over new listings. Two pairs may lose their dash to one name; the later one keeps it. */
  #refresh(): void {
    const { instruments } = this.#state;
    for (let id = Math.max(1, this.#names.length); id < instruments.length; id++) {
      const instrument = instruments[id]!;
      const short = instrument.symbol.replaceAll('-', '');
      const name = this.#byName.has(short) ? instrument.symbol : short;
      this.#names[id] = name;
      this.#byName.set(name, instrument);
    }
  }

  nameOf({ securityId }: Pick<Instrument, 'securityId'>): string {
    if (this.#names[securityId] === undefined) this.#refresh();
    return this.#names[securityId]!;
  }

  /** Also by agio's own name. */
  find(name: string): Instrument | undefined {
    if (this.#names.length < this.#state.instruments.length) this.#refresh();
    return this.#byName.get(name) ?? this.#state.instrumentNamed(name);
  }

  get all(): readonly Instrument[] {
    return this.#state.instruments.filter((instrument) => instrument !== undefined);
  }
}
