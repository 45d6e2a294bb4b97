// From Binance's parameters of a new order to agio's commands: the parameters become the fields of
// agio's own call, whose description and rules make the command.
import {
  decimal,
  type Infer,
  integer,
  missingField,
  oneOf,
  optional,
  text,
} from '../../contract/fields.ts';
import { object } from '../../contract/object.ts';
import { invalidField } from '../../contract/problem.ts';
import { toPlaceOco } from '../../contract/trading/order-changes.ts';
import { type OrderV2Body, toPlaceOrderV2 } from '../../contract/trading/order-terms.ts';
import { MAX_CL_ORD_ID, type TradingCaller } from '../../contract/trading/orders.ts';
import type { Field } from '../../contract/wire.ts';
import type { PlaceOco, PlaceOrder } from '../../core/command.ts';
import { OrdType, opposite, Side, TimeInForce } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { triggersUp } from '../../core/order-rules.ts';
import type { State } from '../../core/state.ts';
import { BinanceProblem } from './binance-problem.ts';
import {
  PREVENTION_NAMES,
  PREVENTIONS,
  SIDES,
  TIMES,
  type TimeName,
  TYPE_NAMES,
  TYPES,
  type TypeName,
} from './words.ts';

export const symbolField = text({ min: 1, max: 40, ascii: true });
export const clientId = text({ min: 1, max: MAX_CL_ORD_ID, ascii: true });
export const orderIdField = integer({ min: 1 });
const positive = optional(decimal({ sign: 'positive' }));
const notNegative = optional(decimal({ sign: 'notNegative' }));
const side = oneOf(Object.keys(SIDES) as (keyof typeof SIDES)[]);
const timeInForce = oneOf(Object.keys(TIMES) as TimeName[]);

const common = {
  symbol: symbolField,
  newOrderRespType: optional(oneOf(['ACK', 'RESULT', 'FULL'])),
  selfTradePreventionMode: optional(oneOf(PREVENTION_NAMES)),
} as const;

/** The parameters of a new order, without its side, which cancelReplace has too. */
export const newOrderFields = {
  ...common,
  side,
  type: oneOf(TYPE_NAMES),
  timeInForce: optional(timeInForce),
  quantity: positive,
  quoteOrderQty: positive,
  price: positive,
  newClientOrderId: optional(clientId),
  stopPrice: positive,
  icebergQty: notNegative,
} as const;
export const newOrderQuery = object(newOrderFields);
export type NewOrder = Infer<typeof newOrderQuery>;

/** The parameters that a type needs; it has no others of this list. */
const NEEDED: Readonly<Record<TypeName, readonly (keyof NewOrder)[]>> = {
  LIMIT: ['timeInForce', 'quantity', 'price'],
  LIMIT_MAKER: ['quantity', 'price'],
  MARKET: [],
  STOP_LOSS: ['quantity', 'stopPrice'],
  TAKE_PROFIT: ['quantity', 'stopPrice'],
  STOP_LOSS_LIMIT: ['timeInForce', 'quantity', 'price', 'stopPrice'],
  TAKE_PROFIT_LIMIT: ['timeInForce', 'quantity', 'price', 'stopPrice'],
};
const CONDITIONAL = ['timeInForce', 'price', 'stopPrice'] as const;

/** The unsent fields of agio's order. */
const NO_TERMS = {
  account: 1,
  securityId: undefined,
  expireTime: undefined,
  displayQty: undefined,
  execInst: undefined,
  stopPx: undefined,
  triggerPriceDirection: undefined,
  bracket: undefined,
} as const;

/** The command of a new order. Throws Problem. */
export function toPlace(
  state: State,
  { symbol }: Instrument,
  sent: NewOrder,
  caller: TradingCaller,
): PlaceOrder {
  checkParameters(sent);
  return toPlaceOrderV2(state, bodyOf(symbol, sent), caller);
}

function checkParameters(sent: NewOrder): void {
  const { type, quantity, quoteOrderQty } = sent;
  const needed = NEEDED[type];
  for (const name of needed) {
    if (sent[name] === undefined) throw missingField(name, `sent for ${type}`);
  }
  for (const name of CONDITIONAL) {
    if (sent[name] === undefined || needed.includes(name)) continue;
    throw invalidField(name, `be left out for ${type}`, { rule: 'absent' });
  }
  if (type !== 'MARKET') {
    if (quoteOrderQty === undefined) return;
    throw invalidField('quoteOrderQty', `be left out for ${type}`, { rule: 'absent' });
  }
  if (quantity === undefined && quoteOrderQty === undefined) {
    throw missingField('quantity', 'sent for MARKET, or quoteOrderQty in its place');
  }
  if (quantity !== undefined && quoteOrderQty !== undefined) {
    throw new BinanceProblem(-1128, 'Combination of optional parameters invalid.', {
      userMsg: 'Send quantity or quoteOrderQty, never both.',
    });
  }
}

