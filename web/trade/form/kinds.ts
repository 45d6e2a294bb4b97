// The kinds of orders in the form, and the terms that each may have.
import {
  acceptsTime,
  isLimit,
  isStop,
  mayBeIceberg,
  mayBePostOnly,
  mayRest,
  triggersUp as triggersUpByDefault,
} from '../../../src/contract/trading/order-rules.ts';
import { OrdType, type Side } from '../../../src/sdk/index.ts';

/** Two have tabs; a menu has the rest. */
export const TABS = ['limit', 'market'] as const;
export const MORE_KINDS = [
  'stop',
  'stopLimit',
  'takeProfit',
  'takeProfitLimit',
  'trailingStop',
  'oco',
  'bracket',
] as const;
export type OrderKind = (typeof TABS)[number] | (typeof MORE_KINDS)[number];

/** FIX 59. */
export const TIMES_IN_FORCE = { GTC: 1, IOC: 3, FOK: 4, GTD: 6 } as const;
export type TimeInForce = keyof typeof TIMES_IN_FORCE;
const TIMES = Object.keys(TIMES_IN_FORCE) as readonly TimeInForce[];

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

/**
 * The order beside the exits of an OCO pair or a bracket rests in the book. A market order never
 * does, so its GTC is IOC.
 */
function kind(ordType: OrdType, hasExits = false): KindTerms {
  const { GTC } = TIMES_IN_FORCE;
  return {
    ordType,
    hasPrice: isLimit(ordType),
    hasTrigger: isStop(ordType) || hasExits,
    times: TIMES.filter((time) =>
      hasExits
        ? mayRest(TIMES_IN_FORCE[time])
        : acceptsTime(ordType, TIMES_IN_FORCE[time]) && (time !== 'IOC' || isLimit(ordType)),
    ),
    mayPostOnly: !hasExits && mayBePostOnly(ordType, GTC),
    mayHide: !hasExits && mayBeIceberg(ordType, GTC),
  };
}

export const KINDS: Readonly<Record<OrderKind, KindTerms>> = {
  limit: kind(OrdType.limit),
  market: kind(OrdType.market),
  stop: kind(OrdType.stop),
  stopLimit: kind(OrdType.stopLimit),
  takeProfit: kind(OrdType.stop),
  takeProfitLimit: kind(OrdType.stopLimit),
  trailingStop: kind(OrdType.stop),
  oco: kind(OrdType.limit, true),
  bracket: kind(OrdType.limit, true),
};

/** Waits for the price to move in the favor of the order. A trailing stop then begins to trail. */
export const waitsForProfit = (kind: OrderKind): boolean =>
  kind === 'takeProfit' || kind === 'takeProfitLimit' || kind === 'trailingStop';

/** The kind that waits on the other side of the market. */
export const OPPOSITE: Readonly<Partial<Record<OrderKind, OrderKind>>> = {
  stop: 'takeProfit',
  takeProfit: 'stop',
  stopLimit: 'takeProfitLimit',
  takeProfitLimit: 'stopLimit',
};

/** Waits for its trigger itself; the limit order of an OCO pair or a bracket does not. */
export const isStopKind = (kind: OrderKind): boolean =>
  KINDS[kind].hasTrigger && kind !== 'oco' && kind !== 'bracket';

/** True if the stop is triggered from below, at its price or above. */
export function triggersUp(kind: OrderKind, side: Side): boolean {
  // The stop of a bracket is of the other side than its entry.
  const buys = triggersUpByDefault(side) !== (kind === 'bracket');
  return buys !== waitsForProfit(kind);
}
