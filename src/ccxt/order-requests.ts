// From the parameters of ccxt's order methods to the fields of a request. An order that version 1
// of the calls has is sent by version 1.
import type { Dict, Num, OrderRequest, OrderSide, OrderType, Str } from 'ccxt';
import { ArgumentsRequired, InvalidOrder, NotSupported, Precise } from 'ccxt';
import { NEW_ORDER_FIELDS } from './generated/calls.ts';
import { AgioMarketData } from './market-data.ts';
import type { OrderTerms } from './terms.ts';

const SIDE = { buy: '1', sell: '2' } as const;
/** ordType by ccxt's type, without and with a trigger. */
const TYPE = { market: ['1', '3'], limit: ['2', '4'] } as const;
/** execInst of a post-only order. */
export const POST_ONLY = '6';
const TIMES_IN_FORCE: Readonly<Record<string, string>> = {
  GTC: '1',
  IOC: '3',
  FOK: '4',
  GTD: '6',
};
const DIRECTIONS: Readonly<Record<string, string>> = {
  ascending: 'U',
  above: 'U',
  up: 'U',
  descending: 'D',
  below: 'D',
  down: 'D',
};
/** The direction in which a stop protects a position; a take profit has the other. */
export const STOP_LOSS: Readonly<Record<string, string>> = { buy: 'U', sell: 'D' };
const TAKE_PROFIT: Readonly<Record<string, string>> = { buy: 'D', sell: 'U' };
/** ccxt's names of self-trade prevention; the exchange's own pass as they are. */
const PREVENTIONS: Readonly<Record<string, string>> = {
  EXPIRE_TAKER: 'cancelNewest',
  EXPIRE_MAKER: 'cancelOldest',
  EXPIRE_BOTH: 'cancelBoth',
  NONE: 'none',
};
const TRIGGERS = [
  ...(['triggerPrice', 'stopPrice', 'stopLossPrice', 'takeProfitPrice'] as const),
  // Where a trailing stop begins to trail.
  'trailingTriggerPrice',
] as const;
/** Parameters that become fields of other names. */
const KNOWN = [
  ...TRIGGERS,
  'triggerDirection',
  'trailingPercent',
  'trailingAmount',
  'timeInForce',
  'goodTillDate',
  'cost',
  'clientOrderId',
  'icebergQty',
  'selfTradePrevention',
  'stopLoss',
  'takeProfit',
  'test',
];
/** Version 1 has one timeInForce, which is not sent. */
const NEW_FIELDS = ['timeInForce', ...NEW_ORDER_FIELDS];

export class AgioOrderRequests extends AgioMarketData {
  /** True if version 1 of the calls lacks a term of the order. */
  protected needsVersion2(request: Dict): boolean {
    const sellsByQuote = request.side === SIDE.sell && request.quoteOrderQty !== undefined;
    return sellsByQuote || NEW_FIELDS.some((field) => request[field] !== undefined);
  }

  /** The fields of an order. */
  protected async orderRequest(
    ...[symbol, type, side, amount, price, params]: OrderTerms
  ): Promise<Dict> {
    const [request] = await this.orderRequests([{ symbol, type, side, amount, price, params }]);
    return request!;
  }

  /** The fields of each order. */
  protected async orderRequests(orders: OrderRequest[]): Promise<Dict[]> {
    const requests = orders.map((order) => this.#requestOf(order));
    await this.#decideDirections(requests);
    return requests;
  }

  /**
   * A trigger without a direction waits for the price from the side on which it is now. Without a
   * trade so far, the exchange decides as for a stop loss.
   */
  async #decideDirections(requests: Dict[]): Promise<void> {
    const open = requests.filter(
      ({ stopPx, triggerPriceDirection }) =>
        stopPx !== undefined && triggerPriceDirection === undefined,
    );
    for (const symbol of new Set(open.map((request) => request.symbol))) {
      const [last]: Dict[] = await this.marketPublicGetV1Trades({ symbol, limit: 1 });
      for (const request of open) {
        if (last === undefined || request.symbol !== symbol) continue;
        const isAbove = Precise.stringGt(request.stopPx, last.price);
        request.triggerPriceDirection = isAbove ? 'U' : 'D';
      }
    }
  }

  #requestOf({ symbol: pair, type, side, amount, price, params = {} }: OrderRequest): Dict {
    const market = this.market(pair);
    const types = TYPE[type as keyof typeof TYPE];
    if (types === undefined) {
      const known = 'limit and market; a stop is one of them with a triggerPrice';
      throw new InvalidOrder(`${this.id} has no orders of type ${type}, only ${known}`);
    }
    const own = this.withoutChoices(params);
    const [postOnly, others] = this.handlePostOnly(type === 'market', false, own);
    const symbol = market!.symbol;
    const trigger = { ...this.#trigger(symbol, side, others), ...this.#trail(symbol, others) };
    const waits = Object.keys(trigger).length > 0;
    const cost = this.safeString(others, 'cost');
    const clOrdId = this.safeString(others, 'clientOrderId');
    const shown = this.safeString(others, 'icebergQty');
    return {
      symbol: market!.id,
      side: SIDE[side as keyof typeof SIDE] ?? side,
      ordType: types[waits ? 1 : 0],
      ...(cost === undefined
        ? { orderQty: this.amountToPrecision(symbol, amount) }
        : { quoteOrderQty: this.costToPrecision(symbol, cost) }),
      ...(type === 'limit' ? { price: this.priceToPrecision(symbol, price) } : {}),
      ...(postOnly ? { execInst: POST_ONLY } : {}),
      ...this.#timeInForce(type, others),
      ...trigger,
      ...(shown === undefined ? {} : { displayQty: this.amountToPrecision(symbol, shown) }),
      ...this.#prevention(others),
      ...this.#bracket(symbol, others),
      ...(clOrdId === undefined ? {} : { clOrdId }),
      ...this.omit(others, KNOWN),
    };
  }

