// The private trading calls, in the name of whoever has logged in.
import type { Decimal } from '../exact/decimal.ts';
import { call } from './transport.ts';

const PRIVATE = '/spot-api/api/private/v1';

/** FIX 4.2: 1 buy, 2 sell. */
export type Side = '1' | '2';
/** FIX 4.2: 1 market, 2 limit. */
export type OrdType = '1' | '2';
/** FIX 4.2: 0 new, 1 partially filled, 2 filled, 4 canceled, 6 pending cancel, 8 rejected. */
export type OrdStatus = '0' | '1' | '2' | '4' | '6' | '8';

/** An order as getOrders reports it. */
export interface Order {
  readonly rowId: string;
  readonly orderId: string;
  readonly clOrdId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly ordStatus: OrdStatus;
  readonly orderQty: Decimal | null;
  readonly quoteOrderQty: Decimal | null;
  readonly price: Decimal | null;
  readonly cumQty: Decimal;
  readonly leavesQty: Decimal;
  readonly avgPx: Decimal;
  readonly transactTime: string;
  /** Why it was rejected, or left the book unfilled. */
  readonly ordRejText?: string;
  readonly ordCxlText?: string;
  /** 6: post-only. */
  readonly execInst?: string;
}

export interface OrderPage {
  readonly data: readonly Order[];
  readonly pagination: { readonly size: string; readonly lastRowId: string | null };
}

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

export interface Balance {
  readonly asset: string;
  readonly available: Decimal;
  readonly held: Decimal;
  readonly earn: Decimal;
  readonly redeeming: Decimal;
  readonly booster: Decimal;
  readonly total: Decimal;
}

export interface Fees {
  readonly symbol: string;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/** One fill of an own order; the fee is in the asset that was received. */
export interface Fill {
  readonly tradeId: string;
  readonly orderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly quoteAmount: Decimal;
  readonly fee: Decimal;
  readonly feeAsset: string;
  readonly maker: boolean;
  readonly transactTime: string;
}

type Signal = AbortSignal | undefined;

export const orders = (query: OrderQuery, signal?: Signal) =>
  call<OrderPage>('GET', `${PRIVATE}/orders`, { query: { ...query }, signal });

/** One order by its id; undefined for one that is not the account's. */
export const orderOf = (orderId: string, signal?: Signal) =>
  call<OrderPage>('GET', `${PRIVATE}/orders`, { query: { type: 'SINGLE', orderId }, signal }).then(
    ({ data }) => data[0],
  );

export interface FillQuery {
  readonly symbol?: string;
  readonly size: number;
  /** Continues below this fill: the next page. */
  readonly lastTradeId?: string;
}

/** Own fills, newest first. */
export const fills = (query: FillQuery, signal?: Signal) =>
  call<readonly Fill[]>('GET', `${PRIVATE}/trades`, { query: { ...query }, signal });

export const balances = (signal?: Signal) =>
  call<readonly Balance[]>('GET', `${PRIVATE}/balances`, { signal });

export const fees = (signal?: Signal) =>
  call<readonly Fees[]>('GET', `${PRIVATE}/fees`, { signal });

export const createOrder = (order: NewOrder, idempotencyKey: string) =>
  call<{ readonly orderId: string; readonly clOrdId: string }>('POST', `${PRIVATE}/order`, {
    body: order,
    idempotencyKey,
  });

export const cancelOrder = (orderId: string) =>
  call<object>('POST', `${PRIVATE}/order/cancel`, { body: { orderId: Number(orderId) } });

/** Every open order of the pair, or of the account. */
export const cancelAll = (symbol?: string) =>
  call<object>('POST', `${PRIVATE}/order/masscancel`, {
    body: symbol === undefined ? {} : { symbol },
  });
