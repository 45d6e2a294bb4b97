// The sockets of the server by themselves, in time that only passes when the test lets it: who is kept and who has to go, what a
// heartbeat promises, and what a subscription is told that begins while its account is busy.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../test/sim/simulated-time.ts';
import { type OrderTerms, placeOrder, Venue } from '../../test/support/venue.ts';
import { appendLog } from '../../test/support/view-files.ts';
import { Side } from '../core/fix.ts';
import { lots, ticks } from '../core/units.ts';
import { Engine } from '../engine/engine.ts';
import { decodeBatch } from '../journal/codec.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import type { ViewReader } from '../views/views.ts';
import type { Connection, Login, Socket } from './connection.ts';
import { Hub } from './hub.ts';
import {
  HEARTBEAT_SECONDS,
  MAX_CONNECTIONS,
  MAX_HELD,
  PING_SECONDS,
  SILENCE_MS,
} from './limits.ts';
import { Streams } from './streams.ts';

let time: SimulatedTime;
beforeEach(() => {
  time = new SimulatedTime(Date.UTC(2026, 0, 1));
  time.install();
});
afterEach(() => time.uninstall());

const pass = (milliseconds: number): Promise<void> => time.until(time.sleep(milliseconds));
const MINE: Login = { uid: 1, key: null, sessionId: null, mayChange: true, allows: () => true };

/** The end of a websocket that a server has, as far as the streams use it. */
class Peer {
  readonly heard: Record<string, unknown>[] = [];
  readonly closed: string[] = [];
  pings = 0;
  readonly #streams: Streams;
  readonly #socket: Socket;

  constructor(streams: Streams, connection: Connection) {
    this.#streams = streams;
    const close = (_code: number, reason: string): void => {
      this.closed.push(reason);
      this.leave();
    };
    this.#socket = {
      data: connection,
      send: (text: string) => this.heard.push(JSON.parse(text)),
      ping: () => this.pings++,
      close,
      terminate: () => undefined,
      subscribe: () => undefined,
      unsubscribe: () => undefined,
      getBufferedAmount: () => 0,
    } as unknown as Socket;
    streams.handlers.open!(this.#socket);
  }

  say(message: object): void {
    this.#streams.handlers.message!(this.#socket, JSON.stringify(message));
  }
  answerPing(): void {
    this.#streams.handlers.pong!(this.#socket, Buffer.alloc(0));
  }
  leave(): void {
    this.#streams.handlers.close!(this.#socket, 1000, '');
  }

  of(channel: string): Record<string, unknown>[] {
    return this.heard.filter((message) => message.channel === channel && message.op === undefined);
  }
}

/** The streams of a small venue, whose views answer when they are told to. */
class Server {
  readonly venue = new Venue();
  readonly #journal = new MemoryJournal();
  readonly #asked: ((rows: unknown[]) => void)[] = [];
  readonly #engine = new Engine({
    exchange: this.venue.exchange,
    journal: this.#journal,
    wall: () => Date.now(),
    epoch: 1,
    queueLimit: 10,
    onApplied: () => undefined,
    onFailure: () => undefined,
  });
  readonly #views = {
    query: () => new Promise((resolve) => this.#asked.push(resolve)),
  } as unknown as ViewReader;
  readonly #warn = (error: unknown): void => {
    throw error;
  };
  readonly hub = new Hub({
    engine: this.#engine,
    views: this.#views,
    dataDir: '',
    snapshotKeys: [],
    warn: this.#warn,
  });
  readonly streams = new Streams({
    engine: this.#engine,
    hub: this.hub,
    gatekeeper: { loginByKey: () => MINE, lapsed: () => null },
    perAddress: Number.POSITIVE_INFINITY,
    perAccount: Number.POSITIVE_INFINITY,
    bytesPerSecond: 1 << 23,
    warn: this.#warn,
  });

  /** Whoever is not logged in only listens to what is public. */
  join(login: Login | null = null): Peer {
    const path = login === null ? '/ws/v1/public' : '/ws/v1/private/orders';
    return new Peer(this.streams, this.streams.admit(path, '::1', '::1', login));
  }

  /** An order of user 1 is applied, as the first half of what the engine does with it. */
  apply(order: Partial<OrderTerms> = {}): void {
    this.venue.send(
      placeOrder({ uid: 1, side: Side.buy, price: ticks(1), orderQty: lots(1), ...order }),
    );
    this.hub.seeEvents(this.venue.events);
  }

  /** The views have no more rows than these for what they were asked. */
  async answer(rows: unknown[] = []): Promise<void> {
    while (this.#asked.length > 0) {
      this.#asked.shift()!(rows);
      await pass(0);
    }
  }

  /** What is in the journal of what was submitted. */
  async submitted(): Promise<string[]> {
    await pass(0);
    const types: string[] = [];
    for await (const records of this.#journal.read(this.venue.log.length + 1)) {
      for (const { payload } of records) {
        types.push(...decodeBatch(payload).commands.map(({ type }) => type));
      }
    }
    return types;
  }

  async write(): Promise<this> {
    await appendLog(this.#journal, this.venue.log);
    return this;
  }
}