function bodyOf(symbol: string, sent: NewOrder): OrderV2Body {
  const { type, quantity, price, icebergQty } = sent;
  const terms = TYPES[type];
  const sideCode = SIDES[sent.side];
  const prevention = sent.selfTradePreventionMode;
  return {
    ...NO_TERMS,
    symbol,
    side: sideCode,
    ordType: terms.ordType,
    orderQty: quantity,
    quoteOrderQty: sent.quoteOrderQty,
    price,
    clOrdId: sent.newClientOrderId ?? '',
    timeInForce:
      sent.timeInForce === undefined ? TimeInForce.goodTillCancel : TIMES[sent.timeInForce],
    selfTradePrevention: prevention === undefined ? undefined : PREVENTIONS[prevention],
    displayQty: icebergQty === undefined || isZero(icebergQty) ? undefined : icebergQty,
    execInst: 'postOnly' in terms ? 6 : undefined,
    stopPx: sent.stopPrice,
    triggerPriceDirection: 'stop' in terms ? directionOf(sideCode, terms.stop) : undefined,
  };
}

const isZero = (text: string): boolean => /^0(?:\.0*)?$/.test(text);

/** A stop loss triggers away from the account, a take profit toward it. */
const directionOf = (sideCode: Side, stop: 'loss' | 'profit'): 'U' | 'D' =>
  triggersUp(sideCode) === (stop === 'loss') ? 'U' : 'D';

const legTypes = oneOf([...TYPE_NAMES].filter((name) => name !== 'LIMIT' && name !== 'MARKET'));

const leg = (prefix: string) =>
  ({
    [`${prefix}Type`]: optional(legTypes),
    [`${prefix}ClientOrderId`]: optional(clientId),
    [`${prefix}IcebergQty`]: notNegative,
    [`${prefix}Price`]: positive,
    [`${prefix}StopPrice`]: positive,
    [`${prefix}TimeInForce`]: optional(timeInForce),
  }) as Readonly<Record<string, Field<unknown>>>;

const listFields = {
  ...common,
  listClientOrderId: optional(clientId),
} as const;

/** POST orderList/oco. */
export const ocoQuery = object({
  ...listFields,
  side,
  quantity: decimal({ sign: 'positive' }),
  ...leg('above'),
  ...leg('below'),
});

/** POST order/oco, which Binance has deprecated. */
export const oldOcoQuery = object({
  ...listFields,
  side,
  quantity: decimal({ sign: 'positive' }),
  limitClientOrderId: optional(clientId),
  price: decimal({ sign: 'positive' }),
  stopClientOrderId: optional(clientId),
  stopPrice: decimal({ sign: 'positive' }),
  stopLimitPrice: positive,
  stopLimitTimeInForce: optional(timeInForce),
});

/** POST orderList/otoco. */
export const otocoQuery = object({
  ...listFields,
  workingType: oneOf(['LIMIT', 'LIMIT_MAKER']),
  workingSide: side,
  workingClientOrderId: optional(clientId),
  workingPrice: decimal({ sign: 'positive' }),
  workingQuantity: decimal({ sign: 'positive' }),
  workingIcebergQty: notNegative,
  workingTimeInForce: optional(timeInForce),
  pendingSide: side,
  pendingQuantity: decimal({ sign: 'positive' }),
  ...leg('pendingAbove'),
  ...leg('pendingBelow'),
});

/** A limit order that takes a profit, and a stop. */
interface Pair {
  readonly price: string;
  readonly stopPx: string;
  readonly stopLimitPx: string | undefined;
  readonly clOrdId: string;
  readonly stopClOrdId: string;
}

const unsupported = (userMsg: string): BinanceProblem =>
  new BinanceProblem(-1014, 'Unsupported order combination.', { userMsg });

type Legs = Readonly<Record<string, unknown>>;

