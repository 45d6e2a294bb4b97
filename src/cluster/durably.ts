// A write to the store that is either made once, or known not to be made, as long as the term
// lasts: where no answer came, the leader looks whether the write is there before it tries again.
import { StoreError } from './store.ts';

/** Between two attempts to reach the store. */
const RETRY_MS = 50;

export interface TermWrite {
  /** Writes; rejects with a StoreError. */
  readonly attempt: () => Promise<void>;
  /**
   * True if a write without an answer was made. It makes a write of its own first, whose answer
   * shows that all earlier ones survive a failover of the store.
   */
  readonly isMade: () => Promise<boolean>;
  /** True if the lease may have expired. */
  readonly isOver: () => boolean;
}

/**
 * Resolves once the write is durable. Rejects with a StoreError: `fenced` and `full` where nothing
 * was written, `unreachable` where that is unknown and the term is over.
 */
export async function writeDurably({ attempt, isMade, isOver }: TermWrite): Promise<void> {
  for (let isUncertain = false; ; ) {
    try {
      if (isUncertain && (await isMade())) return;
      await attempt();
      return;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.kind !== 'unreachable' && !isUncertain) throw error;
      isUncertain = true;
      const isFinal = error.kind === 'fenced' || error.kind === 'rejected';
      if (isFinal || isOver()) throw new StoreError('unreachable', error.message, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
