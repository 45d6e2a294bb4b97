// The cases of parts `large`, `burst`, `cascade` and `large-memory`: commands that once did the
// work of a million small ones. Each case has a pair of its own, with the orders that wait for the
// attack.
import type { Command, PlaceOrder } from '../../src/core/command.ts';
import {
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import type { OrderExtras } from '../../src/core/order-extras.ts';
import { NO_EXTRAS } from '../../src/core/order-extras.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { LISTING, orderCommand, userCommands } from './venue.ts';

/** One account takes what others own, and one has no money. */
export const TAKER = 1;
const POOR = 2;
/** Honest customers, half of them in the pair of the case. */
export const HONEST = 16;
export const FIRST_HONEST = 3;
const FIRST_HOLDER = FIRST_HONEST + HONEST;

/** More than a case has. */
const MAX_OPEN_ORDERS = 120_000;
/** 100.00 */
const PRICE = 10_000;
/** The parts of an iceberg, one lot each. */
export const PARTS = 100;

/** A pair that belongs to one run of a case. */
export interface Pair {
  readonly securityId: number;
  readonly symbol: string;
  /** The account that owns what waits. */
  readonly holder: number;
}

/** An HTTP request of a case. */
interface AttackRequest {
  readonly path: string;
  readonly body: object;
  /** The uid; null for the operator. */
  readonly caller: number | null;
}

export interface LargeCase {
  readonly name: string;
  /** Equal commands that are sent in one burst: many where one alone is rejected. */
  readonly burst: number;
  /** True: the owners listen to their orders, and a stranger to the public streams of the pair. */
  readonly isWatched: boolean;
  setUp(pair: Pair): Iterable<Command>;
  attack(pair: Pair): Command;
  request(pair: Pair): AttackRequest;
}

/** Rejected commands in a burst: one alone delays nobody. */
const REJECTED = 200;
const OTHERS = 10;

interface Terms {
  readonly uid: number;
  readonly side: Side;
  /** 0 for a market order. */
  readonly price?: number;
  readonly quantity?: number;
  readonly extras?: Partial<OrderExtras>;
  readonly changes?: Partial<PlaceOrder>;
}

export function order({ securityId }: Pair, terms: Terms): PlaceOrder {
  const { uid, side, price = PRICE, quantity = 1, extras, changes } = terms;
  const command = orderCommand({ uid, side, price, quantity, clOrdId: '', signature: null });
  const all = extras === undefined ? null : { ...NO_EXTRAS, ...extras };
  return { ...command, securityId, extras: all, ...changes };
}

const ORDER_PATH = '/spot-api/api/private/v2/order';
const quantityText = (quantity: number): string => (quantity / 1_000_000).toFixed(6);
const priceText = (price: number): string => (price / 100).toFixed(2);

const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Ends the name of a case that is watched. */
const WATCHED = ', watched';
/** The place of the case of `size` icebergs. */
export const ICEBERGS = 1;

/** The parts that measure the latency of honest customers. */
export type AttackPart = 'large' | 'burst' | 'cascade';

/** `size`: the orders that a command meets. */
export function casesOf(part: AttackPart, size: number): readonly LargeCase[] {
  if (part === 'large') return largeCases(size);
  return [part === 'burst' ? massCancel(size) : trigger(size)];
}

export const largeCases = (size: number): readonly LargeCase[] => [
  icebergs(size / 10, false),
  icebergs(size, false),
  icebergs(size, true),
  buysWithoutMoney(size),
  sellsWithoutGoods(size),
  fillOrKill('fill-or-kill against own orders, killed', size, 2 * OTHERS, REJECTED),
  fillOrKill('fill-or-kill against own orders, filled', size, OTHERS, 1),
  cancelsElsewhere(size),
  operatorCancel(size),
  trigger(size),
];

const sale = ({ holder }: Pair) => ({ uid: holder, side: Side.sell });

const icebergs = (count: number, isWatched: boolean): LargeCase => ({
  name: `${count.toLocaleString('en')} icebergs${isWatched ? WATCHED : ''}`,
  burst: 1,
  isWatched,
  setUp: (pair) =>
    each(count, () =>
      order(pair, { ...sale(pair), quantity: PARTS, extras: { displayQty: lots(1) } }),
    ),
  attack: (pair) => order(pair, { uid: TAKER, side: Side.buy, quantity: count * PARTS }),
  request: ({ symbol }) =>
    limitRequest(TAKER, symbol, { orderQty: quantityText(count * PARTS), timeInForce: 1 }),
});

/** An order at each of many prices. */
const levels = (size: number, pair: Pair, side: Side): PlaceOrder[] =>
  each(size, (i) => {
    const price = side === Side.sell ? PRICE + i : 1 + i;
    return order(pair, { uid: pair.holder, side, price });
  });

const buysWithoutMoney = (size: number): LargeCase => ({
  name: 'market buys without money',
  burst: REJECTED,
  isWatched: false,
  setUp: (pair) => levels(size, pair, Side.sell),
  attack: (pair) => order(pair, { uid: POOR, side: Side.buy, price: 0, quantity: size }),
  request: ({ symbol }) => ({
    path: ORDER_PATH,
    body: { symbol, side: 1, ordType: 1, orderQty: quantityText(size) },
    caller: POOR,
  }),
});

function sellsWithoutGoods(size: number): LargeCase {
  // The total that all bids together pay, in units.
  const total = (size * (size + 1)) / 2;
  return {
    name: 'sells by total without goods',
    burst: REJECTED,
    isWatched: false,
    setUp: (pair) => levels(size, pair, Side.buy),
    attack: (pair) => {
      const changes = { quoteOrderQty: amount(total) };
      return order(pair, { uid: POOR, side: Side.sell, price: 0, quantity: 0, changes });
    },
    request: ({ symbol }) => ({
      path: ORDER_PATH,
      body: { symbol, side: 2, ordType: 1, quoteOrderQty: (total / 1e8).toFixed(2) },
      caller: POOR,
    }),
  };
}

/** Another account has `OTHERS` lots behind the own orders. */
const fillOrKill = (name: string, size: number, quantity: number, burst: number): LargeCase => ({
  name,
  burst,
  isWatched: false,
  setUp: (pair) => [
    ...each(size, () => order(pair, sale(pair))),
    order(pair, { uid: TAKER, side: Side.sell, quantity: OTHERS }),
  ],
  attack: (pair) =>
    order(pair, {
      uid: pair.holder,
      side: Side.buy,
      quantity,
      extras: {
        timeInForce: TimeInForce.fillOrKill,
        selfTradePrevention: SelfTradePrevention.cancelOldest,
      },
    }),
  request: ({ symbol, holder }) =>
    limitRequest(holder, symbol, {
      orderQty: quantityText(quantity),
      timeInForce: 4,
      selfTradePrevention: 'cancelOldest',
    }),
});

/** The owner cancels all orders of a pair. */
const cancelAll = (holder: number, securityId: number): Command => ({
  type: 'massCancel',
  ...{ uid: holder, signature: null, idempotency: null },
  ...{ securityId, clOrdId: '' },
});
const cancelAllRequest = (caller: number, symbol: string): AttackRequest => ({
  path: '/spot-api/api/private/v1/order/masscancel',
  body: { symbol },
  caller,
});

const cancelsElsewhere = (size: number): LargeCase => ({
  name: 'cancelAll of another pair',
  burst: REJECTED,
  isWatched: false,
  setUp: (pair) => levels(size, pair, Side.sell),
  attack: ({ holder }) => cancelAll(holder, 1),
  request: ({ holder }) => cancelAllRequest(holder, 'BTC-USDT'),
});

const massCancel = (size: number): LargeCase => ({
  name: 'mass cancel',
  burst: 1,
  isWatched: false,
  setUp: (pair) => levels(size, pair, Side.sell),
  attack: ({ holder, securityId }) => cancelAll(holder, securityId),
  request: ({ holder, symbol }) => cancelAllRequest(holder, symbol),
});

/** Stops at one price below the last one, and bids for all that they sell. */
const stops = (size: number, pair: Pair): Command[] => [
  order(pair, { uid: pair.holder, side: Side.buy, price: PRICE + 1 }),
  order(pair, { uid: TAKER, side: Side.sell, price: PRICE + 1 }),
  order(pair, { uid: pair.holder, side: Side.buy, quantity: size + 1 }),
  ...each(size, () =>
    order(pair, {
      ...sale(pair),
      price: 0,
      extras: { stopPx: ticks(PRICE), triggerPriceDirection: TriggerPriceDirection.down },
      changes: { ordType: OrdType.stop },
    }),
  ),
];

const operatorCancel = (size: number): LargeCase => ({
  name: 'the operator cancels stops',
  burst: 1,
  isWatched: false,
  setUp: (pair) => stops(size, pair),
  attack: ({ securityId }) => ({ type: 'cancelOrders', uid: 0, securityId }),
  request: ({ symbol }) => ({
    path: '/operator/v1/orders/cancel',
    body: { symbol, reason: 'bench' },
    caller: null,
  }),
});

const trigger = (size: number): LargeCase => ({
  name: 'stops at one price',
  burst: 1,
  isWatched: false,
  setUp: (pair) => stops(size, pair),
  attack: (pair) => order(pair, { uid: TAKER, side: Side.sell, price: 0 }),
  request: ({ symbol }) => ({
    path: ORDER_PATH,
    body: { symbol, side: 2, ordType: 1, orderQty: quantityText(1) },
    caller: TAKER,
  }),
});

const limitRequest = (caller: number, symbol: string, terms: object): AttackRequest => ({
  path: ORDER_PATH,
  body: { symbol, side: 1, ordType: 2, price: priceText(PRICE), ...terms },
  caller,
});

/** The listing of BTC-USDT, and the accounts that serve all cases. */
export function* accounts(): Generator<Command> {
  yield* LISTING;
  for (let uid = 1; uid < FIRST_HOLDER; uid++) yield* accountOf(uid);
}

const accountOf = (uid: number): Command[] =>
  uid === POOR ? [{ type: 'createUser', kyc: true }] : userCommands(uid, MAX_OPEN_ORDERS);

/** Lists a pair, whose goods all have but the poor, and enters the orders of the case. */
export function* setUpCommands(theCase: LargeCase, pair: Pair): Generator<Command> {
  const { symbol, securityId, holder } = pair;
  const [baseAsset] = symbol.split('-') as [string];
  const instrument = LISTING.find((command) => command.type === 'createInstrument')!;
  yield* accountOf(holder);
  yield { type: 'createAsset', asset: baseAsset, scale: 8, fiat: false };
  yield { ...instrument, symbol, baseAsset };
  for (const uid of [TAKER, holder]) {
    // BTC and USDT are assets 0 and 1, and BTC-USDT is the first pair.
    const credit = { direction: 'credit', uid, assetId: securityId, amount: amount(10 ** 12) };
    yield { type: 'transferFunds', ...credit, reference: `${symbol}-${uid}` } as Command;
  }
  yield* theCase.setUp(pair);
}

/** The pair of a run of a case; pairs are made in this order. */
export function pairOf(cases: number, index: number, run: number): Pair {
  const number = run * cases + index;
  return { securityId: 2 + number, symbol: `C${number}-USDT`, holder: FIRST_HOLDER + number };
}

/** The accounts with `runs` runs of each case. */
export const accountsOf = (cases: number, runs: number): number => FIRST_HOLDER - 1 + cases * runs;
