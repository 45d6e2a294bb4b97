// The cases of parts `large` and `memory`: commands that once did the work of a million small
// ones. Each run of a case has a pair of its own, with the orders that wait for the attack.
import type { Socket } from 'bun';
import type { Command, PlaceOrder } from '../../src/core/command.ts';
import { OrdType, Side, TriggerPriceDirection } from '../../src/core/fix.ts';
import { NO_EXTRAS, type OrderExtras } from '../../src/core/order-extras.ts';
import { lots, ticks } from '../../src/core/units.ts';
import { BTC_USDT_TERMS } from '../../test/support/venue.ts';
import { postSigned, signedHeaders } from './requests.ts';
import { OPERATOR_TOKEN } from './stages.ts';
import { credit, LISTING, orderCommand, userCommands } from './venue.ts';
import type { Case, Target } from './waits.ts';
import { messageFrame, OWN_ORDERS, openSocket, PUBLIC } from './websocket.ts';

/** One account takes what others own, and one has no money. */
export const TAKER = 1;
const POOR = 2;
/** Honest customers, half of them in the pair of the case. */
export const HONEST = 16;
export const FIRST_HONEST = 3;
const FIRST_HOLDER = FIRST_HONEST + HONEST;
/** The keys of the last account. */
export const KEYS_OF_ONE = 8;

/** More than a case has. */
const MAX_OPEN_ORDERS = 120_000;
/** 100.00 */
const PRICE = 10_000;
/** The parts of an iceberg, one lot each. */
export const PARTS = 100;
/** Rejected commands in a burst: one alone delays nobody. */
const REJECTED = 200;
const OTHERS = 10;

/** A pair that belongs to one run of a case. */
export interface Pair {
  readonly securityId: number;
  readonly symbol: string;
  /** The account that owns what waits. */
  readonly holder: number;
}

/** An HTTP request of a case: an order unless it has a path. */
interface Request {
  /** The uid; null for the operator. */
  readonly caller: number | null;
  readonly path?: string;
  readonly body: object;
}

interface LargeCase extends Omit<Case, 'attack'> {
  /** Equal commands that are sent in one burst: many where one alone is rejected; else one. */
  readonly burst?: number;
  request(pair: Pair): Request;
}

interface Terms {
  readonly uid: number;
  readonly side?: Side;
  /** 0 for a market order. */
  readonly price?: number;
  readonly quantity?: number;
  readonly extras?: Partial<OrderExtras>;
  readonly ordType?: OrdType;
}

/** A sale unless it has a side. */
export function order({ securityId }: Pair, terms: Terms): PlaceOrder {
  const { uid, side = Side.sell, price = PRICE, quantity = 1, extras, ordType } = terms;
  const command = orderCommand({ uid, side, price, quantity });
  const all = extras === undefined ? null : { ...NO_EXTRAS, ...extras };
  return { ...command, securityId, extras: all, ordType: ordType ?? command.ordType };
}

const ORDER = '/spot-api/api/private/v2/order';
const quantityText = (quantity: number): string => (quantity / 1_000_000).toFixed(6);

const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** An order at each of many prices. */
export const levels = (size: number, side: Side) => (pair: Pair) =>
  repeat(size, (i) => {
    const price = side === Side.sell ? PRICE + i : 1 + i;
    return order(pair, { uid: pair.holder, side, price });
  });

const limit = (quantity: number, more: object) => ({
  ...{ side: 1, ordType: 2, price: (PRICE / 100).toFixed(2), orderQty: quantityText(quantity) },
  ...more,
});

export const icebergs = (count: number, isWatched = false): LargeCase => ({
  name: `${count.toLocaleString('en')} icebergs${isWatched ? ', watched' : ''}`,
  isWatched,
  setUp: (pair) =>
    repeat(count, () =>
      order(pair, { uid: pair.holder, quantity: PARTS, extras: { displayQty: lots(1) } }),
    ),
  request: () => ({ caller: TAKER, body: limit(count * PARTS, { timeInForce: 1 }) }),
});

/** Another account has `OTHERS` lots behind the own orders. */
const fillOrKill = (outcome: string, size: number, quantity: number): LargeCase => ({
  name: `fill-or-kill against own orders, ${outcome}`,
  burst: outcome === 'killed' ? REJECTED : 1,
  setUp: (pair) => [
    ...repeat(size, () => order(pair, { uid: pair.holder })),
    order(pair, { uid: TAKER, quantity: OTHERS }),
  ],
  request: ({ holder }) => {
    const more = { timeInForce: 4, selfTradePrevention: 'cancelOldest' };
    return { caller: holder, body: limit(quantity, more) };
  },
});

const MASS_CANCEL = '/spot-api/api/private/v1/order/masscancel';

/** Stops at one price below the last one, and bids for all that they sell. */
const stops = (size: number) => (pair: Pair) => {
  const { holder } = pair;
  const down = TriggerPriceDirection.down;
  const extras = { stopPx: ticks(PRICE), triggerPriceDirection: down };
  return [
    order(pair, { uid: holder, side: Side.buy, price: PRICE + 1 }),
    order(pair, { uid: TAKER, price: PRICE + 1 }),
    order(pair, { uid: holder, side: Side.buy, quantity: size + 1 }),
    ...repeat(size, () => order(pair, { uid: holder, price: 0, extras, ordType: OrdType.stop })),
  ];
};

