// Short ways to send orders of every type to a test venue, and what a test reads of its reports.
import type { AmendOrder, PlaceOco, PlaceOrder } from '../../src/core/command.ts';
import type { ExecutionReport } from '../../src/core/event.ts';
import { OrdType, Side, TimeInForce, TriggerPriceDirection } from '../../src/core/fix.ts';
import { NO_EXTRAS, type OrderExtras } from '../../src/core/order-extras.ts';
import { lots, ticks } from '../../src/core/units.ts';
import { BTC_USDT, type OrderTerms, placeOrder, type Venue } from './venue.ts';

/** An order with these extras; the others are those of a plain order. */
const withExtras = (terms: OrderTerms, extras: Partial<OrderExtras>): PlaceOrder =>
  placeOrder({ ...terms, extras: { ...NO_EXTRAS, ...extras } });

/** A limit order with these extras, at plain numbers. */
export const limitWith = (
  [uid, side, price, orderQty]: readonly [number, Side, number, number],
  extras: Partial<OrderExtras>,
): PlaceOrder => withExtras({ uid, side, price: ticks(price), orderQty: lots(orderQty) }, extras);

/** A stop loss of a quantity: a buy above the last price, a sell below it. */
export function stopOf(
  [uid, side, stopPx, orderQty]: readonly [number, Side, number, number],
  more: Partial<PlaceOrder> = {},
  extras: Partial<OrderExtras> = {},
): PlaceOrder {
  const { up, down } = TriggerPriceDirection;
  const ordType = more.price === undefined ? OrdType.stop : OrdType.stopLimit;
  return withExtras(
    { uid, side, ordType, orderQty: lots(orderQty), ...more },
    {
      stopPx: ticks(stopPx),
      triggerPriceDirection: side === Side.buy ? up : down,
      ...extras,
    },
  );
}

export const amendOf = (uid: number, orderId: number, more: Partial<AmendOrder>): AmendOrder => ({
  type: 'amendOrder',
  uid,
  signature: null,
  idempotency: null,
  securityId: BTC_USDT,
  orderId,
  origClOrdId: '',
  clOrdId: 'amend',
  orderQty: null,
  price: null,
  stopPx: null,
  displayQty: null,
  expireTime: null,
  bracket: null,
  ...more,
});

type OcoNumbers = Pick<PlaceOco, 'uid' | 'side'> &
  Readonly<Record<'price' | 'stopPx' | 'orderQty', number>>;

export const ocoOf = (terms: OcoNumbers, more: Partial<PlaceOco> = {}): PlaceOco => ({
  type: 'placeOco',
  uid: terms.uid,
  signature: null,
  idempotency: null,
  securityId: BTC_USDT,
  side: terms.side,
  orderQty: lots(terms.orderQty),
  price: ticks(terms.price),
  stopPx: ticks(terms.stopPx),
  stopLimitPx: ticks(0),
  trail: 0,
  timeInForce: TimeInForce.goodTillCancel,
  expireTime: 0,
  selfTradePrevention: null,
  clOrdId: '',
  stopClOrdId: '',
  strictClOrdId: false,
  ...more,
});

/** The reports of the last command. */
export const reportsOf = (venue: Venue): ExecutionReport[] =>
  venue.events.filter((event): event is ExecutionReport => event.type === 'executionReport');
