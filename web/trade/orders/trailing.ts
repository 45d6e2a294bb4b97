// The trigger of a waiting stop. One that trails moves with the last price, between two reports of
// its order.
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { add, ceilTo, compare, type Decimal, multiply, subtract } from '../../exact/decimal.ts';

type Stop = Pick<Order, 'side' | 'stopPx'> &
  Partial<Pick<Order, 'trailingDelta' | 'trailingAmount' | 'triggerPx'>>;

export const trails = ({ trailingDelta, trailingAmount }: Omit<Stop, 'side' | 'stopPx'>): boolean =>
  trailingDelta != null || trailingAmount != null;

/** null: the order is no stop, or its trigger is not known yet. */
export function triggerPxOf(
  { side, stopPx, trailingDelta, trailingAmount, triggerPx }: Stop,
  last: Decimal | null,
  tick: Decimal | undefined,
): Decimal | null {
  if (triggerPx == null) return stopPx;
  if (last === null || tick === undefined) return triggerPx;
  const share = multiply(multiply(last, String(trailingDelta ?? 0)), '0.0001');
  const distance = trailingAmount ?? ceilTo(share, tick);
  const isBuy = side === Side.buy;
  const now = isBuy ? add(last, distance) : subtract(last, distance);
  return compare(now, triggerPx) > 0 === isBuy ? triggerPx : now;
}
