// An order as its owner reads it: the last execution report, in the units of the wire. Each field
// is declared once, with its description and how it is made.
import type { ExecutionReport } from '../../core/event.ts';
import { CLOSE_TEXT, ExecType, isLimit, OrdStatus, OrdType } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { OrderExtras } from '../../core/order-extras.ts';
import { multiply, ZERO } from '../../core/units.ts';
import * as answer from '../answer.ts';
import { boolean, decimal, integer, oneOf, optional, text } from '../fields.ts';
import { type JsonNumber, jsonSteps, jsonUnits } from '../json.ts';
import { side } from '../market-data/answers.ts';
import { averageOf } from '../market-data/averages.ts';
import { unsupported } from './orders.ts';

export const ordType = answer.codes(
  'OrdType',
  '1 market, 2 limit, 3 stop, 4 stop limit.',
  OrdType,
  unsupported,
);

export const ordStatus = answer.codes(
  'OrdStatus',
  '0 new, 1 partially filled, 2 filled, 4 canceled, 6 pending cancel, 8 rejected.',
  OrdStatus,
);

export const execType = answer.codes(
  'ExecType',
  'The last event: 0 new, 1 partial fill, 2 fill, 4 canceled, 5 replaced, 6 pending cancel, ' +
    '8 rejected, 21 triggered (FIX L).',
  ExecType,
);

const TIMES_IN_FORCE = { 1: '1', 3: '3', 4: '4', 6: '6' } as const;
/** By TriggerPriceDirection. */
const DIRECTIONS = [null, 'U', 'D'] as const;

type Report = Omit<ExecutionReport, 'type'>;

const { nonZero, nullable, time } = answer;
const made = answer.madeOf<Report, Instrument>();
const isByQuote = ({ quoteOrderQty }: Report): boolean => quoteOrderQty !== 0;

const madeOfTrail = answer.madeOf<Pick<OrderExtras, 'trail'>, Instrument>();
const trailing = {
  trailingDelta: madeOfTrail(
    nullable(integer(), 'The distance at which a stop trails, in basis points.'),
    ({ trail }) => (trail > 0 ? trail : null),
  ),
  trailingAmount: madeOfTrail(
    nullable(decimal(), 'The same in the quote asset.'),
    ({ trail }, { tick }) => (trail < 0 ? jsonSteps(-trail, tick) : null),
  ),
};

export const orderBracket = answer.object(
  'OrderBracket',
  'The exits that an order places with its end.',
  {
    takeProfitPx: nonZero(
      answer.price(),
      'The price of the limit order that takes the profit; null: only a stop.',
    ),
    stopPx: nonZero(answer.price(), 'The trigger of the stop; null: it trails, or there is none.'),
    stopLimitPx: nonZero(answer.price(), 'null: the stop is a market order.'),
    ...trailing,
  },
);

export const order = answer.object('Order', 'The last execution report of an order.', {
  rowId: answer.from('orderId', integer()),
  type: answer.constant('ORDER'),
  account: answer.constant(1, integer()),
  orderId: integer(),
  execId: integer(),
  clOrdId: text(),
  side,
  orderQty: made(nullable(decimal(), 'null for orders by quote amount.'), (report, { lot }) =>
    isByQuote(report) ? null : jsonSteps(report.orderQty, lot),
  ),
  quoteOrderQty: made(nullable(decimal()), (report, { quote }) =>
    isByQuote(report) ? jsonUnits(report.quoteOrderQty, quote.scale) : null,
  ),
  cumQty: answer.quantity('The filled quantity.'),
  cumQuoteQty: answer.from('cumQuote', answer.inQuote('The amount of the fills, exact.')),
  leavesQty: answer.quantity('The quantity that may still be filled.'),
  price: made(nullable(decimal(), 'null for market orders and stops.'), (report, { tick }) =>
    isLimit(report.ordType) ? jsonSteps(report.price, tick) : null,
  ),
  ...answer.within('extras', {
    stopPx: nonZero(
      answer.price(),
      'The trigger of a stop, or where it begins to trail; null for other orders.',
    ),
  }),
  avgPx: made(
    decimal(
      '`cumQuoteQty` ÷ `cumQty`, rounded to 8 decimals, or to those of the price step, and to at ' +
        'least ten significant digits; half is rounded up. 0 before the first fill.',
    ),
    averagePrice,
  ),
  lastPx: answer.price(),
  lastQty: answer.quantity(),
  symbol: made(text(), (_, { symbol }) => symbol),
  securityId: integer(),
  ordType,
  timeInForce: made(
    oneOf(
      ['1', '3', '4', '6'],
      '1 good till cancel, 3 immediate or cancel, 4 fill or kill, 6 good till date.',
    ),
    ({ extras }) => TIMES_IN_FORCE[extras.timeInForce],
  ),
  ordStatus,
  execType,
  createTime: time('When the order entered.'),
  transactTime: time('When this happened to it.'),
  ...answer.within('extras', {
    expireTime: nonZero(time(), 'null unless timeInForce is 6.'),
    triggerPriceDirection: answer.madeOf<OrderExtras, Instrument>()(
      nullable(oneOf(['U', 'D']), 'Stops: U is triggered at stopPx or above, D at it or below.'),
      ({ triggerPriceDirection }) => DIRECTIONS[triggerPriceDirection],
    ),
    ...trailing,
  }),
  triggerPx: nonZero(answer.price(), 'The present trigger of a stop that trails, or its last one.'),
  trailingTime: nonZero(time(), 'When the stop began to trail.'),
  ...answer.within('extras', {
    displayQty: nonZero(answer.quantity(), 'An iceberg shows this much at a time.'),
  }),
  workingIndicator: boolean('false while a stop waits for its trigger.'),
  ocoOrderId: nonZero(integer(), 'The other order of its OCO pair.'),
  parentOrderId: nonZero(integer(), 'The order whose bracket placed this one.'),
  bracket: made(optional(orderBracket), ({ extras: { bracket } }, instrument) =>
    bracket === null ? undefined : orderBracket.write(bracket, instrument),
  ),
  ordRejReason: made(optional(integer('Present if ordStatus is 8.')), (report) =>
    report.ordStatus === OrdStatus.rejected ? report.ordRejReason! : undefined,
  ),
  ordRejText: made(optional(text()), (report) =>
    report.ordStatus === OrdStatus.rejected ? CLOSE_TEXT[report.reason] : undefined,
  ),
  ordCxlText: made(optional(text('Present if ordStatus is 4.')), (report) =>
    report.ordStatus === OrdStatus.canceled ? CLOSE_TEXT[report.reason] : undefined,
  ),
  execInst: made(optional(oneOf(['6'], '6: post-only.')), ({ postOnly }) =>
    postOnly ? '6' : undefined,
  ),
});

/** 0 before the first fill. */
function averagePrice({ cumQty, cumQuote }: Report, instrument: Instrument): JsonNumber {
  if (cumQty === 0) return jsonUnits(ZERO, 0);
  const baseVolume = multiply(cumQty, instrument.baseUnitsPerLot);
  return averageOf({ baseVolume, quoteVolume: cumQuote }, instrument);
}
