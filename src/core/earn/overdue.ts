// The queue of subscriptions with overdue interest. The one that waited longest is paid first when
// the reserve is funded. Entries that were paid otherwise are skipped.

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
  /** At this length `add` drops the entries that were paid otherwise. */
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

  /** True if a subscription waits. Changes nothing, so that reads may ask. */
  hasAny(find: Find): boolean {
    for (let at = this.#head; at < this.#entries.length; at++) {
      const { applyId, overdueNo } = this.#entries[at];
      if (find(applyId)?.overdueNo === overdueNo) return true;
    }
    return false;
  }

  /** The subscription that waited longest, or undefined. Drops paid entries before it. */
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
