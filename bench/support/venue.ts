// The measured venue: BTC-USDT of the tests' venue, and users with funds. Balances are so large
// that no order is rejected for lack of money.
import type { CancelOrder, Command, PlaceOrder, WriteSignature } from '../../src/core/command.ts';
import { OrdType, Side } from '../../src/core/fix.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { BTC, BTC_USDT, BTC_USDT_TERMS, USDT } from '../../test/support/venue.ts';

/** 50,000.00, in ticks. */
const MIDDLE = 5_000_000;

/** 10,000 BTC and 10 million USDT: below 2^53 units, as nearly all real balances are. */
const FUNDS = [
  [BTC, 10 ** 12],
  [USDT, 10 ** 15],
] as const;

/** Self-trade prevention is off, as in the books that agio is compared with. */
export const LISTING: readonly Command[] = [
  { type: 'createAsset', asset: 'BTC', scale: 8, fiat: false },
  { type: 'createAsset', asset: 'USDT', scale: 8, fiat: false },
  BTC_USDT_TERMS,
];

export const credit = (uid: number, assetId: number, money: number): Command => ({
  ...{ type: 'transferFunds', direction: 'credit', uid, assetId, amount: amount(money) },
  reference: `bench-${uid}-${assetId}`,
});

/** Creates the user that gets this uid, which must be the next. */
export function userCommands(uid: number, maxOpenOrders: number | null = null): Command[] {
  const funds = FUNDS.map(([assetId, money]) => credit(uid, assetId, money));
  const unchanged = { kyc: null, suspended: null, makerFee: null, takerFee: null };
  const amend: Command = { type: 'amendUser', uid, ...unchanged, maxOpenOrders };
  return [{ type: 'createUser', kyc: true }, ...funds, ...(maxOpenOrders === null ? [] : [amend])];
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
  readonly clOrdId?: string;
  readonly signature?: WriteSignature | null;
}

/** The side and the price of an order of the load: both sides in turn, spread over `prices`. */
export function placeOf(number: number, prices: number, gap = 1): { side: Side; price: number } {
  const distance = gap + ((number * 7919) % prices);
  return number % 2 === 0
    ? { side: Side.buy, price: MIDDLE - distance }
    : { side: Side.sell, price: MIDDLE + distance };
}

/** Written field by field: its cost is in the figures of the core. */
export const orderCommand = (terms: OrderTerms): PlaceOrder => ({
  type: 'placeOrder',
  uid: terms.uid,
  signature: terms.signature ?? null,
  idempotency: null,
  securityId: BTC_USDT,
  side: terms.side,
  ordType: terms.price === 0 ? OrdType.market : OrdType.limit,
  price: ticks(terms.price),
  orderQty: lots(terms.quantity),
  quoteOrderQty: amount(0),
  postOnly: false,
  clOrdId: terms.clOrdId ?? '',
  strictClOrdId: false,
  extras: null,
});

/** Orders alone get ids, so the n-th order of a stream has the orderId n: a cancel names itself. */
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

/** Like a real signature: unique to its key, with the time of its request. */
export const signatureOf = (keyId: number, number: number, timestamp: number): WriteSignature => ({
  keyId,
  timestamp,
  digestHigh: Math.imul(number + 1, 0x9e3779b1) >>> 0,
  digestLow: Math.imul(number + 1, 0x85ebca6b) >>> 0,
});