  #timeInForce(type: OrderType, params: Dict): Dict {
    const name = this.safeStringUpper(params, 'timeInForce', 'GTC')!;
    const timeInForce = TIMES_IN_FORCE[name];
    if (timeInForce === undefined) throw new NotSupported(`${this.id} has no timeInForce ${name}`);
    // A market order never rests, so both mean the same.
    if (name === 'GTC' || (name === 'IOC' && type === 'market')) return {};
    const expireTime = this.safeInteger2(params, 'expireTime', 'goodTillDate');
    return name === 'GTD' ? { timeInForce, expireTime } : { timeInForce };
  }

  #trigger(symbol: string, side: OrderSide, params: Dict): Dict {
    const given = TRIGGERS.filter((name) => params[name] !== undefined);
    if (given.length > 1) throw new InvalidOrder(`${this.id} has one of ${TRIGGERS.join(', ')}`);
    const [name] = given;
    if (name === undefined) return {};
    const stopPx = this.priceToPrecision(symbol, this.safeString(params, name));
    if (name === 'stopLossPrice') return { stopPx, triggerPriceDirection: STOP_LOSS[side!] };
    if (name === 'takeProfitPrice') return { stopPx, triggerPriceDirection: TAKE_PROFIT[side!] };
    const direction = this.safeString(params, 'triggerDirection');
    return direction === undefined
      ? { stopPx }
      : { stopPx, triggerPriceDirection: DIRECTIONS[direction] ?? direction };
  }

  /** The distance of a stop that trails: a percentage is sent in basis points. */
  #trail(symbol: string, params: Dict | undefined): Dict {
    const percent = this.safeString(params, 'trailingPercent');
    const amount = this.safeString(params, 'trailingAmount');
    const delta = percent === undefined ? undefined : Precise.stringMul(percent, '100');
    return {
      ...(delta === undefined ? {} : { trailingDelta: delta }),
      ...(amount === undefined ? {} : { trailingAmount: this.priceToPrecision(symbol, amount) }),
    };
  }

  #prevention(params: Dict): Dict {
    const mode = this.safeString(params, 'selfTradePrevention');
    return mode === undefined ? {} : { selfTradePrevention: PREVENTIONS[mode] ?? mode };
  }

  /** The attached `takeProfit` and `stopLoss`, or one of them. */
  #bracket(symbol: string, params: Dict): Dict {
    const { takeProfit, stopLoss } = params as { takeProfit?: Dict; stopLoss?: Dict };
    if (takeProfit === undefined && stopLoss === undefined) return {};
    const of = (exit: Dict | undefined, ...names: string[]): string | undefined => {
      const [found] = names.map((name) => this.safeString(exit, name)).filter((one) => one);
      return found === undefined ? undefined : this.priceToPrecision(symbol, found);
    };
    const takeProfitPx = of(takeProfit, 'price', 'triggerPrice', 'stopPrice');
    const stopPx = of(stopLoss, 'triggerPrice', 'stopPrice');
    const trail = this.#trail(symbol, stopLoss);
    const waits = stopPx !== undefined || Object.keys(trail).length > 0;
    if ((takeProfit && takeProfitPx === undefined) || (stopLoss && !waits)) {
      throw new ArgumentsRequired(`${this.id} needs the triggerPrice of takeProfit and stopLoss`);
    }
    const stopLimitPx = of(stopLoss, 'price');
    const exits = {
      ...(takeProfitPx === undefined ? {} : { takeProfitPx }),
      ...(stopPx === undefined ? {} : { stopPx }),
      ...(stopLimitPx === undefined ? {} : { stopLimitPx }),
      ...trail,
    };
    return { bracket: exits };
  }

  /** The fields of an amendment; only those that are given change. */
  protected amendRequest(id: Str, pair: string, amount: Num, price: Num, params: Dict): Dict {
    const market = this.market(pair);
    const symbol = market!.symbol;
    const clientOrderId = this.safeString(params, 'clientOrderId');
    const trigger = TRIGGERS.map((name) => this.safeString(params, name)).find((one) => one);
    const shown = this.safeString(params, 'icebergQty');
    return {
      symbol: market!.id,
      ...(id === '' || id === undefined ? {} : { orderId: id }),
      ...(clientOrderId === undefined ? {} : { origClOrdId: clientOrderId }),
      ...(amount === undefined ? {} : { orderQty: this.amountToPrecision(symbol, amount) }),
      ...(price === undefined ? {} : { price: this.priceToPrecision(symbol, price) }),
      ...(trigger === undefined ? {} : { stopPx: this.priceToPrecision(symbol, trigger) }),
      ...(shown === undefined ? {} : { displayQty: this.amountToPrecision(symbol, shown) }),
      ...this.omit(this.withoutChoices(params), KNOWN),
    };
  }

  /** The ids of the orders of a batch. */
  protected cancelRequests(ids: string[], { clientOrderIds = [] }: Dict): Dict[] {
    const named = (clientOrderIds as string[]).map((origClOrdId) => ({ origClOrdId }));
    return [...ids.map((orderId) => ({ orderId })), ...named];
  }

  protected cancelRequest(id: string, params: Dict): Dict {
    const clientOrderId = this.safeString(params, 'clientOrderId');
    return {
      ...(id === '' || id === undefined ? {} : { orderId: id }),
      ...(clientOrderId === undefined ? {} : { origClOrdId: clientOrderId }),
      ...this.omit(params, 'clientOrderId'),
    };
  }
}
