// The progress of an order through a price level with icebergs, kept from one command to the next.
import { NONE } from '../hash-chains.ts';
import { lots } from '../units.ts';

/** In place of a cursor: the order takes from the front of the queue. */
export const FRONT = -2;

export class IcebergVisit {
  isOpen = false;
  /** The full rounds that the order takes. */
  rounds = 0;
  /** The lots that it still takes of the round after them. */
  rest = lots(0);
  /** The first iceberg that has moved to the end of the queue. */
  firstMoved: number = NONE;
  /** The next iceberg, going backward, of those that keep their place; FRONT before them. */
  cursor: number = FRONT;
  /** The exits that it has queued while going backward. */
  exits = 0;
  /** One above the number of its next part. */
  nextNumber = 0;
}
