// The measured venue: BTC-USDT on the sandbox's grid, and users with funds. One tick times one lot
// is one unit of USDT. Balances are so large that no order is rejected for lack of money.
import type { CancelOrder, Command, PlaceOrder, WriteSignature } from '../../src/core/command.ts';
import { InstrumentStatus, OrdType, SelfTradePrevention, Side } from '../../src/core/fix.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';

const BTC_USDT = 1;
const BTC = 0;
const USDT = 1;

/** 2026-01-01 00:00 UTC: the business time of the first command of what is generated. */
export const START = Date.UTC(2026, 0, 1);

/** 50,000.00, in ticks. */
const MIDDLE = 5_000_000;

/** 10,000 BTC and 10 million USDT: below 2^53 units, as nearly all real balances are. */
const FUNDS = [
  [BTC, 10 ** 12],
  [USDT, 10 ** 15],
] as const;

/**
 * Lists the instrument. Self-trade prevention is off, as in the books that agio is compared with.
 */
export const LISTING: readonly Command[] = [
  { type: 'createAsset', asset: 'BTC', scale: 8, fiat: false },
  { type: 'createAsset', asset: 'USDT', scale: 8, fiat: false },
  {
    type: 'createInstrument',
    symbol: 'BTC-USDT',
    baseAsset: 'BTC',
    quoteAsset: 'USDT',
    tick: { mantissa: 1, decimals: 2 },
    lot: { mantissa: 1, decimals: 6 },
    minQuantity: lots(1),
    minNotional: amount(1),
    makerFee: 0,
    takerFee: 0,
    selfTradePrevention: SelfTradePrevention.none,
    priceBand: 0,
    status: InstrumentStatus.LIVE,
  },
];

/** Creates the user that gets this uid, which must be the next. */
export function userCommands(uid: number, maxOpenOrders: number | null = null): Command[] {
  const commands: Command[] = [{ type: 'createUser', kyc: true }];
  for (const [assetId, money] of FUNDS) {
    const reference = `bench-${uid}-${assetId}`;
    const credit = { direction: 'credit', uid, assetId, amount: amount(money), reference } as const;
    commands.push({ type: 'transferFunds', ...credit });
  }
  if (maxOpenOrders !== null) {
    const unchanged = { kyc: null, suspended: null, makerFee: null, takerFee: null };
    commands.push({ type: 'amendUser', uid, ...unchanged, maxOpenOrders });
  }
  return commands;
}

/** Lists the instrument and creates this many users. */
export function* venueCommands(users: number, maxOpenOrders: number | null = null) {
  yield* LISTING;
  for (let uid = 1; uid <= users; uid++) yield* userCommands(uid, maxOpenOrders);
}

export interface OrderTerms {
  readonly uid: number;
  readonly side: Side;
  readonly quantity: number;
  /** In ticks; 0 for a market order. */
  readonly price: number;
  readonly clOrdId: string;
  readonly signature: WriteSignature | null;
}

/** The side and the price of an order of the load: both sides in turn, spread over `prices`. */
export function placeOf(number: number, prices: number, gap = 1): { side: Side; price: number } {
  const distance = gap + ((number * 7919) % prices);
  return number % 2 === 0
    ? { side: Side.buy, price: MIDDLE - distance }
    : { side: Side.sell, price: MIDDLE + distance };
}

export const orderCommand = (terms: OrderTerms): PlaceOrder => ({
  type: 'placeOrder',
  uid: terms.uid,
  signature: terms.signature,
  idempotency: null,
  securityId: BTC_USDT,
  side: terms.side,
  ordType: terms.price === 0 ? OrdType.market : OrdType.limit,
  price: ticks(terms.price),
  orderQty: lots(terms.quantity),
  quoteOrderQty: amount(0),
  postOnly: false,
  clOrdId: terms.clOrdId,
  strictClOrdId: false,
  extras: null,
});

/**
 * Named by the caller, so that ids are only given to orders and a stream's n-th order has the
 * orderId n.
 */
export const cancelCommand = (
  uid: number,
  orderId: number,
  signature: WriteSignature | null,
): CancelOrder => ({
  type: 'cancelOrder',
  uid,
  signature,
  idempotency: null,
  orderId,
  origClOrdId: '',
  clOrdId: 'cancel',
});
