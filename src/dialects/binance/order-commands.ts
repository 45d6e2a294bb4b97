// From Binance's parameters of a new order to agio's commands: the parameters become the fields of
// agio's own call, whose description and rules make the command.
import { missingField } from '../../contract/fields.ts';
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
import type { Taken } from './parameters.ts';
import { PREVENTIONS, type PreventionName, SIDES, TIMES, TYPES, type TypeName } from './words.ts';

const COMMON = 'symbol newOrderRespType? selfTradePreventionMode?';
const TERMS =
  'side type timeInForce? quantity? quoteOrderQty? price? stopPrice? trailingDelta? icebergQty?';
export const NEW_ORDER = `${COMMON} ${TERMS} newClientOrderId?` as const;
export type NewOrder = Taken<typeof NEW_ORDER>;

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
    if (sent[name] === undefined && !isOptional) throw missingField(name, `sent for ${type}`);
  }
  const others = CONDITIONAL.filter((name) => !needed.includes(name));
  const absent = needed.includes('stopPrice') ? others : [...others, ...TRAILING];
  for (const name of type === 'MARKET' ? absent : [...absent, 'quoteOrderQty' as const]) {
    if (sent[name] !== undefined) throw notNeeded(name, type);
  }
  if (quantity === undefined && quoteOrderQty === undefined) {
    throw missingField('quantity', 'sent for MARKET, or quoteOrderQty in its place');
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

const isZero = (text: string): boolean => /^0(?:\.0*)?$/.test(text);

/** A stop loss triggers away from the account, a take profit toward it. */
const directionOf = (side: Side, stop: 'loss' | 'profit'): 'U' | 'D' =>
  triggersUp(side) === (stop === 'loss') ? 'U' : 'D';

const legOf = <P extends string>(name: P) => {
  const terms = `${name}IcebergQty? ${name}Price? ${name}StopPrice? ${name}TimeInForce?` as const;
  return `${name}Type ${name}ClientOrderId? ${terms} ${name}TrailingDelta?` as const;
};

const LIST = `${COMMON} listClientOrderId?` as const;
/** POST orderList/oco. */
export const OCO = `${LIST} side quantity ${legOf('above')} ${legOf('below')}` as const;
const OLD_LIMIT = 'side quantity price limitClientOrderId?';
const OLD_STOP =
  'stopPrice? stopClientOrderId? stopLimitPrice? stopLimitTimeInForce? trailingDelta?';
/** POST order/oco, which Binance has deprecated. */
export const OLD_OCO = `${LIST} ${OLD_LIMIT} ${OLD_STOP}` as const;
const WORKING = `${legOf('working')} workingSide workingQuantity` as const;
const EXITS = `${legOf('pendingAbove')} ${legOf('pendingBelow')}` as const;
/** POST orderList/otoco. */
export const OTOCO = `${LIST} ${WORKING} pendingSide pendingQuantity ${EXITS}` as const;

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

/** The pair of two legs, where agio has it. Throws Problem. */
function pairOf(sent: Legs, above: string, below: string, sells: boolean): Pair {
  const [limit, stop] = sells ? [above, below] : [below, above];
  const value = (name: string) => sent[name] as string | undefined;
  const need = (name: string): string => {
    const found = value(name);
    if (found === undefined) throw missingField(name, 'sent for this order list');
    return found;
  };
  const stopType = need(`${stop}Type`);
  if (need(`${limit}Type`) !== 'LIMIT_MAKER' || !stopType.startsWith('STOP_LOSS')) {
    throw unsupported(
      `Send LIMIT_MAKER as ${limit}Type, and STOP_LOSS or STOP_LOSS_LIMIT as ${stop}Type.`,
    );
  }
  for (const prefix of [limit, stop]) {
    requireGtc(value(`${prefix}TimeInForce`));
    if (value(`${prefix}IcebergQty`) === undefined) continue;
    throw unsupported('The orders of a list are no icebergs.');
  }
  const foreign = [`${limit}StopPrice`, `${limit}TrailingDelta`];
  if (stopType === 'STOP_LOSS') foreign.push(`${stop}Price`);
  for (const name of foreign) if (sent[name] !== undefined) throw notNeeded(name, 'its type');
  const trailingDelta = sent[`${stop}TrailingDelta`] as number | undefined;
  return {
    price: need(`${limit}Price`),
    stopPx: trailingDelta === undefined ? need(`${stop}StopPrice`) : value(`${stop}StopPrice`),
    trailingDelta,
    trailingAmount: undefined,
    stopLimitPx: stopType === 'STOP_LOSS_LIMIT' ? need(`${stop}Price`) : undefined,
    clOrdId: value(`${limit}ClientOrderId`) ?? '',
    stopClOrdId: value(`${stop}ClientOrderId`) ?? '',
  };
}

function requireGtc(timeInForce: string | undefined): void {
  if (timeInForce === undefined || timeInForce === 'GTC') return;
  throw unsupported('The orders of a list are good till canceled.');
}

export const pairOfOco = (sent: Taken<typeof OCO>): Pair =>
  pairOf(sent, 'above', 'below', sent.side === 'SELL');

export function pairOfOldOco(sent: Taken<typeof OLD_OCO>): Pair {
  requireGtc(sent.stopLimitTimeInForce);
  const { stopPrice, trailingDelta } = sent;
  if (stopPrice === undefined && trailingDelta === undefined) {
    throw missingField('stopPrice', 'sent for this order list');
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
  sent: Prevention & Taken<'side quantity'>,
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

/** The command of an order whose exits follow its fill. Throws Problem. */
export function toBracket(
  state: State,
  instrument: Instrument,
  sent: Taken<typeof OTOCO>,
  caller: TradingCaller,
): PlaceOrder {
  const { workingType: type, workingSide: side, workingQuantity: quantity } = sent;
  if (type !== 'LIMIT' && type !== 'LIMIT_MAKER') {
    throw unsupported('Send LIMIT or LIMIT_MAKER as workingType.');
  }
  if (SIDES[sent.pendingSide] !== opposite(SIDES[side])) {
    throw unsupported('pendingSide must be the other side of workingSide.');
  }
  if (plain(sent.pendingQuantity) !== plain(quantity)) {
    throw unsupported(
      'pendingQuantity must be workingQuantity: the exits are for what the order received.',
    );
  }
  const pair = pairOf(sent, 'pendingAbove', 'pendingBelow', SIDES[side] === Side.buy);
  if (pair.clOrdId !== '' || pair.stopClOrdId !== '') {
    throw unsupported('The server names the pending orders: leave out their client ids.');
  }
  const order = {
    ...{ symbol: sent.symbol, newOrderRespType: undefined, quoteOrderQty: undefined, side, type },
    ...{ quantity, price: sent.workingPrice, stopPrice: sent.workingStopPrice },
    timeInForce: sent.workingTimeInForce,
    icebergQty: sent.workingIcebergQty,
    trailingDelta: sent.workingTrailingDelta,
    newClientOrderId: sent.workingClientOrderId,
    selfTradePreventionMode: sent.selfTradePreventionMode,
  };
  const { price: takeProfitPx, clOrdId: _, stopClOrdId: __, ...stop } = pair;
  return toPlace(state, instrument, order, caller, { takeProfitPx, ...stop });
}
