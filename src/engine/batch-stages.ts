// How long the stages of a batch of commands take. They are measured once a batch, since measuring
// each command would cost more than some of the stages.
import { Durations } from './durations.ts';

export class BatchStages {
  /** The wait of its oldest command. */
  readonly queue = new Durations();
  /** Encoding, writing and syncing the record. */
  readonly journal = new Durations();
  /** The core, and the streams that watch it. */
  readonly apply = new Durations();
  /** From then until the last of its answers was written. */
  readonly answer = new Durations();

  /** A batch was applied from then until now, and its answers follow in this turn. */
  observeApplied(startedAt: number): void {
    const now = performance.now();
    this.apply.observe(now - startedAt);
    setImmediate(() => this.answer.observe(performance.now() - now));
  }
}
