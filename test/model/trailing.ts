// The model's trailing stops: each knows the best price since it began to trail.
import { ExecType, Side, TriggerPriceDirection } from '../../src/core/fix.ts';
import { LARGEST, larger, smaller } from './matching.ts';
import { report } from './report.ts';
import type { ModelMarket, ModelOrder, VenueState } from './state.ts';

/** The trigger of a stop that trails `best`; null: no price reaches it. */
function triggerAt(side: Side, best: bigint, trail: number): bigint | null {
  const by = BigInt(trail);
  const distance = trail < 0 ? -by : (best * by + 9_999n) / 10_000n;
  const trigger = side === Side.buy ? best + distance : best - distance;
  return trigger > 0n && trigger <= LARGEST ? trigger : null;
}

type Trailing = Pick<ModelOrder, 'market' | 'side' | 'stopPx' | 'trail'> & {
  readonly best?: bigint | null;
};

/** The trigger now, or as far as it is known before the stop trails; 0: none. */
export function triggerNow({ market, side, stopPx, trail, best = null }: Trailing): bigint {
  if (trail === 0) return stopPx;
  const from = best ?? (stopPx > 0n ? stopPx : market.lastPrice);
  if (from === null) return 0n;
  return triggerAt(side, from, trail) ?? (side === Side.buy ? LARGEST : 0n);
}

/** The form of reports. */
export function shownTrigger({ side, trail, best, triggerPx }: ModelOrder): bigint {
  return best === null || triggerPx > 0n ? triggerPx : (triggerAt(side, best, trail) ?? 0n);
}

/** True if a distance in ticks is above half of the price. */
export const isTooFar = (trail: number, from: bigint | null): boolean =>
  from !== null && trail < 0 && BigInt(-trail) * 2n > from;

export const trails = ({ best, place }: ModelOrder): boolean =>
  place === 'waiting' && best !== null;

export function beginToTrail(venue: VenueState, order: ModelOrder): void {
  order.best = order.market.lastPrice!;
  order.trailingTime = venue.time;
}

const directionOf = (side: Side): TriggerPriceDirection =>
  side === Side.buy ? TriggerPriceDirection.up : TriggerPriceDirection.down;

/** Trailing stops: the one with the best price first, then the smallest distance. */
function trailingOf(market: ModelMarket, direction: TriggerPriceDirection): ModelOrder[] {
  const sign = direction === TriggerPriceDirection.up ? 1 : -1;
  const rank = ({ trail }: ModelOrder): number => (trail > 0 ? 0 : 1);
  return market.stops
    .filter((stop) => stop.best !== null && directionOf(stop.side) === direction)
    .sort(
      (a, b) =>
        sign * Number(a.best! - b.best!) ||
        rank(a) - rank(b) ||
        Math.abs(a.trail) - Math.abs(b.trail) ||
        a.priority - b.priority,
    );
}

/** Stops that have not begun to trail, the nearest first. */
const beginningOf = (market: ModelMarket, direction: TriggerPriceDirection): ModelOrder[] =>
  nearestFirst(
    market.stops.filter(({ trail, best }) => trail !== 0 && best === null),
    direction,
  );

/** Stops of a direction: those that a moving price reaches first, then by priority. */
function nearestFirst(
  stops: readonly ModelOrder[],
  direction: TriggerPriceDirection,
): ModelOrder[] {
  const sign = direction === TriggerPriceDirection.up ? 1 : -1;
  return stops
    .filter((stop) => stop.direction === direction)
    .sort((a, b) => sign * Number(a.stopPx - b.stopPx) || a.priority - b.priority);
}

/** Trailing stops that the last price triggers. */
function reachedTrailing(market: ModelMarket, direction: TriggerPriceDirection): ModelOrder[] {
  const price = market.lastPrice!;
  const isUp = direction === TriggerPriceDirection.up;
  return trailingOf(market, direction)
    .map((stop) => ({ stop, trigger: triggerAt(stop.side, stop.best!, stop.trail) }))
    .filter(({ trigger }) => trigger !== null && (isUp ? price >= trigger : price <= trigger))
    .map(({ stop, trigger }) => {
      stop.triggerPx = trigger!;
      return stop;
    });
}

/**
 * Stops that the last price reaches: the nearest trigger first; at the same one, those that do not
 * trail, then the others in the order of trailingOf, with new numbers.
 */
export function reachedIn(
  venue: VenueState,
  market: ModelMarket,
  direction: TriggerPriceDirection,
): ModelOrder[] {
  const price = market.lastPrice!;
  const isUp = direction === TriggerPriceDirection.up;
  const plain = market.stops.filter(({ trail }) => trail === 0);
  const isReached = ({ stopPx }: ModelOrder) => (isUp ? stopPx <= price : stopPx >= price);
  const trigger = ({ trail, stopPx, triggerPx }: ModelOrder) => (trail === 0 ? stopPx : triggerPx);
  const trailing = reachedTrailing(market, direction);
  venue.meet(`trailing: triggered ${isUp ? 'upward' : 'downward'}`, trailing.length > 0);
  const reached = [...nearestFirst(plain, direction).filter(isReached), ...trailing].sort(
    (a, b) => (isUp ? 1 : -1) * Number(trigger(a) - trigger(b)),
  );
  for (const stop of reached) if (stop.trail !== 0) stop.priority = venue.nextOrderId++;
  return reached;
}

/** After a trade: triggers follow the best price, and some stops begin to trail. */
export function followPrice(venue: VenueState, market: ModelMarket): void {
  const price = market.lastPrice!;
  for (const stop of market.stops) {
    if (stop.best === null) continue;
    const best = stop.side === Side.buy ? smaller(stop.best, price) : larger(stop.best, price);
    venue.meet('trailing: the trigger moves', best !== stop.best);
    stop.best = best;
  }
  const { up, down } = TriggerPriceDirection;
  for (const direction of [up, down]) {
    const isReached = ({ stopPx }: ModelOrder): boolean =>
      direction === up ? price >= stopPx : price <= stopPx;
    for (const stop of beginningOf(market, direction).filter(isReached)) {
      stop.priority = venue.nextOrderId++;
      beginToTrail(venue, stop);
      venue.meet('trailing: it begins at its stopPx');
      report(venue, stop, ExecType.triggered);
    }
  }
}
