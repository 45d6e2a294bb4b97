// The trigger of a waiting stop. One that trails moves with the last price, between two reports of
// its order. A stop of the order form is not placed yet.
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import {
  add,
  ceilTo,
  compare,
  type Decimal,
  isPositive,
  multiply,
  subtract,
} from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { assetsOf } from '../pair.ts';

type Trail = Partial<Pick<Order, 'trailingDelta' | 'trailingAmount'>>;
type Stop = Pick<Order, 'side'> & Partial<Pick<Order, 'stopPx' | 'triggerPx'>> & Trail;

export const trails = ({ trailingDelta, trailingAmount }: Trail): boolean =>
  trailingDelta != null || trailingAmount != null;

/** null: the order is no stop, or its trigger is not known yet. */
export function triggerPxOf(
  stop: Stop,
  last: Decimal | null,
  tick: Decimal | undefined,
): Decimal | null {
  const { side, stopPx = null, triggerPx } = stop;
  if (triggerPx == null) return stopPx;
  if (last === null || tick === undefined) return triggerPx;
  const now = triggerFrom(stop, last, tick);
  return compare(now, triggerPx) > 0 === (side === Side.buy) ? triggerPx : now;
}

function triggerFrom(
  { side, trailingDelta, trailingAmount }: Stop,
  best: Decimal,
  tick: Decimal,
): Decimal {
  const share = multiply(multiply(best, String(trailingDelta ?? 0)), '0.0001');
  const distance = trailingAmount ?? ceilTo(share, tick);
  return side === Side.buy ? add(best, distance) : subtract(best, distance);
}

/** The trigger of a stop when it begins to trail, or of one that does not trail; null: unknown. */
export function firstTrigger(stop: Stop, last: Decimal | null, tick: Decimal): Decimal | null {
  if (!trails(stop)) return stop.stopPx ?? null;
  const from = stop.stopPx ?? last;
  const trigger = from === null ? null : triggerFrom(stop, from, tick);
  return trigger !== null && isPositive(trigger) ? trigger : null;
}

/** 1.5%; 500 USDT. */
export const distanceText = ({ trailingDelta, trailingAmount }: Trail, symbol: string): string =>
  trailingDelta == null
    ? `${grouped(trailingAmount!)} ${assetsOf(symbol)[1]}`
    : `${grouped(multiply(String(trailingDelta), '0.01'))}%`;