/** The pair of two legs, where agio has it. Throws Problem. */
function pairOf(sent: Legs, above: string, below: string, sells: boolean): Pair {
  const [limit, stop] = sells ? [above, below] : [below, above];
  const value = (name: string): string | undefined => sent[name] as string | undefined;
  const need = (name: string): string => {
    const found = value(name);
    if (found === undefined) throw missingField(name, 'sent for this order list');
    return found;
  };
  const [limitType, stopType] = [need(`${limit}Type`), need(`${stop}Type`)];
  const isStop = stopType === 'STOP_LOSS' || stopType === 'STOP_LOSS_LIMIT';
  if (limitType !== 'LIMIT_MAKER' || !isStop) {
    throw unsupported(
      `Send LIMIT_MAKER as ${limit}Type, and STOP_LOSS or STOP_LOSS_LIMIT as ${stop}Type.`,
    );
  }
  for (const prefix of [limit, stop]) {
    if (value(`${prefix}IcebergQty`) !== undefined || !isGtc(value(`${prefix}TimeInForce`))) {
      throw unsupported('The orders of a list are good till canceled, and no icebergs.');
    }
  }
  return {
    price: need(`${limit}Price`),
    stopPx: need(`${stop}StopPrice`),
    stopLimitPx: stopType === 'STOP_LOSS_LIMIT' ? need(`${stop}Price`) : undefined,
    clOrdId: value(`${limit}ClientOrderId`) ?? '',
    stopClOrdId: value(`${stop}ClientOrderId`) ?? '',
  };
}

const isGtc = (time: string | undefined): boolean => time === undefined || time === 'GTC';

interface OcoTerms extends Pair {
  readonly side: keyof typeof SIDES;
  readonly quantity: string;
  readonly prevention: keyof typeof PREVENTIONS | undefined;
}

export const ocoTerms = (sent: Infer<typeof ocoQuery>): OcoTerms => ({
  ...pairOf(sent, 'above', 'below', sent.side === 'SELL'),
  side: sent.side,
  quantity: sent.quantity,
  prevention: sent.selfTradePreventionMode,
});

export function oldOcoTerms(sent: Infer<typeof oldOcoQuery>): OcoTerms {
  if (!isGtc(sent.stopLimitTimeInForce)) {
    throw unsupported('The orders of a list are good till canceled.');
  }
  return {
    side: sent.side,
    quantity: sent.quantity,
    prevention: sent.selfTradePreventionMode,
    price: sent.price,
    stopPx: sent.stopPrice,
    stopLimitPx: sent.stopLimitPrice,
    clOrdId: sent.limitClientOrderId ?? '',
    stopClOrdId: sent.stopClientOrderId ?? '',
  };
}

/** The command of a pair. Throws Problem. */
export function toOco(
  state: State,
  { symbol }: Instrument,
  terms: OcoTerms,
  caller: TradingCaller,
): PlaceOco {
  const { prevention, quantity, side: name, ...pair } = terms;
  return toPlaceOco(
    state,
    {
      ...pair,
      account: 1,
      symbol,
      securityId: undefined,
      side: SIDES[name],
      orderQty: quantity,
      timeInForce: TimeInForce.goodTillCancel,
      expireTime: undefined,
      selfTradePrevention: prevention === undefined ? undefined : PREVENTIONS[prevention],
    },
    caller,
  );
}

/** A decimal without trailing zeros. */
const plain = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** The command of an order whose exits follow its fill. Throws Problem. */
export function toBracket(
  state: State,
  { symbol }: Instrument,
  sent: Infer<typeof otocoQuery>,
  caller: TradingCaller,
): PlaceOrder {
  const sideCode = SIDES[sent.workingSide];
  if (SIDES[sent.pendingSide] !== opposite(sideCode)) {
    throw unsupported('pendingSide must be the other side of workingSide.');
  }
  if (plain(sent.pendingQuantity) !== plain(sent.workingQuantity)) {
    throw unsupported(
      'pendingQuantity must be workingQuantity: the exits are for what the order received.',
    );
  }
  const pair = pairOf(sent, 'pendingAbove', 'pendingBelow', opposite(sideCode) === Side.sell);
  if (pair.clOrdId !== '' || pair.stopClOrdId !== '') {
    throw unsupported('The server names the pending orders: leave out their client ids.');
  }
  const order: NewOrder = {
    symbol: sent.symbol,
    newOrderRespType: undefined,
    selfTradePreventionMode: sent.selfTradePreventionMode,
    side: sent.workingSide,
    type: sent.workingType,
    timeInForce: sent.workingTimeInForce,
    quantity: sent.workingQuantity,
    quoteOrderQty: undefined,
    price: sent.workingPrice,
    newClientOrderId: sent.workingClientOrderId,
    stopPrice: undefined,
    icebergQty: sent.workingIcebergQty,
  };
  checkParameters(order);
  const { price: takeProfitPx, stopPx, stopLimitPx } = pair;
  const bracket = { takeProfitPx, stopPx, stopLimitPx };
  return toPlaceOrderV2(state, { ...bodyOf(symbol, order), bracket }, caller);
}

/** FULL for orders that usually trade immediately, as at Binance. */
export const responseType = ({
  newOrderRespType,
  type,
}: Pick<NewOrder, 'newOrderRespType' | 'type'>) =>
  newOrderRespType ?? (TYPES[type].ordType === OrdType.market || type === 'LIMIT' ? 'FULL' : 'ACK');
