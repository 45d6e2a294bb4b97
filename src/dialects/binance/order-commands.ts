// From Binance's parameters of a new order to agio's commands: the parameters become the fields of
// agio's own call, whose description and rules make the command.
import { isZero, neededField } from '../../contract/absent.ts';
import { invalidField } from '../../contract/problem.ts';
import { toPlaceOco } from '../../contract/trading/order-changes.ts';
import { type OrderV2Body, toPlaceOrderV2 } from '../../contract/trading/order-terms.ts';
import type { TradingCaller } from '../../contract/trading/orders.ts';
import type { PlaceOco, PlaceOrder } from '../../core/command.ts';
import { opposite, Side, TimeInForce } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { triggersUp } from '../../core/order-rules.ts';
import type { State } from '../../core/state.ts';
import { BinanceProblem } from './binance-problem.ts';
import type { Values } from './parameters.ts';
import { PREVENTIONS, type PreventionName, SIDES, TIMES, TYPES, type TypeName } from './words.ts';

const COMMON = 'symbol newOrderRespType? selfTradePreventionMode?';
const TERMS =
  'side type timeInForce? quantity? quoteOrderQty? price? stopPrice? trailingDelta? icebergQty?';
export const NEW_ORDER = `${COMMON} ${TERMS} newClientOrderId?` as const;
export type NewOrder = Values<typeof NEW_ORDER>;

/** The parameters that a type needs. */
const NEEDED: Readonly<Record<TypeName, readonly (keyof NewOrder)[]>> = {
  LIMIT: ['timeInForce', 'quantity', 'price'],
  LIMIT_MAKER: ['quantity', 'price'],
  MARKET: [],
  STOP_LOSS: ['quantity', 'stopPrice'],
  TAKE_PROFIT: ['quantity', 'stopPrice'],
  STOP_LOSS_LIMIT: ['timeInForce', 'quantity', 'price', 'stopPrice'],
  TAKE_PROFIT_LIMIT: ['timeInForce', 'quantity', 'price', 'stopPrice'],
};
/** The parameters that only the types have which need them. */
const CONDITIONAL = ['timeInForce', 'price', 'stopPrice'] as const;
const TRAILING = ['trailingDelta'] as const;

function checkParameters(sent: NewOrder): void {
  const { type, quantity, quoteOrderQty, trailingDelta } = sent;
  const needed = NEEDED[type];
  for (const name of needed) {
    const isOptional = name === 'stopPrice' && trailingDelta !== undefined;
    if (sent[name] === undefined && !isOptional) throw neededField(sent, name, `sent for ${type}`);
  }
  const others = CONDITIONAL.filter((name) => !needed.includes(name));
  const absent = needed.includes('stopPrice') ? others : [...others, ...TRAILING];
  for (const name of type === 'MARKET' ? absent : [...absent, 'quoteOrderQty' as const]) {
    if (sent[name] !== undefined) throw notNeeded(name, type);
  }
  if (quantity === undefined && quoteOrderQty === undefined) {
    throw neededField(sent, 'quantity', 'sent for MARKET, or quoteOrderQty in its place');
  }
  if (quantity !== undefined && quoteOrderQty !== undefined) {
    const userMsg = 'Send quantity or quoteOrderQty, never both.';
    throw new BinanceProblem(-1128, 'Combination of optional parameters invalid.', { userMsg });
  }
}

const notNeeded = (name: string, type: string) =>
  invalidField(name, `be left out for ${type}`, { rule: 'absent' });

/** The command of a new order. Throws Problem. */
export function toPlace(
  state: State,
  { symbol }: Instrument,
  sent: NewOrder,
  caller: TradingCaller,
  bracket?: OrderV2Body['bracket'],
): PlaceOrder {
  checkParameters(sent);
  const { side: sideName, timeInForce = 'GTC', icebergQty } = sent;
  const terms = TYPES[sent.type];
  const side = SIDES[sideName];
  // One that trails from its entry on is triggered against the account, whatever its type.
  const waits = 'stop' in terms && sent.stopPrice !== undefined;
  return toPlaceOrderV2(
    state,
    {
      account: 1,
      symbol,
      securityId: undefined,
      side,
      ordType: terms.ordType,
      orderQty: sent.quantity,
      quoteOrderQty: sent.quoteOrderQty,
      price: sent.price,
      clOrdId: sent.newClientOrderId ?? '',
      timeInForce: TIMES[timeInForce],
      expireTime: undefined,
      selfTradePrevention: preventionOf(sent),
      displayQty: icebergQty === undefined || isZero(icebergQty) ? undefined : icebergQty,
      execInst: 'postOnly' in terms ? 6 : undefined,
      stopPx: sent.stopPrice,
      triggerPriceDirection: waits ? directionOf(side, terms.stop) : undefined,
      trailingDelta: sent.trailingDelta,
      trailingAmount: undefined,
      bracket,
    },
    caller,
  );
}

