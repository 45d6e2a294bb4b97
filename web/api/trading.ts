// The private trading calls, in the name of whoever has logged in.
import type * as sdk from '../../src/sdk/answers.ts';
import type { Decimal } from '../exact/decimal.ts';
import { type CallOptions, client } from './clients.ts';
import { inTexts, type Texts } from './texts.ts';

/** FIX 4.2: 1 buy, 2 sell. */
export type Side = Texts<sdk.Side>;
/** FIX 4.2: 1 market, 2 limit. */
export type OrdType = Texts<sdk.OrdType>;
/** FIX 4.2: 0 new, 1 partially filled, 2 filled, 4 canceled, 6 pending cancel, 8 rejected. */
export type OrdStatus = Texts<sdk.OrdStatus>;
/** An order as getOrders reports it. */
export type Order = Texts<sdk.Order>;
export type OrderPage = Texts<sdk.OrderPage>;
export type Balance = Texts<sdk.Balance>;
export type Fees = Texts<sdk.Fees>;
/** One fill of an own order; the fee is in the asset that was received. */
export type Fill = Texts<sdk.Fill>;

/** `type`: OPEN what rests now, COMPLETED all of the window. `filter` is `<field>,<value>`. */
export interface OrderQuery {
  readonly type: 'OPEN' | 'COMPLETED';
  readonly symbol?: string;
  readonly filter?: string;
  readonly size?: number;
  /** Continues below this row: the next page. */
  readonly lastRowId?: string;
  readonly startDate?: number;
  readonly endDate?: number;
}

/** A new order. Decimals as text; exactly one of the quantities; `execInst` 6 is post-only. */
export interface NewOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly orderQty?: Decimal;
  readonly quoteOrderQty?: Decimal;
  readonly price?: Decimal;
  readonly execInst?: '6';
  readonly clOrdId?: string;
}

export function orders({ lastRowId, ...query }: OrderQuery, options?: CallOptions) {
  const below = lastRowId === undefined ? {} : { lastRowId: Number(lastRowId) };
  return inTexts(client.orders({ ...query, ...below }, options));
}

/** One order by its id; undefined for one that is not the account's. */
export async function orderOf(orderId: string, options?: CallOptions): Promise<Order | undefined> {
  const request = { type: 'SINGLE', orderId: Number(orderId) } as const;
  return (await inTexts(client.orders(request, options))).data[0];
}

/** The newest order that bears this clOrdId; null where none of the account does. */
export async function orderNamed(clOrdId: string, options?: CallOptions): Promise<Order | null> {
  const { data } = await inTexts(client.orders({ type: 'SINGLE', clOrdId }, options));
  return data[0] ?? null;
}

export interface FillQuery {
  readonly symbol?: string;
  readonly orderId?: string;
  readonly size: number;
  /** Continues below this fill: the next page. */
  readonly lastTradeId?: string;
}

/** Own fills, newest first. */
export function fills({ orderId, lastTradeId, ...query }: FillQuery, options?: CallOptions) {
  const of = orderId === undefined ? {} : { orderId: Number(orderId) };
  const below = lastTradeId === undefined ? {} : { lastTradeId: Number(lastTradeId) };
  return inTexts(client.fills({ ...query, ...of, ...below }, options));
}

export const balances = (options?: CallOptions) => inTexts(client.balances(options));

export const fees = (options?: CallOptions) => inTexts(client.fees(options));

export function createOrder(order: NewOrder, idempotencyKey: string) {
  const { side, ordType, execInst, ...rest } = order;
  const request = {
    ...rest,
    side: side === '1' ? 1 : 2,
    ordType: ordType === '1' ? 1 : 2,
    ...(execInst === undefined ? {} : { execInst: 6 as const }),
  } as const;
  return inTexts(client.createOrder(request, { idempotencyKey }));
}

export const cancelOrder = (orderId: string) => client.cancelOrder({ orderId: Number(orderId) });

/** Every open order of the pair, or of the account. */
export const cancelAll = (symbol?: string) =>
  client.massCancel(symbol === undefined ? {} : { symbol });
