// Checks of the websockets: answers to requests, snapshots and the chain of updates, the checksum,
// the report of an order.

import * as decimal from '../sdk/decimal.ts';
import { crc32 } from '../sdk/local-book.ts';
import { type Check, expect, expectSame, Skipped, section } from './check.ts';
import { decimalText, expectOk } from './expect.ts';
import { type Kit, MARKET } from './kit.ts';
import type { Json } from './wire.ts';

const requests = section('agio', 'Websockets: requests');
const data = section('agio', 'Websockets: data messages');
const book = section('agio', 'Websockets: orderbook and its checksum');
const login = section('agio', 'Websockets: login');
const orders = section('trading', 'Events');

const PUBLIC = '/ws/v1/public';
const ORDERS = '/ws/v1/private/orders';
const PATIENCE_MS = 5_000;
const CHECKSUM_LEVELS = 10;
const DEPTH = 5;

/** A websocket whose messages are read one by one. */
class Socket {
  readonly #socket: WebSocket;
  readonly #messages: Json[] = [];
  #wake: (() => void) | null = null;
  #closed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data: text }: MessageEvent) => {
      this.#messages.push(JSON.parse(String(text)) as Json);
      this.#wake?.();
    };
    socket.onclose = () => {
      this.#closed = true;
      this.#wake?.();
    };
  }

  static async open({ wire }: Kit, path: string): Promise<Socket> {
    const socket = new WebSocket(wire.url.replace(/^http/, 'ws') + path);
    const opened = new Socket(socket);
    await new Promise<void>((resolve, reject) => {
      const give = (): void => reject(new Skipped(`a websocket cannot be opened at ${path}`));
      const timer = setTimeout(give, PATIENCE_MS);
      socket.onopen = () => resolve(clearTimeout(timer));
      socket.onerror = give;
    });
    return opened;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The next message that fits; those before it are passed over. Fails where none comes. */
  async next(fits: (message: Json) => boolean, expected: string): Promise<Json> {
    const deadline = Date.now() + PATIENCE_MS;
    const passed: Json[] = [];
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) {
        if (fits(message)) return message;
        passed.push(message);
        continue;
      }
      const left = deadline - Date.now();
      expect(
        left > 0 && !this.#closed,
        expected,
        passed.length === 0 ? 'no message' : passed.at(-1),
      );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => resolve(clearTimeout(timer));
      });
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** Opens, lets the check work, and closes whatever comes of it. */
async function using(
  kit: Kit,
  path: string,
  work: (socket: Socket) => Promise<void>,
): Promise<void> {
  const socket = await Socket.open(kit, path);
  try {
    await work(socket);
  } finally {
    socket.close();
  }
}

const op = (name: string) => (message: Json) => String(message.op) === name;
const ofType = (type: string) => (message: Json) => String(message.type) === type;

type Side = 'bids' | 'asks';
const SIDES: readonly Side[] = ['bids', 'asks'];

/** A book that is kept from messages alone. */
class Book {
  readonly #sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };

  take(message: Json): void {
    for (const side of SIDES) {
      const levels = this.#sides[side];
      if (String(message.type) === 'snapshot') levels.clear();
      for (const level of message[side] as unknown as [unknown, unknown][]) {
        const [price, quantity] = level.map(decimalText) as [string, string];
        if (quantity === '0') levels.delete(price);
        else levels.set(price, quantity);
      }
    }
  }