type Prevention = { readonly selfTradePreventionMode: PreventionName | undefined };
const preventionOf = ({ selfTradePreventionMode: mode }: Prevention) =>
  mode === undefined ? undefined : PREVENTIONS[mode];

/** A stop loss triggers away from the account, a take profit toward it. */
const directionOf = (side: Side, stop: 'loss' | 'profit'): 'U' | 'D' =>
  triggersUp(side) === (stop === 'loss') ? 'U' : 'D';

const leg = <P extends string>(name: P) => {
  const terms = `${name}IcebergQty? ${name}Price? ${name}StopPrice? ${name}TimeInForce?` as const;
  return `${name}Type ${name}ClientOrderId? ${terms} ${name}TrailingDelta?` as const;
};

const LIST = `${COMMON} listClientOrderId?` as const;
/** POST orderList/oco. */
export const OCO = `${LIST} side quantity ${leg('above')} ${leg('below')}` as const;
const OLD_LIMIT = 'side quantity price limitClientOrderId?';
const OLD_STOP =
  'stopPrice? stopClientOrderId? stopLimitPrice? stopLimitTimeInForce? trailingDelta?';
/** POST order/oco, which Binance has deprecated. */
export const OLD_OCO = `${LIST} ${OLD_LIMIT} ${OLD_STOP}` as const;
/** POST orderList/opo and opoco: their exits are for what the working order received. */
const OPO_WORKING = `${LIST} ${leg('working')} workingSide workingQuantity pendingSide` as const;
/** POST orderList/oto and otoco. */
const OTO_WORKING = `${OPO_WORKING} pendingQuantity` as const;
const PAIR = `${leg('pendingAbove')} ${leg('pendingBelow')}` as const;
export const OTO = `${OTO_WORKING} ${leg('pending')}` as const;
export const OTOCO = `${OTO_WORKING} ${PAIR}` as const;
export const OPO = `${OPO_WORKING} ${leg('pending')}` as const;
export const OPOCO = `${OPO_WORKING} ${PAIR}` as const;

const unsupported = (userMsg: string): BinanceProblem =>
  new BinanceProblem(-1014, 'Unsupported order combination.', { userMsg });

/** A limit order that takes a profit, and a stop. */
interface Pair {
  readonly price: string;
  readonly stopPx: string | undefined;
  readonly trailingDelta: number | undefined;
  readonly trailingAmount: undefined;
  readonly stopLimitPx: string | undefined;
  readonly clOrdId: string;
  readonly stopClOrdId: string;
}

type Legs = Readonly<Record<string, unknown>>;

const STOPS = ['STOP_LOSS', 'STOP_LOSS_LIMIT'] as const;

/** The terms of one order of a list, where agio has its type. Throws Problem. */
function legOf(sent: Legs, name: string, types: readonly TypeName[]) {
  const value = (term: string) => sent[name + term] as string | undefined;
  const need = (term: string): string => {
    const found = value(term);
    if (found === undefined) throw neededField(sent, name + term, 'sent for this order list');
    return found;
  };
  const type = need('Type') as TypeName;
  if (!types.includes(type)) throw unsupported(`Send ${types.join(' or ')} as ${name}Type.`);
  requireGtc(value('TimeInForce'));
  if (value('IcebergQty') !== undefined) {
    throw unsupported('The orders of a list are no icebergs.');
  }
  const isStop = 'stop' in TYPES[type];
  const foreign = isStop ? (type === 'STOP_LOSS' ? ['Price'] : []) : ['StopPrice', 'TrailingDelta'];
  for (const term of foreign) {
    if (value(term) !== undefined) throw notNeeded(name + term, 'its type');
  }
  const trailingDelta = sent[`${name}TrailingDelta`] as number | undefined;
  const needsTrigger = isStop && trailingDelta === undefined;
  return {
    isStop,
    price: type === 'STOP_LOSS' ? undefined : need('Price'),
    stopPx: needsTrigger ? need('StopPrice') : value('StopPrice'),
    trailingDelta,
    clOrdId: value('ClientOrderId') ?? '',
  };
}

