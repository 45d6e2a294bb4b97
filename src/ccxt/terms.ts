// The terms of ccxt's methods that many of them share, in their order.
import type { Dict, Int, Num, OrderSide, OrderType, Str } from 'ccxt';

export type OrderTerms = [
  symbol: string,
  type: OrderType,
  side: OrderSide,
  amount?: Num,
  price?: Num,
  params?: Dict,
];
export type EditTerms = [id: string, ...order: OrderTerms];

/** A list of all markets, or of one. */
export type ListTerms = [symbol?: Str, since?: Int, limit?: Int, params?: Dict];
export type PairListTerms = [symbol: string, since?: Int, limit?: Int, params?: Dict];
export type BookTerms = [symbol: string, limit?: Int, params?: Dict];
