// Executes the messages with orders, which come from outside of the streams.
import type { JsonObject } from '../contract/json.ts';
import type { Connection } from './connection.ts';

export interface OrderDesk {
  /**
   * Executes a message, in the order of the calls, and answers it by `connection.answer`.
   * Returns whether the limits of orders admitted any of it. Throws no Problem.
   */
  receive(connection: Connection, message: JsonObject): boolean;
}

/** A message with orders. Only its text can tell, since it must not wait for other messages. */
const ORDER_OP = /"op"\s*:\s*"order\./;

export const hasOrders = (message: string | Buffer): boolean =>
  typeof message === 'string' && ORDER_OP.test(message);