/** The pair of two legs, where agio has it. Throws Problem. */
function pairOf(sent: Legs, above: string, below: string, sells: boolean): Pair {
  const [first, second] = sells ? [above, below] : [below, above];
  const limit = legOf(sent, first, ['LIMIT_MAKER']);
  const { stopPx, trailingDelta, price, clOrdId } = legOf(sent, second, STOPS);
  const stop = { stopPx, trailingDelta, trailingAmount: undefined, stopLimitPx: price };
  return { ...stop, price: limit.price!, clOrdId: limit.clOrdId, stopClOrdId: clOrdId };
}

function requireGtc(timeInForce: string | undefined): void {
  if (timeInForce === undefined || timeInForce === 'GTC') return;
  throw unsupported('The orders of a list are good till canceled.');
}

export const pairOfOco = (sent: Values<typeof OCO>): Pair =>
  pairOf(sent, 'above', 'below', sent.side === 'SELL');

export function pairOfOldOco(sent: Values<typeof OLD_OCO>): Pair {
  requireGtc(sent.stopLimitTimeInForce);
  const { stopPrice, trailingDelta } = sent;
  if (stopPrice === undefined && trailingDelta === undefined) {
    throw neededField(sent, 'stopPrice', 'sent for this order list');
  }
  return {
    price: sent.price,
    stopPx: stopPrice,
    trailingDelta,
    trailingAmount: undefined,
    stopLimitPx: sent.stopLimitPrice,
    clOrdId: sent.limitClientOrderId ?? '',
    stopClOrdId: sent.stopClientOrderId ?? '',
  };
}

/** The command of a pair. Throws Problem. */
export function toOco(
  state: State,
  { symbol }: Instrument,
  sent: Prevention & Values<'side quantity'>,
  pair: Pair,
  caller: TradingCaller,
): PlaceOco {
  return toPlaceOco(
    state,
    {
      ...pair,
      account: 1,
      symbol,
      securityId: undefined,
      side: SIDES[sent.side],
      orderQty: sent.quantity,
      timeInForce: TimeInForce.goodTillCancel,
      expireTime: undefined,
      selfTradePrevention: preventionOf(sent),
    },
    caller,
  );
}

/** A decimal without trailing zeros. */
const plain = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

type Exits = NonNullable<OrderV2Body['bracket']>;

/** The exits of one leg, or of a pair. Throws Problem. */
function exitsOf(sent: Legs, sells: boolean): Exits {
  const isOne = sent.pendingType !== undefined;
  const { clOrdId, stopClOrdId, price, ...stop } = isOne
    ? exitOf(sent)
    : pairOf(sent, 'pendingAbove', 'pendingBelow', sells);
  if (clOrdId !== '' || stopClOrdId !== '') {
    throw unsupported('The server names the pending orders: leave out their client ids.');
  }
  return { takeProfitPx: price, ...stop };
}

function exitOf(sent: Legs) {
  const { isStop, price, ...terms } = legOf(sent, 'pending', ['LIMIT', 'LIMIT_MAKER', ...STOPS]);
  const prices = isStop
    ? { price: undefined, stopLimitPx: price }
    : { price, stopLimitPx: undefined };
  return { ...terms, ...prices, trailingAmount: undefined, stopClOrdId: '' };
}

/** The command of an order whose exits follow its fill. Throws Problem. */
export function toBracket(
  state: State,
  instrument: Instrument,
  sent: Values<typeof OPO_WORKING> & { readonly pendingQuantity?: string },
  caller: TradingCaller,
): PlaceOrder {
  const { workingType: type, workingSide: side, workingQuantity: quantity } = sent;
  if (type !== 'LIMIT' && type !== 'LIMIT_MAKER') {
    throw unsupported('Send LIMIT or LIMIT_MAKER as workingType.');
  }
  if (SIDES[sent.pendingSide] !== opposite(SIDES[side])) {
    throw unsupported('pendingSide must be the other side of workingSide.');
  }
  if (sent.pendingQuantity !== undefined && plain(sent.pendingQuantity) !== plain(quantity)) {
    throw unsupported(
      'pendingQuantity must be workingQuantity: the exits are for what the order received.',
    );
  }
  const exits = exitsOf(sent, SIDES[side] === Side.buy);
  const order = {
    ...{ symbol: sent.symbol, newOrderRespType: undefined, quoteOrderQty: undefined, side, type },
    ...{ quantity, price: sent.workingPrice, stopPrice: sent.workingStopPrice },
    timeInForce: sent.workingTimeInForce,
    icebergQty: sent.workingIcebergQty,
    trailingDelta: sent.workingTrailingDelta,
    newClientOrderId: sent.workingClientOrderId,
    selfTradePreventionMode: sent.selfTradePreventionMode,
  };
  return toPlace(state, instrument, order, caller, exits);
}
