// The queue of subscriptions whose interest was due and could not be paid. Whoever waited longest is paid first when the
// reserve is funded. An entry that was paid by other means is skipped when it comes to the head.
import type { Subscription } from './subscription.ts';

export class OverdueQueue {
  #entries: { readonly applyId: number; readonly overdueNo: number }[] = [];
  #head = 0;

  add({ applyId, overdueNo }: Subscription): void {
    this.#entries.push({ applyId, overdueNo });
  }

  /** The subscription that waited longest, or undefined. */
  first(find: (applyId: number) => Subscription | undefined): Subscription | undefined {
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
