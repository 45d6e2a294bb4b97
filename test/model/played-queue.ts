// A copy of the other side of a book, in which a check plays a match through, part by part.
import { opposites, smaller } from './matching.ts';
import { leavesOf, type ModelOrder } from './state.ts';

interface PlayedOrder {
  readonly maker: ModelOrder;
  shown: bigint;
  leaves: bigint;
}

export const queueAgainst = (order: Parameters<typeof opposites>[0]): PlayedOrder[] =>
  opposites(order).map((maker) => ({ maker, shown: maker.shown, leaves: leavesOf(maker) }));

/** Takes a quantity from the first order of the queue, of which it shows at least so much. */
export function takeFromFirst(queue: PlayedOrder[], quantity: bigint): void {
  const first = queue[0]!;
  first.leaves -= quantity;
  first.shown -= quantity;
  if (first.shown > 0n) return;
  queue.shift();
  if (first.leaves === 0n) return;
  // An iceberg shows its next part behind the others of its price.
  first.shown = smaller(first.maker.displayQty, first.leaves);
  const behind = queue.findIndex(({ maker }) => maker.price !== first.maker.price);
  queue.splice(behind < 0 ? queue.length : behind, 0, first);
}