const ORDERS = { op: 'subscribe', channel: 'orders' };

describe('a connection', () => {
  test('is asked for a sign of life, and goes after a minute without one', async () => {
    const server = new Server();
    const [alive, gone] = [server.join(), server.join()];
    for (let ms = 0; ms <= SILENCE_MS + 2_000; ms += 1_000) {
      await pass(1_000);
      if (alive.pings > 0) alive.answerPing();
    }
    expect(alive.pings).toBe(Math.floor(SILENCE_MS / 1_000 / PING_SECONDS));
    expect([alive.closed, gone.closed]).toEqual([[], ['nothing was heard for a minute']]);
    await pass(SILENCE_MS);
    alive.answerPing();
    await pass(SILENCE_MS - 2_000);
    expect(alive.closed).toEqual([]);
  });

  test('has a place among so many, which is free again when it goes', () => {
    const { streams } = new Server();
    const admit = () => streams.admit('/ws/v1/public', '::1', '::1', null);
    const first = admit();
    for (let taken = 1; taken < MAX_CONNECTIONS; taken++) admit();
    expect(admit).toThrow(expect.objectContaining({ kind: 'overloaded' }));
    streams.release(first);
    admit();
    expect(admit).toThrow(expect.objectContaining({ kind: 'overloaded' }));
  });
});

describe('cancel on disconnect', () => {
  test('is what the last subscription asked for', async () => {
    for (const [asked, commands] of [
      [[true], ['massCancel']],
      [[true, false], []],
      [[false, true], ['massCancel']],
    ] as const) {
      const server = await new Server().write();
      const peer = server.join(MINE);
      for (const cancelOnDisconnect of asked) peer.say({ ...ORDERS, cancelOnDisconnect });
      peer.leave();
      expect(await server.submitted()).toEqual([...commands]);
    }
  });

  test('does not mean a server that stops: the customer has not gone', async () => {
    const server = await new Server().write();
    const peer = server.join(MINE);
    peer.say({ ...ORDERS, cancelOnDisconnect: true });
    server.streams.close();
    expect(peer.closed).toEqual(['the server is stopping']);
    expect(await server.submitted()).toEqual([]);
  });
});

describe('a heartbeat', () => {
  const TWICE = 2 * HEARTBEAT_SECONDS * 1_000;

  test('comes behind all that it says was sent', async () => {
    const server = new Server();
    const peer = server.join(MINE);
    peer.say(ORDERS);
    await pass(0);
    expect(peer.of('orders')).toHaveLength(1);
    // Applied, and not told yet when the time of the heartbeat comes.
    server.apply();
    await pass(TWICE);
    const channels = peer.heard.map(({ channel }) => channel);
    expect(channels.lastIndexOf('orders')).toBeLessThan(channels.indexOf('heartbeat'));
    const { seq } = server.venue;
    expect(peer.of('orders').at(-1)).toMatchObject({ type: 'update', seq });
    expect(peer.of('heartbeat')[0]).toMatchObject({ seq, channels: [{ channel: 'orders', seq }] });
  });

  test('does not come before the snapshot of a subscription', async () => {
    const server = new Server();
    server.apply();
    const peer = server.join(MINE);
    peer.say(ORDERS);
    await pass(TWICE);
    expect([peer.of('orders'), peer.of('heartbeat')]).toEqual([[], []]);
    await server.answer();
    expect(peer.of('orders')).toHaveLength(1);
    await pass(TWICE);
    expect(peer.of('heartbeat').length).toBeGreaterThan(0);
  });
});

describe('a subscription that waits for its snapshot', () => {
  test('finds in it what has happened up to its seq, and is told nothing of that again', async () => {
    const server = new Server();
    server.apply();
    const peer = server.join(MINE);
    peer.say(ORDERS);
    await pass(0);
    // One is told to whoever listens; the other waits to be told when the views answer.
    server.apply();
    server.hub.flush();
    server.apply();
    await server.answer();
    server.hub.flush();
    const messages = peer.of('orders');
    expect(messages).toHaveLength(1);
    const [{ type, seq, data }] = messages as [Record<string, unknown>];
    expect([type, seq]).toEqual(['snapshot', server.venue.seq]);
    expect((data as { orderId: number }[]).map(({ orderId }) => orderId)).toEqual([3, 2]);
    server.apply();
    server.hub.flush();
    expect(peer.of('orders').at(-1)).toMatchObject({ type: 'update', prevSeq: seq });
  });

  test('is closed when more has come than is held for it', async () => {
    const server = new Server();
    server.apply();
    const peer = server.join(MINE);
    peer.say(ORDERS);
    await pass(0);
    const clOrdId = 'x'.repeat(1_000);
    for (let told = 0; told <= MAX_HELD && peer.closed.length === 0; told += clOrdId.length) {
      server.apply({ clOrdId });
      server.hub.flush();
    }
    expect(peer.closed).toEqual(['too much has come before the first message']);
    expect(peer.of('orders')).toEqual([]);
  });
});
