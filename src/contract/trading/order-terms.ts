// Orders of version 2: the terms that version 1 does not have, which of them fit together, and the
// command in core units.

import type { PlaceOrder } from '../../core/command.ts';
import {
  isLimit,
  isStop,
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { type Bracket, NO_EXTRAS, type OrderExtras } from '../../core/order-extras.ts';
import {
  acceptsTime,
  areApart,
  expires,
  MAX_TRAILING_DELTA,
  mayBeByQuote,
  mayBeIceberg,
  mayBePostOnly,
  nextTick,
  triggersUp,
} from '../../core/order-rules.ts';
import type { State } from '../../core/state.ts';
import { type Lots, lots, type Ticks, ticks } from '../../core/units.ts';
import { isZero, neededField } from '../absent.ts';
import { decimal, type Infer, integer, oneOf, optional } from '../fields.ts';
import { jsonSteps } from '../json.ts';
import { makeCommand } from '../nearest.ts';
import { object } from '../object.ts';
import { invalidField, marketBuyWithBothQuantities, type ProblemName } from '../problem.ts';
import { ordType } from './order-report.ts';
import {
  missingQuantity,
  namedInstrument,
  orderFields,
  readOrder,
  readPrice,
  readQuantity,
  type TradingCaller,
  unsupported,
} from './orders.ts';

const { market, stop } = OrdType;
const { goodTillCancel, immediateOrCancel, fillOrKill, goodTillDate } = TimeInForce;

export const positive = (about: string) => decimal({ sign: 'positive', about });

const PREVENTIONS = Object.keys(SelfTradePrevention) as (keyof typeof SelfTradePrevention)[];

/** The terms that every new order of version 2 may have. */
export const commonTerms = {
  expireTime: optional(
    integer({
      min: 1,
      lenient: true,
      about: 'With timeInForce 6: from then on the order never trades; business time, epoch ms.',
    }),
  ),
  selfTradePrevention: optional(
    oneOf(PREVENTIONS, { rejection: 'unsupported', about: 'That of the pair unless given.' }),
  ),
} as const;

/** A stop that trails has one of them. */
export const trailTerms = {
  trailingDelta: optional(
    integer({
      min: 1,
      max: MAX_TRAILING_DELTA,
      lenient: true,
      about: 'A stop that follows the best price at this distance, in basis points of it.',
    }),
  ),
  trailingAmount: optional(
    positive('A stop that follows the best price at this distance, in the quote asset.'),
  ),
} as const;

export const bracket = object({
  takeProfitPx: optional(
    positive(
      'The price of the limit order that takes the profit; without it there is only a stop.',
    ),
  ),
  stopPx: optional(positive('The trigger of the stop; left out of one that trails.')),
  stopLimitPx: optional(positive('The price of the stop once it is triggered; a market order.')),
  ...trailTerms,
});

/** Body of the calls that create and test an order of version 2. */
export const orderV2Body = object({
  ...orderFields,
  ...commonTerms,
  quoteOrderQty: optional(
    positive(
      'In place of orderQty: the quote amount that a market order trades, before fees; a ' +
        'multiple of quoteAssetIncrement.',
    ),
  ),
  price: optional(decimal({ about: 'Limit and stop limit orders; ignored for market orders.' })),
  ordType,
  execInst: optional(
    oneOf([6], { ...unsupported, about: '6: post-only. Limit and stop limit orders.' }),
  ),
  timeInForce: optional(
    oneOf([goodTillCancel, immediateOrCancel, fillOrKill, goodTillDate], {
      ...unsupported,
      about: '1 good till cancel, 3 immediate or cancel, 4 fill or kill, 6 good till date.',
    }),
    goodTillCancel,
  ),
  displayQty: optional(
    positive('An iceberg shows this much of its quantity at a time; at most orderQty.'),
  ),
  stopPx: optional(
    positive('Stops: the last price that triggers the order, or from which it begins to trail.'),
  ),
  triggerPriceDirection: optional(
    oneOf(['U', 'D'], {
      about:
        'Stops: U is triggered at stopPx or above, D at it or below. Buy U, sell D by default.',
    }),
  ),
  ...trailTerms,
  bracket: optional(bracket),
});
export type OrderV2Body = Infer<typeof orderV2Body>;

const waits = ({ ordType }: OrderV2Body): boolean => isStop(ordType);

/** A field that only some orders may have. */
interface Condition {
  readonly field: keyof OrderV2Body;
  readonly fits: (body: OrderV2Body) => boolean;
  /** Completes "It must be left out". */
  readonly unless: string;
  readonly rule: string;
  readonly kind?: ProblemName;
}

const CONDITIONS: readonly Condition[] = [
  {
    field: 'execInst',
    fits: ({ ordType }) => isLimit(ordType),
    unless: 'of an order without a price',
    rule: 'limitOnly',
    kind: 'unsupported',
  },
  {
    field: 'execInst',
    fits: ({ ordType, timeInForce }) => mayBePostOnly(ordType, timeInForce),
    unless: 'with timeInForce 3 or 4, since a post-only order rests in the book',
    rule: 'restingOnly',
    kind: 'unsupported',
  },
  {
    field: 'price',
    fits: ({ ordType, price }) => ordType !== stop || isZero(price!),
    unless: 'of a stop: send ordType 4 for a stop limit order',
    rule: 'limitOnly',
  },
  {
    field: 'stopPx',
    fits: waits,
    unless: 'unless ordType is 3 or 4',
    rule: 'stopOnly',
  },
  {
    field: 'triggerPriceDirection',
    fits: waits,
    unless: 'unless ordType is 3 or 4',
    rule: 'stopOnly',
  },
  {
    field: 'triggerPriceDirection',
    fits: ({ stopPx, ...body }) => stopPx !== undefined || !trails(body),
    unless: 'of a stop that trails from its entry on: a sale waits for a fall, a buy for a rise',
    rule: 'stopPxOnly',
  },
  {
    field: 'trailingDelta',
    fits: waits,
    unless: 'unless ordType is 3 or 4',
    rule: 'stopOnly',
  },
  {
    field: 'trailingAmount',
    fits: waits,
    unless: 'unless ordType is 3 or 4',
    rule: 'stopOnly',
  },
  {
    field: 'displayQty',
    fits: ({ ordType, timeInForce }) => mayBeIceberg(ordType, timeInForce),
    unless: 'unless the order is a limit order with timeInForce 1 or 6',
    rule: 'restingOnly',
  },
  {
    field: 'quoteOrderQty',
    fits: ({ ordType }) => !isLimit(ordType),
    unless: 'of an order with a price: send orderQty',
    rule: 'marketOnly',
  },
  {
    field: 'quoteOrderQty',
    fits: ({ ordType, side }) => mayBeByQuote(ordType, side),
    unless: 'of a stop that sells: send orderQty, which the order reserves',
    rule: 'stopBuyOnly',
    kind: 'unsupported',
  },
  {
    field: 'bracket',
    fits: ({ quoteOrderQty }) => quoteOrderQty === undefined,
    unless: 'of an order by quote: send orderQty',
    rule: 'orderQtyOnly',
  },
];

/** Throws Problem where fields do not fit together. */
function checkTerms(body: OrderV2Body): void {
  const { ordType, timeInForce, side, orderQty, quoteOrderQty } = body;
  if (!acceptsTime(ordType, timeInForce)) {
    const accepted = Object.values(TimeInForce).filter((time) => acceptsTime(ordType, time));
    const must = `be one of ${accepted.join(', ')} for ordType ${ordType}; ${timeInForce} was sent`;
    const details = { rule: 'oneOf', value: timeInForce, nearest: goodTillCancel };
    throw invalidField('timeInForce', must, details, 'unsupported');
  }
  for (const { field, fits, unless, rule, kind } of CONDITIONS) {
    if (body[field] === undefined || fits(body)) continue;
    throw invalidField(field, `be left out ${unless}`, { rule }, kind);
  }
  if (quoteOrderQty === undefined && orderQty === undefined) throw missingQuantity(body);
  if (quoteOrderQty !== undefined && orderQty !== undefined) {
    if (ordType === market && side === Side.buy) throw marketBuyWithBothQuantities();
    const must = 'be left out of an order by quote: send it or quoteOrderQty, never both';
    throw invalidField('orderQty', must, { rule: 'exclusive' });
  }
}

/** The expireTime of an order; 0 without one. Throws Problem where it does not fit timeInForce. */
export function readExpireTime(body: Pick<OrderV2Body, 'timeInForce' | 'expireTime'>): number {
  const { timeInForce, expireTime } = body;
  if (!expires(timeInForce)) {
    if (expireTime === undefined) return 0;
    const must = 'be left out unless timeInForce is 6, good till date';
    throw invalidField('expireTime', must, { rule: 'goodTillDateOnly' });
  }
  if (expireTime !== undefined) return expireTime;
  throw neededField(body, 'expireTime', 'a time in epoch milliseconds with timeInForce 6');
}

export const preventionOf = (word: keyof typeof SelfTradePrevention | undefined) =>
  word === undefined ? null : SelfTradePrevention[word];

/** The command of a well-formed body. Throws Problem for what does not fit. */
export const toPlaceOrderV2 = (
  state: State,
  body: OrderV2Body,
  caller: TradingCaller,
): PlaceOrder => makeCommand(state, body, (sent) => readOrderV2(state, sent, caller));

/** The same without a check of the nearest value in its Problem. */
export function readOrderV2(state: State, body: OrderV2Body, caller: TradingCaller): PlaceOrder {
  const instrument = namedInstrument(state, body);
  checkTerms(body);
  const expireTime = readExpireTime(body);
  const order = readOrder(instrument, body, caller, null);
  const extras: OrderExtras = {
    timeInForce: body.timeInForce,
    expireTime,
    displayQty: readDisplayQty(instrument, body.displayQty, order.orderQty),
    selfTradePrevention: preventionOf(body.selfTradePrevention),
    stopPx: waits(body) ? readStopPx(body, instrument) : ticks(0),
    triggerPriceDirection: directionOf(body),
    trail: readTrail(body, instrument),
    bracket: body.bracket === undefined ? null : readBracket(body.bracket, instrument, body.side),
  };
  return isPlain(order, extras) ? order : { ...order, extras };
}

const EXTRAS = Object.keys(NO_EXTRAS) as (keyof OrderExtras)[];

/** True if version 1 has the same order, so that it is journaled as one. */
const isPlain = ({ side, orderQty }: PlaceOrder, extras: OrderExtras): boolean =>
  EXTRAS.every((name) => extras[name] === NO_EXTRAS[name]) && (side === Side.buy || orderQty > 0);

function directionOf(body: OrderV2Body): TriggerPriceDirection {
  const { none, up, down } = TriggerPriceDirection;
  if (!waits(body)) return none;
  const { triggerPriceDirection = triggersUp(body.side) ? 'U' : 'D' } = body;
  return triggerPriceDirection === 'U' ? up : down;
}

type TrailBody = Pick<OrderV2Body, 'trailingDelta' | 'trailingAmount'>;

const trails = ({ trailingDelta, trailingAmount }: TrailBody): boolean =>
  trailingDelta !== undefined || trailingAmount !== undefined;

/** The distance of a stop: basis points above 0, ticks below 0, 0 for none. Throws Problem. */
export function readTrail(body: TrailBody, instrument: Instrument, path = ''): number {
  const { trailingDelta, trailingAmount } = body;
  if (trailingAmount === undefined) return trailingDelta ?? 0;
  const field = `${path}trailingAmount`;
  if (trailingDelta === undefined) return -readPrice(field, trailingAmount, instrument);
  const must = `be left out: send it or ${path}trailingDelta, never both`;
  throw invalidField(field, must, { rule: 'exclusive' });
}

/** The stopPx of a stop; 0 for one that trails from its entry on. Throws Problem. */
export function readStopPx(
  body: TrailBody & Pick<OrderV2Body, 'stopPx'>,
  instrument: Instrument,
): Ticks {
  if (body.stopPx !== undefined) return readPrice('stopPx', body.stopPx, instrument);
  if (trails(body)) return ticks(0);
  const expected = 'a decimal number above 0: the last price that triggers the order';
  throw neededField(body, 'stopPx', expected);
}

/** The displayed part of an order in lots; 0 without one. Throws Problem. */
function readDisplayQty(
  instrument: Instrument,
  displayQty: string | undefined,
  orderQty: Lots,
): Lots {
  if (displayQty === undefined) return lots(0);
  const shown = readQuantity('displayQty', displayQty, instrument);
  if (shown <= orderQty) return shown;
  const { lot, base } = instrument;
  const limitQty = jsonSteps(orderQty, lot);
  throw invalidField('displayQty', 'be at most orderQty', {
    rule: 'maximum',
    limit: limitQty,
    value: jsonSteps(shown, lot),
    unit: base.name,
    nearest: limitQty,
    nearestUnit: base.name,
  });
}

/**
 * Throws Problem for prices that would not be on the two sides of the market. The core alone checks
 * that of an order whose side is not known yet: null.
 */
export function readBracket(
  body: Infer<typeof bracket>,
  instrument: Instrument,
  side: Side | null,
): Bracket {
  const { stopLimitPx } = body;
  const priceOf = (name: 'takeProfitPx' | 'stopPx' | 'stopLimitPx'): Ticks =>
    body[name] === undefined ? ticks(0) : readPrice(`bracket.${name}`, body[name], instrument);
  const takeProfitPx = priceOf('takeProfitPx');
  const trail = readTrail(body, instrument, 'bracket.');
  if (trail !== 0 && body.stopPx !== undefined) {
    const must = 'be left out of exits that trail: they begin at the last price';
    throw invalidField('bracket.stopPx', must, { rule: 'exclusive' });
  }
  const stopPx = priceOf('stopPx');
  if (trail === 0 && stopPx === 0 && (takeProfitPx === 0 || stopLimitPx !== undefined)) {
    const accepted = stopLimitPx === undefined ? 'takeProfitPx, stopPx' : 'stopPx';
    const expected = `sent: a bracket needs ${accepted} or a trail`;
    throw neededField(body, 'stopPx', expected, 'bracket.stopPx');
  }
  if (side !== null && takeProfitPx !== 0 && stopPx !== 0) {
    requireApart('bracket.takeProfitPx', takeProfitPx, stopPx, side === Side.buy, instrument);
  }
  return { takeProfitPx, stopPx, trail, stopLimitPx: priceOf('stopLimitPx') };
}

/** The limit price of an OCO pair that sells lies above its stopPx, of one that buys below. */
export function requireApart(
  field: string,
  price: Ticks,
  stopPx: Ticks,
  sells: boolean,
  { tick, quote }: Instrument,
): void {
  if (areApart(price, stopPx, sells)) return;
  const nearest = nextTick(stopPx, sells);
  throw invalidField(field, `be ${sells ? 'above' : 'below'} stopPx`, {
    rule: sells ? 'aboveStopPx' : 'belowStopPx',
    limit: jsonSteps(stopPx, tick),
    value: jsonSteps(price, tick),
    unit: quote.name,
    ...(nearest === null ? {} : { nearest: jsonSteps(nearest, tick), nearestUnit: quote.name }),
  });
}
