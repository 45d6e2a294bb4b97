// From the parameters of ccxt's order methods to the fields of a request. An order that version 1
// of the calls has is sent by version 1.
import type { Dict, Num, OrderSide, OrderType, Str } from 'ccxt';
import { ArgumentsRequired, InvalidOrder, NotSupported } from 'ccxt';
import { AgioMarketData } from './market-data.ts';

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
  descending: 'D',
  below: 'D',
};
/** ccxt's names of self-trade prevention; the exchange's own pass as they are. */
const PREVENTIONS: Readonly<Record<string, string>> = {
  EXPIRE_TAKER: 'cancelNewest',
  EXPIRE_MAKER: 'cancelOldest',
  EXPIRE_BOTH: 'cancelBoth',
  NONE: 'none',
};
const TRIGGERS = ['triggerPrice', 'stopPrice', 'stopLossPrice', 'takeProfitPrice'] as const;
/** Parameters that become fields of other names. */
const KNOWN = [
  ...TRIGGERS,
  'triggerDirection',
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
/** Fields that version 1 does not have. */
const NEW_FIELDS = [
  'stopPx',
  'timeInForce',
  'expireTime',
  'displayQty',
  'selfTradePrevention',
  'bracket',
];

export class AgioOrderRequests extends AgioMarketData {
  /** Whether version 1 of the calls lacks a term of the order. */
  protected needsVersion2(request: Dict): boolean {
    const sellsByQuote = request.side === SIDE.sell && request.quoteOrderQty !== undefined;
    return sellsByQuote || NEW_FIELDS.some((field) => request[field] !== undefined);
  }

  /** The fields of an order. */
  protected orderRequest(
    pair: string,
    type: OrderType,
    side: OrderSide,
    amount: Num,
    price: Num,
    params: Dict,
  ): Dict {
    const market = this.market(pair);
    const types = TYPE[type as keyof typeof TYPE];
    if (types === undefined) throw new InvalidOrder(`${this.id} has no orders of type ${type}`);
    const [postOnly, others] = this.handlePostOnly(type === 'market', false, params);
    const symbol = market!.symbol;
    const trigger = this.#trigger(symbol, side, others);
    const cost = this.safeString(others, 'cost');
    const clOrdId = this.safeString(others, 'clientOrderId');
    const shown = this.safeString(others, 'icebergQty');
    return {
      symbol: market!.id,
      side: SIDE[side as keyof typeof SIDE] ?? side,
      ordType: types[trigger.stopPx === undefined ? 0 : 1],
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

  /** A take profit is triggered in the other direction than a stop. */
  #trigger(symbol: string, side: OrderSide, params: Dict): Dict {
    const given = TRIGGERS.filter((name) => params[name] !== undefined);
    if (given.length > 1) throw new InvalidOrder(`${this.id} has one of ${TRIGGERS.join(', ')}`);
    const [name] = given;
    if (name === undefined) return {};
    const stopPx = this.priceToPrecision(symbol, this.safeString(params, name));
    const direction = this.safeString(params, 'triggerDirection');
    if (name === 'takeProfitPrice') {
      return { stopPx, triggerPriceDirection: side === 'buy' ? 'D' : 'U' };
    }
    return direction === undefined
      ? { stopPx }
      : { stopPx, triggerPriceDirection: DIRECTIONS[direction] ?? direction };
  }

  #prevention(params: Dict): Dict {
    const mode = this.safeString(params, 'selfTradePrevention');
    return mode === undefined ? {} : { selfTradePrevention: PREVENTIONS[mode] ?? mode };
  }

  /** The attached `takeProfit` and `stopLoss`, of which the exchange needs both. */
  #bracket(symbol: string, params: Dict): Dict {
    const { takeProfit, stopLoss } = params as { takeProfit?: Dict; stopLoss?: Dict };
    if (takeProfit === undefined && stopLoss === undefined) return {};
    const of = (exit: Dict | undefined, ...names: string[]): string | undefined => {
      const [found] = names.map((name) => this.safeString(exit, name)).filter((one) => one);
      return found === undefined ? undefined : this.priceToPrecision(symbol, found);
    };
    const takeProfitPx = of(takeProfit, 'price', 'triggerPrice', 'stopPrice');
    const stopPx = of(stopLoss, 'triggerPrice', 'stopPrice');
    if (takeProfitPx === undefined || stopPx === undefined) {
      throw new ArgumentsRequired(
        `${this.id} needs the triggerPrice of both takeProfit and stopLoss of an order`,
      );
    }
    const stopLimitPx = of(stopLoss, 'price');
    const bracket = { takeProfitPx, stopPx, ...(stopLimitPx === undefined ? {} : { stopLimitPx }) };
    return { bracket };
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
      ...this.omit(params, KNOWN),
    };
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
