// The commands that wait at a port, counted by their writes, which bounds their bytes too; and
// which of them are rejected when it is full.
import type { Command, CommandType } from '../core/command.ts';

const NEW_ORDERS: ReadonlySet<CommandType> = new Set(['placeOrder', 'placeOco']);

/** True if a command has a new order; an overloaded server rejects those before all else. */
export const hasNewOrder = (command: Command): boolean =>
  command.type === 'orderBatch'
    ? command.entries.some(({ type }) => NEW_ORDERS.has(type))
    : NEW_ORDERS.has(command.type);

/** The writes that a command counts as, for the limits: each entry of a batch is one. */
export const writesOf = (command: Command): number =>
  command.type === 'orderBatch' ? command.entries.length : 1;

/** The largest write of a customer, encoded, with its signature and its Idempotency-Key. */
export const WRITE_BYTES = 512;

export class Backlog {
  readonly #limit: number;
  #writes = 0;

  /** New orders are rejected while `limit` writes wait, all else while twice as many do. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Writes that wait. */
  get writes(): number {
    return this.#writes;
  }

  /** `isHeldBack`: it waits for another order's match, and leaves room for those that do not. */
  hasRoomFor(command: Command, isHeldBack = false): boolean {
    const forOrders = isHeldBack ? this.#limit / 2 : this.#limit;
    if (this.#writes < forOrders) return true;
    const forOthers = isHeldBack ? (3 * this.#limit) / 4 : 2 * this.#limit;
    return this.#writes < forOthers && !hasNewOrder(command);
  }

  add(command: Command): void {
    this.#writes += writesOf(command);
  }

  remove(command: Command): void {
    this.#writes -= writesOf(command);
  }

  clear(): void {
    this.#writes = 0;
  }
}
