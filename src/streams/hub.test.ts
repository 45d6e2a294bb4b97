// One command that changes very much: its messages are bounded in rows, a turn of the event loop
// sends a bounded number of them, and nobody misses a row or gets one twice.
import { beforeEach, describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../test/sim/simulated-time.ts';
import { MINE, type Peer, Server } from '../../test/support/stream-server.ts';
import { Side } from '../core/fix.ts';
import { lots, ticks } from '../core/units.ts';
import { MAX_WAITING_CHANGES, MESSAGE_ROWS, TURN_ROWS } from './limits.ts';

const time = SimulatedTime.forEachTest();
let server: Server;
beforeEach(() => {
  server = new Server(() => time.pass(0));
});

const TRADES = { op: 'subscribe', channel: 'trades', symbol: 'BTC-USDT' };
const ORDERS = { op: 'subscribe', channel: 'orders' };

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly prevSeq: number | null;
  readonly data: readonly { readonly tradeId: number; readonly execId: number }[];
}
const messagesOf = (peer: Peer, channel: string) => peer.of(channel) as unknown as Message[];
const rowsOf = (peer: Peer, channel: string) =>
  messagesOf(peer, channel).flatMap(({ data }) => data);

/** User 1 takes so many orders of user 2 with one command. */
function sweep(fills: number): void {
  for (let i = 0; i < fills; i++) server.venue.sell(2, 100, 1);
  server.apply({ side: Side.buy, price: ticks(100), orderQty: lots(fills) });
}

async function joined(request: object): Promise<Peer> {
  const peer = server.join(request === ORDERS ? MINE : null);
  peer.say(request);
  await time.pass(0);
  await server.answer();
  return peer;
}

function expectChain(messages: readonly Message[]): void {
  for (let i = 1; i < messages.length; i++) {
    expect(messages[i]!.type).toBe('update');
    expect(messages[i]!.prevSeq).toBe(messages[i - 1]!.seq);
    expect(messages[i]!.data.length).toBeLessThanOrEqual(MESSAGE_ROWS);
  }
}

describe('the rows of one command', () => {
  const FILLS = TURN_ROWS + 800;

  test('go out in pieces, and orders run in between', async () => {
    const [trader, listener] = [await joined(ORDERS), await joined(TRADES)];
    sweep(FILLS);
    const { seq } = server.venue;
    server.hub.flush();
    const sent = rowsOf(listener, 'trades').length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(TURN_ROWS + MESSAGE_ROWS);
    // Requests do not make a turn longer, and an answer claims only what was sent.
    listener.say({ op: 'ping' });
    expect(rowsOf(listener, 'trades')).toHaveLength(sent);
    expect(listener.heard.at(-1)).toMatchObject({ op: 'pong', seq: seq - 1 });
    const late = server.join();
    late.say(TRADES);
    await time.pass(1000);
    for (const peer of [listener, late]) {
      const messages = messagesOf(peer, 'trades');
      expectChain(messages);
      expect(messages.at(-1)!.seq).toBe(seq);
      const ids = rowsOf(peer, 'trades').map(({ tradeId }) => tradeId);
      expect(ids).toEqual(ids.map((_, i) => FILLS - ids.length + 1 + i));
    }
    expect(rowsOf(listener, 'trades')).toHaveLength(FILLS);
    expectChain(messagesOf(trader, 'orders'));
    const execIds = rowsOf(trader, 'orders').map(({ execId }) => execId);
    expect(execIds).toEqual([...new Set(execIds)].sort((a, b) => a - b));
    expect(execIds).toHaveLength(FILLS + 1);
    listener.say({ op: 'ping' });
    expect(listener.heard.at(-1)).toMatchObject({ op: 'pong', seq });
  });

  test('are in the snapshot of a subscription that begins meanwhile', async () => {
    await joined(ORDERS);
    const resting = server.venue.buy(1, 50, 1);
    sweep(FILLS);
    server.hub.flush();
    const late = server.join(MINE);
    late.say(ORDERS);
    await time.pass(1000);
    server.cancel(resting);
    server.hub.flush();
    await server.answer();
    await time.pass(1000);
    const [snapshot, ...updates] = messagesOf(late, 'orders');
    expect(snapshot).toMatchObject({ type: 'snapshot', seq: server.venue.seq, data: [] });
    expect(updates).toEqual([]);
  });

  test('wait in bounded memory', async () => {
    const listener = await joined(TRADES);
    const fills = MAX_WAITING_CHANGES + 3 * TURN_ROWS;
    for (let done = 0; done < fills; done += TURN_ROWS) sweep(TURN_ROWS);
    server.hub.flush();
    const waiting = fills - rowsOf(listener, 'trades').length;
    expect(waiting).toBeLessThanOrEqual(MAX_WAITING_CHANGES);
    expect(waiting).toBeGreaterThan(MAX_WAITING_CHANGES - TURN_ROWS);
    await time.pass(1000);
    expect(rowsOf(listener, 'trades')).toHaveLength(fills);
  });
});
