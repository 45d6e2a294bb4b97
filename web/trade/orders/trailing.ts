// The trigger of a stop. One that trails moves without reports of its order; a stop of the order
// form is not placed yet.
import { type Order, Side } from '../../../src/sdk/index.ts';
import { add, ceilTo, type Decimal, isPositive, multiply, subtract } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import type { Triggers } from '../../live/channels.ts';
import { assetsOf } from '../pair.ts';

type Trail = Partial<Pick<Order, 'trailingDelta' | 'trailingAmount'>>;
type Stop = Pick<Order, 'side'> & Partial<Pick<Order, 'stopPx'>> & Trail;

export const trails = ({ trailingDelta, trailingAmount }: Trail): boolean =>
  trailingDelta != null || trailingAmount != null;

/** The trigger of a stop, the present one if it trails; null: it is no stop, or has none yet. */
export function triggerPxOf(order: Order, present: Triggers | undefined): Decimal | null {
  const { orderId, stopPx = null, triggerPx, workingIndicator } = order;
  if (triggerPx == null) return stopPx;
  return (workingIndicator ? null : present?.get(orderId)) ?? triggerPx;
}

/** The order with its present trigger, if it trails. */
export const withTrigger = (order: Order, present: Triggers | undefined): Order => ({
  ...order,
  triggerPx: present?.get(order.orderId) ?? order.triggerPx,
});

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
