// Timers: the effect of time is a journaled command like any other. This watches the business clock
// and sends runTimers when the core has due work, one at a time, between customers' commands.
import type { Exchange } from '../core/exchange.ts';
import type { BusinessClock } from './clock.ts';
import { EngineError } from './command-port.ts';
import type { Sequencer } from './sequencer.ts';

/** How late a timer may fire; far below the second in which dead man's switches are set. */
const POLL_MS = 20;

export class Timers {
  readonly #exchange: Exchange;
  readonly #sequencer: Pick<Sequencer, 'submit'>;
  readonly #clock: Pick<BusinessClock, 'now'>;
  #interval: ReturnType<typeof setInterval> | null = null;
  #running: Promise<void> | null = null;

  constructor(
    exchange: Exchange,
    sequencer: Pick<Sequencer, 'submit'>,
    clock: Pick<BusinessClock, 'now'>,
  ) {
    this.#exchange = exchange;
    this.#sequencer = sequencer;
    this.#clock = clock;
  }

  start(): void {
    this.#interval = setInterval(() => void this.poke(), POLL_MS);
  }

  stop(): void {
    if (this.#interval !== null) clearInterval(this.#interval);
    this.#interval = null;
  }

  /** Resolves when nothing is due any more. */
  poke(): Promise<void> {
    if (!this.#due()) return this.#running ?? Promise.resolve();
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  #due(): boolean {
    return this.#exchange.nextTimer <= this.#clock.now();
  }

  async #run(): Promise<void> {
    while (this.#due()) {
      try {
        await this.#sequencer.submit({ type: 'runTimers' });
      } catch (error) {
        // A full disk: the next poll tries again. Stopping or failed: the next start does.
        if (error instanceof EngineError) return;
        throw error;
      }
    }
  }
}
