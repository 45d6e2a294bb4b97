// Checks of the websockets: answers to requests, described messages, snapshots and the chain of
// updates, the checksum, the report of an order.
import { marketDataCalls } from '../contract/market-data/calls.ts';
import * as decimal from '../sdk/decimal.ts';
import { crc32 } from '../sdk/local-book.ts';
import { type Check, section } from './check.ts';
import { expect, expectSame, Skip } from './expect.ts';
import { SIDES } from './market-data.ts';
import { type DataMessage, loginMessage, ORDERS, Socket } from './socket.ts';

const requests = section('agio', 'Websockets: requests');
const data = section('agio', 'Websockets: data messages');
const book = section('agio', 'Websockets: orderbook and its checksum');
const login = section('agio', 'Websockets: login');
const orders = section('trading', 'Events');

const PUBLIC = '/ws/v1/public';
const ACCOUNT = '/ws/v1/private/account';
const CHECKSUM_LEVELS = 10;
const DEPTH = 5;

/** A book that is kept from messages alone. */
class Book {
  readonly #sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };

  apply(message: DataMessage<'orderbook'>): void {
    for (const side of SIDES) {
      const levels = this.#sides[side];
      if (message.type === 'snapshot') levels.clear();
      for (const [price, quantity] of message[side]) {
        if (quantity === '0') levels.delete(price!);
        else levels.set(price!, quantity!);
      }
    }
  }