  levels(side: Side): [string, string][] {
    const sign = side === 'bids' ? -1 : 1;
    return [...this.#sides[side]].sort(([a], [b]) => sign * decimal.compare(a, b));
  }

  get checksum(): number {
    const text = (side: Side): string =>
      this.levels(side)
        .slice(0, CHECKSUM_LEVELS)
        .map((level) => level.join(':'))
        .join(',');
    return crc32(`${text('bids')}|${text('asks')}`);
  }
}

/** Enters `message` into the book, and expects its checksum. */
function expectChecksum(held: Book, message: Json): void {
  held.take(message);
  expectSame('the checksum of the message', message.checksum, held.checksum);
}

const loginMessage = ({ wire }: Kit, path: string): object => {
  const timestamp = wire.timestamp();
  const sign = wire.sign(`${timestamp}GET${path}`);
  return { op: 'login', apiKey: wire.apiKey, timestamp: Number(timestamp), sign };
};

export const streamChecks: readonly Check[] = [
  requests('STR-01', 'ping is answered with pong, the server’s time and its position.', (kit) =>
    using(kit, PUBLIC, async (socket) => {
      socket.send({ op: 'ping', id: 7 });
      const pong = await socket.next(op('pong'), 'a pong');
      const whole = Number.isSafeInteger(pong.serverTime) && Number.isSafeInteger(pong.seq);
      expect(whole && Number(pong.id) === 7, 'serverTime, seq and the id', pong);
    }),
  ),
  requests(
    'STR-02',
    'What is refused is an error with its code and the id, and changes nothing.',
    (kit) =>
      using(kit, PUBLIC, async (socket) => {
        for (const [message, code] of [
          [{ op: 'subscribe', channel: 'trades', symbol: 'NO-SUCH', id: 'a' }, '100201'],
          [{ op: 'subscribe', channel: 'nothing', id: 'b' }, '100200'],
          [{ op: 'dance', id: 'c' }, '100200'],
        ] as const) {
          socket.send(message);
          const error = await socket.next(op('error'), 'an error');
          expectSame('code and id', [error.code, error.id], [code, message.id]);
        }
        expect(!socket.closed, 'the connection to stay open', 'closed');
      }),
  ),
  data('STR-03', 'A subscription begins with a snapshot, whose prevSeq is null.', async (kit) => {
    const { symbol } = await kit.pair();
    await using(kit, PUBLIC, async (socket) => {
      socket.send({ op: 'subscribe', channel: 'orderbook', symbol, depth: DEPTH });
      await socket.next(op('subscribed'), 'subscribed');
      const first = await socket.next((message) => 'type' in message, 'a data message');
      expectSame('type and prevSeq', [first.type, first.prevSeq], ['snapshot', null]);
      expectSame(
        'channel, symbol, depth',
        [first.channel, first.symbol, first.depth],
        ['orderbook', symbol, DEPTH],
      );
    });
  }),
  data('STR-04', 'prevSeq of an update is the seq of the message before it.', async (kit) => {
    const { symbol } = await kit.pair();
    await using(kit, PUBLIC, async (socket) => {
      socket.send({ op: 'subscribe', channel: 'l3orderbook', symbol });
      const snapshot = await socket.next(ofType('snapshot'), 'a snapshot');
      let seq = Number(snapshot.seq);
      for (let i = 0; i < 3; i++) {
        await kit.rest();
        const update = await socket.next(ofType('update'), 'an update after an order');
        expectSame('prevSeq', update.prevSeq, seq);
        expect(Number(update.seq) > seq, `a seq above ${seq}`, update.seq);
        seq = Number(update.seq);
      }
    });
  }),
  book('STR-05', 'The checksum of each message is that of the book after it.', async (kit) => {
    const { symbol } = await kit.pair();
    await using(kit, PUBLIC, async (socket) => {
      socket.send({ op: 'subscribe', channel: 'orderbook', symbol, depth: 100 });
      const held = new Book();
      expectChecksum(held, await socket.next(ofType('snapshot'), 'a snapshot'));
      for (let i = 0; i < 2; i++) {
        await kit.rest();
        expectChecksum(held, await socket.next(ofType('update'), 'an update after an order'));
      }
    });
  }),
  book(
    'STR-06',
    'A book kept from the stream is the one of REST at the same lastUpdateId.',
    async (kit) => {
      const { symbol } = await kit.pair();
      await using(kit, PUBLIC, async (socket) => {
        socket.send({ op: 'subscribe', channel: 'orderbook', symbol, depth: 100 });
        const held = new Book();
        held.take(await socket.next(ofType('snapshot'), 'a snapshot'));
        await kit.rest();
        const query = { symbol, depth: 100 };
        const answer = expectOk(await kit.wire.open(`${MARKET}/orderbook`, query));
        for (;;) {
          const update = await socket.next(ofType('update'), 'the update of the order');
          held.take(update);
          const at = Number(update.lastUpdateId);
          if (at < Number(answer.lastUpdateId)) continue;
          if (at > Number(answer.lastUpdateId)) throw new Skipped('the book changed in between');
          break;
        }
        for (const side of SIDES) {
          const levels = (answer[side] as unknown as unknown[][]).map((level) =>
            level.map(decimalText),
          );
          expectSame(`${side} of the stream`, held.levels(side), levels);
        }
      });
    },
  ),
  login(
    'STR-07',
    'A login that is not signed right is refused, and the connection closed.',
    (kit) =>
      using(kit, ORDERS, async (socket) => {
        socket.send({ ...loginMessage(kit, ORDERS), sign: '0'.repeat(64) });
        const error = await socket.next(op('error'), 'an error');
        expectSame('code', error.code, '100401');
      }),
  ),
  orders('STR-08', 'The outcome of an order can be followed on the websocket.', async (kit) => {
    await kit.pair();
    await using(kit, ORDERS, async (socket) => {
      socket.send(loginMessage(kit, ORDERS));
      await socket.next(op('loggedIn'), 'loggedIn');
      socket.send({ op: 'subscribe', channel: 'orders' });
      await socket.next(ofType('snapshot'), 'a snapshot');
      const orderId = await kit.rest();
      const own = (message: Json): boolean =>
        String(message.type) === 'update' &&
        (message.data as unknown as Json[]).some((row) => Number(row.orderId) === orderId);
      const told = await socket.next(own, 'the report of the order');
      const row = (told.data as unknown as Json[]).find((one) => Number(one.orderId) === orderId)!;
      expectSame('ordStatus and execType', [row.ordStatus, row.execType], [0, 0]);
      expectSame('the report', JSON.stringify(row), JSON.stringify(await kit.row(orderId)));
    });
  }),
];
