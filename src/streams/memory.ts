// Frees memory where too many bytes wait to be read by the clients.
import type { Connection } from './connection.ts';
import { MAX_BUFFERED_IN_ALL, MAX_BUFFERED_OF_PAYER } from './limits.ts';
import type { Usage } from './outbox.ts';

/** Where too much waits for a payer, or for all, cuts off the connections with the most. */
export function freeMemory(connections: Iterable<Connection>, usage: Usage): void {
  const isOver = ({ payer }: Connection) => payer.buffered > MAX_BUFFERED_OF_PAYER;
  const allOver = usage.buffered > MAX_BUFFERED_IN_ALL;
  const affected = [...connections].filter((one) => allOver || isOver(one));
  affected.sort((a, b) => b.buffered - a.buffered);
  for (const connection of affected) {
    if (!isOver(connection) && usage.buffered <= MAX_BUFFERED_IN_ALL) continue;
    connection.cut();
  }
}
