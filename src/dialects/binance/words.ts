// Binance's words for agio's codes: types, sides, times in force, statuses, self-trade prevention.
import type { ExecutionReport } from '../../core/event.ts';
import {
  CloseReason,
  ExecType,
  InstrumentStatus,
  OrdStatus,
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { NONE } from '../../core/matching/order-store.ts';
import { triggersUp } from '../../core/order-rules.ts';
import type { State } from '../../core/state.ts';

const namesOf = <T extends object>(words: T) => Object.keys(words) as (keyof T & string)[];

/** A type of Binance as agio's terms; `stop` is in the direction of a loss, or of a profit. */
interface TypeTerms {
  readonly ordType: OrdType;
  readonly postOnly?: true;
  readonly stop?: 'loss' | 'profit';
}

export const TYPES = {
  LIMIT: { ordType: OrdType.limit },
  LIMIT_MAKER: { ordType: OrdType.limit, postOnly: true },
  MARKET: { ordType: OrdType.market },
  STOP_LOSS: { ordType: OrdType.stop, stop: 'loss' },
  STOP_LOSS_LIMIT: { ordType: OrdType.stopLimit, stop: 'loss' },
  TAKE_PROFIT: { ordType: OrdType.stop, stop: 'profit' },
  TAKE_PROFIT_LIMIT: { ordType: OrdType.stopLimit, stop: 'profit' },
} as const satisfies Readonly<Record<string, TypeTerms>>;
export type TypeName = keyof typeof TYPES;
export const TYPE_NAMES = namesOf(TYPES);

export const SIDES = { BUY: Side.buy, SELL: Side.sell } as const;
export const SIDE_NAMES = namesOf(SIDES);
export const sideName = (side: Side) => (side === Side.buy ? 'BUY' : 'SELL');

export const TIMES = {
  GTC: TimeInForce.goodTillCancel,
  IOC: TimeInForce.immediateOrCancel,
  FOK: TimeInForce.fillOrKill,
} as const;
export const TIME_NAMES = namesOf(TIMES);
const timeNames = new Map<TimeInForce, string>(TIME_NAMES.map((name) => [TIMES[name], name]));
export const timeName = (timeInForce: TimeInForce): string => timeNames.get(timeInForce) ?? 'GTD';

/** agio's words for Binance's modes. */
export const PREVENTIONS = {
  NONE: 'none',
  EXPIRE_TAKER: 'cancelNewest',
  EXPIRE_MAKER: 'cancelOldest',
  EXPIRE_BOTH: 'cancelBoth',
} as const satisfies Readonly<Record<string, keyof typeof SelfTradePrevention>>;
export type PreventionName = keyof typeof PREVENTIONS;
export const PREVENTION_NAMES = namesOf(PREVENTIONS);

const preventionNames = new Map<SelfTradePrevention, PreventionName>(
  PREVENTION_NAMES.map((name) => [SelfTradePrevention[PREVENTIONS[name]], name]),
);
export const preventionName = (mode: SelfTradePrevention): PreventionName =>
  preventionNames.get(mode)!;

/** The mode of an order; of a closed one, that of its pair. */
export function preventionOf({ orders }: State, instrument: Instrument, orderId: number) {
  const slot = orders.find(orderId);
  const own = slot === NONE ? null : orders.extras(slot).selfTradePrevention;
  return preventionName(own ?? instrument.selfTradePrevention);
}

/** The limit order of a pair has to rest, so it is a LIMIT_MAKER. */
export function typeName(order: ExecutionReport): TypeName {
  const { ordType, postOnly, side, extras, ocoOrderId } = order;
  if (ordType === OrdType.market) return 'MARKET';
  if (ordType === OrdType.limit) return postOnly || ocoOrderId !== 0 ? 'LIMIT_MAKER' : 'LIMIT';
  const isLoss = (extras.triggerPriceDirection === TriggerPriceDirection.up) === triggersUp(side);
  const name = isLoss ? 'STOP_LOSS' : 'TAKE_PROFIT';
  return ordType === OrdType.stop ? name : `${name}_LIMIT`;
}

const STATUSES: Readonly<Record<OrdStatus, string>> = {
  0: 'NEW',
  1: 'PARTIALLY_FILLED',
  2: 'FILLED',
  4: 'CANCELED',
  6: 'PENDING_CANCEL',
  8: 'REJECTED',
};

/** Ends that nobody asked for are expiries. */
const EXPIRED: ReadonlySet<CloseReason> = new Set([
  CloseReason.noLiquidity,
  CloseReason.priceBand,
  CloseReason.insufficientBalance,
  CloseReason.immediateOrCancel,
  CloseReason.fillOrKill,
  CloseReason.expired,
]);

export function statusName({ ordStatus, reason }: ExecutionReport): string {
  if (ordStatus !== OrdStatus.canceled) return STATUSES[ordStatus];
  if (reason === CloseReason.selfTrade) return 'EXPIRED_IN_MATCH';
  return EXPIRED.has(reason) ? 'EXPIRED' : 'CANCELED';
}

const EXECUTIONS: Partial<Record<ExecType, string>> = {
  [ExecType.partialFill]: 'TRADE',
  [ExecType.fill]: 'TRADE',
  [ExecType.replaced]: 'REPLACED',
  [ExecType.rejected]: 'REJECTED',
};

/** The `x` of an executionReport. */
export function executionName(report: ExecutionReport): string {
  const { execType } = report;
  if (execType !== ExecType.canceled) return EXECUTIONS[execType] ?? 'NEW';
  return statusName(report) === 'CANCELED' ? 'CANCELED' : 'EXPIRED';
}

export const isOpen = ({ ordStatus }: Pick<ExecutionReport, 'ordStatus'>): boolean =>
  ordStatus === OrdStatus.new || ordStatus === OrdStatus.partiallyFilled;

/** The status of a pair. */
export const statusOf = (status: InstrumentStatus): string =>
  status === InstrumentStatus.LIVE || status === InstrumentStatus.POST_ONLY ? 'TRADING' : 'HALT';
