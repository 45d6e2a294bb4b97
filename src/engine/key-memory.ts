// Keys that were revoked: the core forgets what it remembers of them. Identity is not in the journal, so this
// looks what it says, at the start and every minute, and sends forgetKey. A crash in between costs nothing.
import type { Command } from '../core/command.ts';
import type { Exchange } from '../core/exchange.ts';
import { EngineError } from './engine-error.ts';
import type { Receipt } from './sequencer.ts';

const LOOK_EVERY_MS = 60_000;

export interface KeyMemoryOptions {
  readonly engine: {
    readonly exchange: Exchange;
    submit<C extends Command>(command: C): Promise<Receipt<C>>;
  };
  /** Of these keys, those that will never sign again. */
  readonly goneOf: (keyIds: Iterable<number>) => readonly number[];
  readonly warn: (sentence: string) => void;
}

export class KeyMemory {
  readonly #options: KeyMemoryOptions;
  #interval: ReturnType<typeof setInterval> | null = null;
  #looking: Promise<void> | null = null;

  constructor(options: KeyMemoryOptions) {
    this.#options = options;
  }

  start(): void {
    void this.look();
    this.#interval = setInterval(() => void this.look(), LOOK_EVERY_MS);
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

  async #forgetGone(): Promise<void> {
    const { engine, goneOf, warn } = this.#options;
    try {
      for (const keyId of goneOf(engine.exchange.state.guard.keyIds)) await this.#forget(keyId);
    } catch (error) {
      // Overloaded or stopping: the next look, or the next start, tries again.
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
