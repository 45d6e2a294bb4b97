// The terms of trailing stops: the price from which one trails, its trigger, and the checks of its
// distance. trailing-stops.ts keeps those that trail.
import { type Side, TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { OrderDetails } from '../matching/order-details.ts';
import type { OrderExtras } from '../order-extras.ts';
import { maxTrailingAmount, trailingTrigger, triggersUp } from '../order-rules.ts';
import { inTicks, measures, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { MAX_INTEGER, type Ticks, ticks } from '../units.ts';

/** The direction of a stop that names none, and of every one that trails. */
export const directionOf = (side: Side): TriggerPriceDirection =>
  triggersUp(side) ? TriggerPriceDirection.up : TriggerPriceDirection.down;

type TrailTerms = Pick<OrderExtras, 'stopPx' | 'trail'>;

/** The trigger of a stop on entry, as far as it is known: a trailing one may begin elsewhere. */
export function firstTrigger(
  { lastPrice }: Pick<Instrument, 'lastPrice'>,
  side: Side,
  { stopPx, trail }: TrailTerms,
): Ticks {
  if (trail === 0) return stopPx;
  const from = stopPx === 0 ? lastPrice : stopPx;
  if (from === 0) return from;
  return ticks(Math.min(trailingTrigger(from, trail, triggersUp(side)), MAX_INTEGER));
}

/** The present trigger of a waiting stop. */
export function triggerNow({ orders }: State, { triggers, lastPrice }: Instrument, slot: number) {
  const side = orders.side(slot);
  if (!triggers.isTrailing(slot)) return firstTrigger({ lastPrice }, side, orders.extras(slot));
  const trigger = triggers.trailingOf(side).triggerOf(slot);
  return trigger === 0 && triggersUp(side) ? ticks(MAX_INTEGER) : trigger;
}

/** The price and direction that triggered, or trigger, a stop that does not trail now. */
export function triggerOf(
  { extras, triggerPx }: OrderDetails,
  side: Side,
): { stopPx: Ticks; direction: TriggerPriceDirection } {
  return triggerPx === 0
    ? { stopPx: extras.stopPx, direction: extras.triggerPriceDirection }
    : { stopPx: triggerPx, direction: directionOf(side) };
}

/** Rejects a trailing stop without a price to trail from, and one that is too far from it. */
export function checkTrail(
  { securityId, lastPrice }: Instrument,
  terms: TrailTerms,
): Reject | null {
  if (terms.trail === 0) return null;
  const from = terms.stopPx === 0 ? lastPrice : terms.stopPx;
  if (from === 0) return rejection('noLastPrice', 'stopPx', 'lastPrice');
  return checkDistance(securityId, terms.trail, from, 'trailingAmount');
}

/** Rejects a distance in ticks that is above half of the price from which the stop trails. */
export function checkDistance(
  securityId: number,
  trail: number,
  from: Ticks,
  field: string,
): Reject | null {
  const most = maxTrailingAmount(from);
  if (-trail <= most) return null;
  const bounds = { limit: most, value: -trail, nearest: most === 0 ? null : most };
  return rejection(
    'trailingTooFar',
    field,
    'trailingAmount',
    measures(inTicks, securityId, bounds),
  );
}