const largeCommands = (size: number): readonly LargeCase[] => [
  icebergs(size / 10),
  icebergs(size),
  icebergs(size, true),
  {
    name: 'market buys without money',
    burst: REJECTED,
    setUp: levels(size, Side.sell),
    request: () => ({ caller: POOR, body: { side: 1, ordType: 1, orderQty: quantityText(size) } }),
  },
  {
    name: 'sells by total without goods',
    burst: REJECTED,
    setUp: levels(size, Side.buy),
    request: () => {
      // All bids together pay this total, in units.
      const total = (size * (size + 1)) / 2;
      const quoteOrderQty = (total / 1e8).toFixed(2);
      return { caller: POOR, body: { side: 2, ordType: 1, quoteOrderQty } };
    },
  },
  fillOrKill('killed', size, 2 * OTHERS),
  fillOrKill('filled', size, OTHERS),
  {
    name: 'cancelAll of another pair',
    burst: REJECTED,
    setUp: levels(size, Side.sell),
    request: ({ holder }) => {
      return { caller: holder, path: MASS_CANCEL, body: { symbol: 'BTC-USDT' } };
    },
  },
  {
    name: 'the operator cancels stops',
    setUp: stops(size),
    request: ({ symbol }) => {
      const body = { symbol, reason: 'bench' };
      return { caller: null, path: '/operator/v1/orders/cancel', body };
    },
  },
  {
    name: 'stops at one price',
    setUp: stops(size),
    request: () => ({ caller: TAKER, body: { side: 2, ordType: 1, orderQty: quantityText(1) } }),
  },
];

/** `size`: the orders that a command meets. */
export const largeCases = (size: number): readonly Case[] =>
  largeCommands(size).map((one) => ({ ...one, attack: (target) => send(one, target) }));

const accountOf = (uid: number): Command[] =>
  uid === POOR ? [{ type: 'createUser', kyc: true }] : userCommands(uid, MAX_OPEN_ORDERS);

/** The listing of BTC-USDT, and the accounts that serve all cases. */
export const accounts = (): Command[] => [
  ...LISTING,
  ...repeat(FIRST_HOLDER - 1, (i) => accountOf(i + 1)).flat(),
];

/** Lists a pair, whose goods its holder and the taker have, and enters the orders of the case. */
export function setUpCommands(setUp: LargeCase['setUp'], pair: Pair): Command[] {
  const { symbol, securityId, holder } = pair;
  const [baseAsset] = symbol.split('-');
  return [
    ...accountOf(holder),
    { type: 'createAsset', asset: baseAsset, scale: 8, fiat: false },
    { ...BTC_USDT_TERMS, symbol, baseAsset },
    // BTC and USDT are assets 0 and 1, and BTC-USDT is the first pair.
    ...[TAKER, holder].map((uid) => credit(uid, securityId, 10 ** 12)),
    ...setUp(pair),
  ];
}

/** The pair of a run of a case; pairs are made in this order. */
export function pairOf(cases: number, index: number, run: number): Pair {
  const number = run * cases + index;
  return { securityId: 2 + number, symbol: `C${number}-USDT`, holder: FIRST_HOLDER + number };
}

/** The accounts with this many pairs. */
export const accountsWith = (pairs: number): number => FIRST_HOLDER - 1 + pairs;

const OPERATOR_HEADERS = {
  Authorization: `Bearer ${OPERATOR_TOKEN}`,
  'Content-Type': 'application/json',
};
/** The code of a rejection for lack of money. */
const NO_MONEY = '"100206"';

/** Sends the commands of a case. Throws if one of them has an unexpected answer. */
async function send(
  { name, burst = 1, request }: LargeCase,
  { url, pair, keys }: Target,
): Promise<null> {
  const { caller, path = ORDER, body } = request(pair);
  const whole = { symbol: pair.symbol, ...body };
  const sendOne = (): Promise<Response> =>
    caller === null
      ? fetch(url + path, {
          method: 'POST',
          body: JSON.stringify(whole),
          headers: OPERATOR_HEADERS,
        })
      : postSigned(url, keys[caller - 1], path, { ...whole, clOrdId: crypto.randomUUID() });
  for (const answer of await Promise.all(Array.from({ length: burst }, sendOne))) {
    const text = await answer.text();
    const isExpected = answer.status === 200 || (burst > 1 && text.includes(NO_MONEY));
    if (!isExpected) throw new Error(`${name} was answered ${answer.status}: ${text}`);
  }
  return null;
}

/** Listens to the orders of both sides of a case, and to the public streams of its pair. */
export async function watch({ url, pair, keys }: Target): Promise<AsyncDisposable> {
  const { symbol, holder } = pair;
  const port = Number(new URL(url).port);
  const sockets: Socket[] = [];
  for (const key of [keys[TAKER - 1], keys[holder - 1]]) {
    const socket = await openSocket(port, OWN_ORDERS, signedHeaders(key, `GET${OWN_ORDERS}`));
    socket.write(messageFrame({ op: 'subscribe', channel: 'orders' }));
    sockets.push(socket);
  }
  const socket = await openSocket(port, PUBLIC);
  for (const channel of ['trades', 'orderbook', 'l3orderbook', 'bbo']) {
    socket.write(messageFrame({ op: 'subscribe', channel, symbol }));
  }
  sockets.push(socket);
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.end();
    },
  };
}
