// Orders of every type for the callers of a simulation, over both versions of the calls. Prices lie
// around one middle, so that trades reach the stops, and orders expire within hours, so that some
// do while no node runs.
import type { Results } from '../../src/core/outcome.ts';
import { OCO, ORDER, ORDER_V2, ORDERS_V2 } from '../support/node.ts';
import type { Prng } from '../support/prng.ts';

export interface OrderCall {
  readonly what: 'placeOrder' | 'placeOco' | 'orderBatch';
  readonly path: string;
  readonly body: object;
}

/** The id of a batch: that of the first order that it placed, changed or canceled; 0 for none. */
export const batchId = (entries: readonly { readonly orderId?: number }[]): number =>
  entries.find(({ orderId }) => orderId !== undefined)?.orderId ?? 0;

/** The same of its result in the core. */
export const batchIdOf = ({ outcomes }: Results['orderBatch']): number =>
  batchId(outcomes.map((outcome) => (outcome.ok ? outcome.result : {})));

/** The ids that a wish that was done has in the journal. A batch of rejections has done nothing. */
export const idsOf = ({ what, id }: { readonly what: string; readonly id: number | null }) =>
  what === 'orderBatch' && id === 0 ? [] : [id!];

const MIDDLE = 50_000;
const HOUR_MS = 3_600_000;

/** Mostly one order, under this clOrdId; a batch has no name but its Idempotency-Key. */
export function orderCall(random: Prng, clOrdId: string): OrderCall {
  const symbol = 'BTC-USDT';
  return random.weighted<() => OrderCall>([
    [8, () => ({ what: 'placeOrder', path: ORDER, body: { symbol, clOrdId, ...plain(random) } })],
    [
      8,
      () => ({ what: 'placeOrder', path: ORDER_V2, body: { symbol, clOrdId, ...typed(random) } }),
    ],
    [2, () => ({ what: 'placeOco', path: OCO, body: { symbol, clOrdId, ...pair(random) } })],
    [2, () => ({ what: 'orderBatch', path: ORDERS_V2, body: { orders: entries(random) } })],
  ])();
}

/** Another quantity or another price of an own order. */
export function amendment(random: Prng, name: object): object {
  const price = random.oneIn(2) ? { price: String(MIDDLE + random.between(-40, 40)) } : {};
  return { symbol: 'BTC-USDT', ...name, orderQty: quantity(random), ...price };
}

const quantity = (random: Prng): string => String(random.between(1, 2000) / 1_000_000);
const sideOf = (random: Prng): 1 | 2 => random.pick([1, 2] as const);

/** Mostly a limit order near the middle; sometimes a market order, or more than anybody has. */
function plain(random: Prng): object {
  const side = sideOf(random);
  const orderQty = random.oneIn(12) ? '1000' : quantity(random);
  const kind = random.below(12);
  if (kind === 0) return { side, ordType: 1, orderQty };
  if (kind === 1) return { side: 1, ordType: 1, quoteOrderQty: String(random.between(1, 500)) };
  return { side, ordType: 2, price: priceOf(random, side), orderQty };
}

const priceOf = (random: Prng, side: number): string => {
  const away = random.between(-20, 60);
  return String(side === 1 ? MIDDLE - away : MIDDLE + away);
};

/** Sometimes a time that has passed. */
const expireTime = (random: Prng): number => Date.now() + random.between(-500, HOUR_MS);

function typed(random: Prng): object {
  const side = sideOf(random);
  const limit = { side, ordType: 2, price: priceOf(random, side), orderQty: quantity(random) };
  const stopPx = String(MIDDLE + random.between(-25, 25));
  const stop = { side, ordType: 3, stopPx, orderQty: quantity(random) };
  const direction = { triggerPriceDirection: random.pick(['U', 'D']) };
  const isBuy = side === 1;
  const [near, far] = [String(MIDDLE - 30), String(MIDDLE + 30)];
  const bracket = isBuy ? { takeProfitPx: far, stopPx: near } : { takeProfitPx: near, stopPx: far };
  return random.pick<object>([
    { ...limit, timeInForce: random.pick([3, 4]) },
    { ...limit, timeInForce: 6, expireTime: expireTime(random) },
    { ...limit, orderQty: '0.002', displayQty: '0.0005' },
    { ...limit, bracket },
    { ...stop, ...direction },
    { ...stop, ...direction, ordType: 4, price: priceOf(random, side) },
    { ...stop, timeInForce: 6, expireTime: expireTime(random) },
    { side: 2, ordType: 1, quoteOrderQty: String(random.between(1, 100)) },
  ]);
}

function pair(random: Prng): object {
  const side = sideOf(random);
  const sign = side === 1 ? -1 : 1;
  const price = String(MIDDLE + sign * random.between(1, 30));
  const stopPx = String(MIDDLE - sign * random.between(0, 25));
  return { side, orderQty: quantity(random), price, stopPx };
}

function entries(random: Prng): object[] {
  const symbol = 'BTC-USDT';
  return Array.from({ length: random.between(1, 6) }, () =>
    random.weighted<object>([
      [6, { op: 'place', symbol, ...typed(random) }],
      [2, { op: 'oco', symbol, ...pair(random) }],
      [1, { op: 'cancel', orderId: random.between(1, 300) }],
      [1, { op: 'amend', ...amendment(random, { orderId: random.between(1, 300) }) }],
    ]),
  );
}
