// Makes the core forget the signatures of revoked keys. Identity is not in the journal, so this
// checks it regularly and sends forgetKey. After a crash the next process checks again.
import type { Command } from '../core/command.ts';
import type { Exchange } from '../core/exchange.ts';
import { EngineError, type Receipt } from './command-port.ts';

const TICK_MS = 1_000;
/** Ticks between two checks. */
const LOOK_EVERY = 60;

export interface KeyMemoryOptions {
  readonly engine: {
    readonly exchange: Exchange;
    submit<C extends Command>(command: C): Promise<Receipt<C>>;
  };
  /** Returns those of the keys that will never sign again. */
  readonly goneOf: (keyIds: Iterable<number>) => readonly number[];
  readonly warn: (sentence: string) => void;
}

export class KeyMemory {
  readonly #options: KeyMemoryOptions;
  #interval: ReturnType<typeof setInterval> | null = null;
  #looking: Promise<void> | null = null;
  #seqBefore = 0;
  #ticksToLook = 0;

  constructor(options: KeyMemoryOptions) {
    this.#options = options;
  }

  /** Looks soon after the first command that comes, and then every minute in which others came. */
  start(): void {
    this.#seqBefore = this.#options.engine.exchange.state.seq;
    this.#interval = setInterval(() => this.#tick(), TICK_MS);
  }

  stop(): void {
    if (this.#interval !== null) clearInterval(this.#interval);
    this.#interval = null;
  }

  /** Resolves when every revoked key that is known now is forgotten. */
  look(): Promise<void> {
    this.#looking ??= this.#forgetGone().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Without new commands there is nothing to check. */
  #tick(): void {
    const { seq } = this.#options.engine.exchange.state;
    if (--this.#ticksToLook > 0 || seq === this.#seqBefore) return;
    this.#seqBefore = seq;
    this.#ticksToLook = LOOK_EVERY;
    void this.look();
  }

  async #forgetGone(): Promise<void> {
    const { engine, goneOf, warn } = this.#options;
    try {
      for (const keyId of goneOf(engine.exchange.state.guard.keyIds)) await this.#forget(keyId);
    } catch (error) {
      // Overloaded or stopping: the next check, or the next start, tries again.
      if (!(error instanceof EngineError)) warn(`revoked keys are still remembered: ${error}`);
    }
  }

  async #forget(keyId: number): Promise<void> {
    for (let left = 1; left > 0; ) {
      const { outcome } = await this.#options.engine.submit({ type: 'forgetKey', keyId });
      left = outcome.ok ? outcome.result.left : 0;
    }
  }
}
