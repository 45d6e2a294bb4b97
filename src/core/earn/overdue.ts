// The queue of subscriptions whose interest was due and could not be paid. The one that waited
// longest is paid first when the reserve is funded. An entry that was paid by other means is
// skipped when it comes to the head.

/** The part of a subscription that the queue knows. */
interface Waiting {
  readonly applyId: number;
  readonly overdueNo: number;
}
type Find<T extends Waiting = Waiting> = (applyId: number) => T | undefined;

const LEAST_SWEPT = 1024;

export class OverdueQueue {
  #entries: Waiting[] = [];
  #head = 0;
  /** When so many wait, what was paid by other means is swept out. */
  #sweepAt = LEAST_SWEPT;

  add({ applyId, overdueNo }: Waiting, find: Find): void {
    this.#entries.push({ applyId, overdueNo });
    if (this.#entries.length < this.#sweepAt) return;
    this.#entries = this.#entries
      .slice(this.#head)
      .filter((entry) => find(entry.applyId)?.overdueNo === entry.overdueNo);
    this.#head = 0;
    this.#sweepAt = Math.max(LEAST_SWEPT, 2 * this.#entries.length);
  }

  /** Whether a subscription waits. Changes nothing, so that reads may ask. */
  hasAny(find: Find): boolean {
    for (let at = this.#head; at < this.#entries.length; at++) {
      const { applyId, overdueNo } = this.#entries[at];
      if (find(applyId)?.overdueNo === overdueNo) return true;
    }
    return false;
  }

  /**
   * The subscription that waited longest, or undefined. Forgets those before it, which were paid.
   */
  first<T extends Waiting>(find: Find<T>): T | undefined {
    for (; this.#head < this.#entries.length; this.#head++) {
      const { applyId, overdueNo } = this.#entries[this.#head];
      const subscription = find(applyId);
      if (subscription?.overdueNo === overdueNo) return subscription;
    }
    this.#entries = [];
    this.#head = 0;
    return undefined;
  }
}