  levels(side: (typeof SIDES)[number]): [string, string][] {
    const sign = side === 'bids' ? -1 : 1;
    return [...this.#sides[side]].sort(([a], [b]) => sign * decimal.compare(a, b));
  }

  get checksum(): number {
    const [bids, asks] = SIDES.map((side) =>
      this.levels(side)
        .slice(0, CHECKSUM_LEVELS)
        .map((level) => level.join(':'))
        .join(','),
    );
    return crc32(`${bids}|${asks}`);
  }
}

export const streamChecks: readonly Check[] = [
  requests(
    'STR-01',
    'ping is answered with pong, the server’s time and its position.',
    async (kit) => {
      using socket = await Socket.open(kit, PUBLIC);
      socket.send({ op: 'ping', id: 7 });
      const pong = await socket.reply('pong');
      const isWhole = Number.isSafeInteger(pong.serverTime) && Number.isSafeInteger(pong.seq);
      expect(isWhole && Number(pong.id) === 7, 'serverTime, seq and the id', pong);
    },
  ),
  requests(
    'STR-02',
    'A rejected request is an error with its code and the id, and changes nothing.',
    async (kit) => {
      using socket = await Socket.open(kit, PUBLIC);
      for (const [message, code] of [
        [{ op: 'subscribe', channel: 'trades', symbol: 'NO-SUCH', id: 'a' }, '100201'],
        [{ op: 'subscribe', channel: 'nothing', id: 'b' }, '100200'],
        [{ op: 'dance', id: 'c' }, '100200'],
      ] as const) {
        socket.send(message);
        const error = await socket.reply('error');
        expectSame('code and id', [error.code, error.id], [code, message.id]);
      }
      expect(!socket.isClosed, 'the connection to stay open', 'closed');
    },
  ),
  data('STR-03', 'A subscription begins with a snapshot, whose prevSeq is null.', async (kit) => {
    const { symbol } = await kit.pair();
    using socket = await Socket.open(kit, PUBLIC);
    socket.send({ op: 'subscribe', channel: 'orderbook', symbol, depth: DEPTH });
    await socket.reply('subscribed');
    const first = await socket.data('orderbook', 'snapshot');
    const subject = [first.prevSeq, first.symbol, first.depth];
    expectSame('prevSeq, symbol, depth', subject, [null, symbol, DEPTH]);
  }),
  data('STR-04', 'prevSeq of an update is the seq of the message before it.', async (kit) => {
    const { symbol } = await kit.pair();
    using socket = await Socket.open(kit, PUBLIC);
    socket.send({ op: 'subscribe', channel: 'l3orderbook', symbol });
    let { seq } = await socket.data('l3orderbook', 'snapshot');
    for (let i = 0; i < 3; i++) {
      await kit.rest();
      const update = await socket.data('l3orderbook', 'update');
      expectSame('prevSeq', update.prevSeq, seq);
      expect(update.seq > seq, `a seq above ${seq}`, update.seq);
      seq = update.seq;
    }
  }),
  book('STR-05', 'The checksum of each message is that of the book after it.', async (kit) => {
    const { symbol } = await kit.pair();
    using socket = await Socket.open(kit, PUBLIC);
    socket.send({ op: 'subscribe', channel: 'orderbook', symbol, depth: 100 });
    const kept = new Book();
    for (const type of ['snapshot', 'update', 'update'] as const) {
      if (type === 'update') await kit.rest();
      const message = await socket.data('orderbook', type);
      kept.apply(message);
      expectSame('the checksum of the message', message.checksum, kept.checksum);
    }
  }),
  book(
    'STR-06',
    'A book kept from the stream is the one of REST at the same lastUpdateId.',
    async (kit) => {
      const { symbol } = await kit.pair();
      using socket = await Socket.open(kit, PUBLIC);
      const subject = { symbol, depth: 100 };
      socket.send({ op: 'subscribe', channel: 'orderbook', ...subject });
      const kept = new Book();
      kept.apply(await socket.data('orderbook', 'snapshot'));
      await kit.rest();
      const answer = await kit.call(marketDataCalls.orderbook, subject);
      let at = 0;
      while (at < answer.lastUpdateId) {
        const update = await socket.data('orderbook', 'update');
        kept.apply(update);
        at = update.lastUpdateId;
      }
      if (at > answer.lastUpdateId) throw new Skip('the book changed in between');
      for (const side of SIDES) {
        expectSame(`${side} of the stream`, kept.levels(side), answer[side]);
      }
    },
  ),
  login('STR-07', 'A login with a wrong signature is rejected.', async (kit) => {
    using socket = await Socket.open(kit, ORDERS);
    socket.send({ ...loginMessage(kit, ORDERS), sign: '0'.repeat(64) });
    const error = await socket.reply('error');
    expectSame('code', error.code, '100401');
  }),
  orders('STR-08', 'The websocket reports the outcome of an order.', async (kit) => {
    await kit.pair();
    using socket = await Socket.open(kit, ORDERS);
    await socket.logIn(kit, ORDERS);
    socket.send({ op: 'subscribe', channel: 'orders' });
    await socket.data('orders', 'snapshot');
    const orderId = await kit.rest();
    let row: DataMessage<'orders'>['data'][number] | undefined;
    while (row === undefined) {
      const update = await socket.data('orders', 'update');
      row = update.data.find((one) => one.orderId === orderId);
    }
    expectSame('ordStatus and execType', [row.ordStatus, row.execType], [0, 0]);
    expectSame('the report', row, await kit.row(orderId));
  }),
  data('STR-09', 'Messages of every public channel have the described fields.', async (kit) => {
    const { symbol } = await kit.pair();
    const subjects = [
      { channel: 'orderbook', symbol, depth: DEPTH },
      { channel: 'l3orderbook', symbol },
      { channel: 'bbo', symbol },
      { channel: 'trades', symbol },
      { channel: 'ticker', symbol },
      { channel: 'candles', symbol, interval: '1m' },
      { channel: 'instruments' },
    ] as const;
    using socket = await Socket.open(kit, PUBLIC);
    for (const subject of subjects) {
      socket.send({ op: 'subscribe', ...subject });
      await socket.data(subject.channel, 'snapshot');
    }
  }),
  data('STR-10', 'Messages of the account’s balances have the described fields.', async (kit) => {
    const { quote } = await kit.pair();
    using socket = await Socket.open(kit, ACCOUNT);
    await socket.logIn(kit, ACCOUNT);
    socket.send({ op: 'subscribe', channel: 'balances' });
    await socket.data('balances', 'snapshot');
    await kit.rest();
    const { data: rows } = await socket.data('balances', 'update');
    const row = rows.find(({ asset }) => asset === quote);
    expectSame(`available ${quote}`, row?.available, await kit.has(quote));
  }),
];
