// The kinds of orders in the form, and the terms that each may have.
import { OrdType, Side } from '../../../src/sdk/generated/codes.ts';

/** Two have tabs; a menu has the rest. */
export const TABS = ['limit', 'market'] as const;
export const MORE_KINDS = [
  'stop',
  'stopLimit',
  'takeProfit',
  'takeProfitLimit',
  'oco',
  'bracket',
] as const;
export type OrderKind = (typeof TABS)[number] | (typeof MORE_KINDS)[number];

/** FIX 59. */
export const TIMES_IN_FORCE = { GTC: 1, IOC: 3, FOK: 4, GTD: 6 } as const;
export type TimeInForce = keyof typeof TIMES_IN_FORCE;

interface KindTerms {
  readonly ordType: OrdType;
  /** Has a limit price of its own. */
  readonly hasPrice: boolean;
  /** Waits for the last price, or places an order that does. */
  readonly hasTrigger: boolean;
  readonly times: readonly TimeInForce[];
  readonly mayPostOnly: boolean;
  readonly mayHide: boolean;
}

const ANY_TIME = ['GTC', 'IOC', 'FOK', 'GTD'] as const;
const RESTING = ['GTC', 'GTD'] as const;
const stopMarket = { ordType: OrdType.stop, hasPrice: false, hasTrigger: true, times: RESTING };
const stopLimit = { ordType: OrdType.stopLimit, hasPrice: true, hasTrigger: true, times: ANY_TIME };
const limit = { ordType: OrdType.limit, hasPrice: true, hasTrigger: true, times: RESTING };
const PLAIN = { mayPostOnly: false, mayHide: false };

export const KINDS: Readonly<Record<OrderKind, KindTerms>> = {
  limit: { ...limit, hasTrigger: false, times: ANY_TIME, mayPostOnly: true, mayHide: true },
  market: {
    ...{ ordType: OrdType.market, hasPrice: false, hasTrigger: false, times: ['GTC', 'FOK'] },
    ...PLAIN,
  },
  stop: { ...stopMarket, ...PLAIN },
  stopLimit: { ...stopLimit, mayPostOnly: true, mayHide: false },
  takeProfit: { ...stopMarket, ...PLAIN },
  takeProfitLimit: { ...stopLimit, mayPostOnly: true, mayHide: false },
  oco: { ...limit, ...PLAIN },
  bracket: { ...limit, ...PLAIN },
};

export const isTakeProfit = (kind: OrderKind): boolean =>
  kind === 'takeProfit' || kind === 'takeProfitLimit';

/** Waits for its trigger itself; the limit order of an OCO pair or a bracket does not. */
export const isStopKind = (kind: OrderKind): boolean =>
  KINDS[kind].hasTrigger && kind !== 'oco' && kind !== 'bracket';

/** Whether the stop is triggered from below, at its price or above. */
export function triggersUp(kind: OrderKind, side: Side): boolean {
  // The stop of a bracket is of the other side than its entry.
  const buys = (side === Side.buy) !== (kind === 'bracket');
  return buys !== isTakeProfit(kind);
}
