// The checks of the terms that v1 does not know (order-extras.ts). The edge has refused what no
// state would accept, with better words; checkForm refuses it once more.
import type { PlaceOrder } from '../command.ts';
import {
  isLimit,
  isStop,
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { Bracket, OrderExtras } from '../order-extras.ts';
import { inLots, inTicks, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Lots, lots, MAX_INTEGER } from '../units.ts';
import { checkPrice } from './price-band.ts';

/** One taker meets one iceberg at most this often. */
const MAX_ICEBERG_PARTS = 100;

/** Refuses terms that do not fit one another. */
export function checkForm(order: PlaceOrder, extras: OrderExtras): Reject | null {
  const { ordType, side, price, orderQty, quoteOrderQty } = order;
  const { displayQty, stopPx, triggerPriceDirection, bracket } = extras;
  const waits = isStop(ordType);
  const fault = (field: string): Reject => rejection('invalidTerms', field);
  if (!fitsTimeInForce(ordType, extras)) return fault('timeInForce');
  if ((extras.expireTime !== 0) !== (extras.timeInForce === TimeInForce.goodTillDate)) {
    return fault('expireTime');
  }
  if (order.postOnly && !(isLimit(ordType) && mayStay(extras))) return fault('execInst');
  if (displayQty !== 0 && !(ordType === OrdType.limit && mayStay(extras))) {
    return fault('displayQty');
  }
  if ((price !== 0) !== isLimit(ordType)) return fault('price');
  if ((orderQty === 0) === (quoteOrderQty === 0)) return fault('quoteOrderQty');
  if (quoteOrderQty !== 0 && isLimit(ordType)) return fault('quoteOrderQty');
  if (quoteOrderQty !== 0 && waits && side === Side.sell) return fault('quoteOrderQty');
  if ((stopPx !== 0) !== waits) return fault('stopPx');
  if ((triggerPriceDirection !== TriggerPriceDirection.none) !== waits) {
    return fault('triggerPriceDirection');
  }
  if (bracket === null) return null;
  if (orderQty === 0 || !isOcoOf(bracket, side)) return fault('bracket');
  return null;
}

/** Whether an order may stay in the book. */
export const mayStay = ({ timeInForce }: Pick<OrderExtras, 'timeInForce'>): boolean =>
  timeInForce === TimeInForce.goodTillCancel || timeInForce === TimeInForce.goodTillDate;

function fitsTimeInForce(ordType: OrdType, extras: OrderExtras): boolean {
  const { timeInForce } = extras;
  if (ordType === OrdType.market) return timeInForce !== TimeInForce.goodTillDate;
  return ordType !== OrdType.stop || mayStay(extras);
}

/** Whether the exits of an order of this side are an OCO pair: the profit is beyond the stop. */
const isOcoOf = ({ takeProfitPx, stopPx }: Bracket, side: Side): boolean =>
  takeProfitPx > 0 &&
  stopPx > 0 &&
  (side === Side.buy ? takeProfitPx > stopPx : takeProfitPx < stopPx);

export function checkTimeAndPrevention(
  state: State,
  instrument: Instrument,
  { expireTime, selfTradePrevention }: Pick<OrderExtras, 'expireTime' | 'selfTradePrevention'>,
): Reject | null {
  const allows = instrument.selfTradePrevention === SelfTradePrevention.none;
  if (selfTradePrevention === SelfTradePrevention.none && !allows) {
    return rejection('preventionRequired', 'selfTradePrevention');
  }
  return expireTime === 0 ? null : checkExpireTime(state, expireTime);
}

export const checkExpireTime = ({ time }: State, expireTime: number): Reject | null =>
  expireTime <= time ? rejection('expireTimePassed', 'expireTime') : null;

/** An iceberg shows at least the pair's minimum, and a hundredth of its quantity. */
export function checkDisplay(
  { securityId, minQuantity }: Instrument,
  orderQty: Lots,
  displayQty: Lots,
): Reject | null {
  if (displayQty === 0 || displayQty >= orderQty) return null;
  const share = lots(Math.ceil(orderQty / MAX_ICEBERG_PARTS));
  const least = share > minQuantity ? share : minQuantity;
  if (displayQty >= least) return null;
  const limit = inLots(securityId, least);
  const measures = { limit, value: inLots(securityId, displayQty), nearest: limit };
  return rejection('displayTooSmall', 'displayQty', 'displayQty', measures);
}

/** Exits that the band would refuse now are refused with their order. */
export function checkBracketBand(instrument: Instrument, { bracket }: OrderExtras): Reject | null {
  if (bracket === null) return null;
  const { takeProfitPx, stopLimitPx } = bracket;
  return (
    checkPrice(instrument, takeProfitPx, 'bracket.takeProfitPx') ??
    (stopLimitPx === 0 ? null : checkPrice(instrument, stopLimitPx, 'bracket.stopLimitPx'))
  );
}

type Trigger = Pick<OrderExtras, 'stopPx' | 'triggerPriceDirection'>;

/** Refuses a stop that the last price has reached already; one tick beyond it would wait. */
export function checkTrigger(instrument: Instrument, trigger: Trigger): Reject | null {
  if (!isReached(instrument, trigger)) return null;
  const { securityId, lastPrice } = instrument;
  const isUp = trigger.triggerPriceDirection === TriggerPriceDirection.up;
  const beyond = isUp ? lastPrice + 1 : lastPrice - 1;
  const measures = {
    limit: inTicks(securityId, lastPrice),
    value: inTicks(securityId, trigger.stopPx),
    nearest: beyond > 0 && beyond <= MAX_INTEGER ? inTicks(securityId, beyond) : null,
  };
  return rejection('wouldTrigger', 'stopPx', 'lastPrice', measures);
}

/** Without a last price nothing is reached. */
export function isReached(
  { lastPrice }: Instrument,
  { stopPx, triggerPriceDirection }: Trigger,
): boolean {
  if (stopPx === 0 || lastPrice === 0) return false;
  return triggerPriceDirection === TriggerPriceDirection.up
    ? lastPrice >= stopPx
    : lastPrice <= stopPx;
}
