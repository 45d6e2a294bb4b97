// From a draft of each kind to its order, its faults, and the sentence that says what it does.
import { describe, expect, test } from 'bun:test';
import { Side } from '../../../src/sdk/index.ts';
import { PAIR as pair } from '../../../test/support/order-form.ts';
import { dateTime } from '../../exact/format.ts';
import { exitFault } from './conditions.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { orderOf } from './order-terms.ts';
import { orderPreview } from './sentence.ts';
import { validate } from './validation.ts';

const { sell } = Side;
/** The terms that an order may lack. */
const LACKING = { timeInForce: undefined, execInst: undefined, displayQty: undefined };
const draft = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, amount: '0.5', ...change });
const EXPIRES = '2026-11-24T12:00';
const EXPIRE_TIME = new Date(EXPIRES).getTime();

const stop = { kind: 'stop', stopPrice: '58000' } as const;
const trailing = { kind: 'trailingStop', trailingPercent: '1.5' } as const;
const oco = { kind: 'oco', price: '65000', stopPrice: '58000' } as const;
const bracket = { ...oco, kind: 'bracket', price: '60000', takeProfit: '65000' } as const;

describe('the order of a draft', () => {
  test.each<[string, Partial<Draft>, object | null]>([
    ['a stop', { ...stop, side: sell }, { ordType: 3, stopPx: '58000', orderQty: '0.5' }],
    ['a stop without a trigger', { kind: 'stop' }, null],
    [
      'a stop that spends a total',
      { ...stop, basis: 'total', amount: '500' },
      { ordType: 3, stopPx: '58000', quoteOrderQty: '500' },
    ],
    [
      'a take profit that sells',
      { ...stop, kind: 'takeProfit', side: sell },
      { ordType: 3, triggerPriceDirection: 'U' },
    ],
    [
      'a take profit limit that buys',
      { ...stop, kind: 'takeProfitLimit', price: '1' },
      { ordType: 4, triggerPriceDirection: 'D', price: '1' },
    ],
    [
      'a post-only stop limit',
      { ...stop, kind: 'stopLimit', price: '57900', postOnly: true },
      { ordType: 4, stopPx: '58000', price: '57900', execInst: 6 },
    ],
    [
      'a trailing stop, in basis points',
      { ...trailing, side: sell },
      { ordType: 3, trailingDelta: 150, orderQty: '0.5' },
    ],
    [
      'a trailing stop by an amount, from a price on',
      { ...trailing, trailBy: 'trailingAmount', trailingAmount: '500', stopPrice: '58000' },
      { stopPx: '58000', triggerPriceDirection: 'D', trailingAmount: '500' },
    ],
    ['a trailing stop of a part of a basis point', { ...trailing, trailingPercent: '1.005' }, null],
    ['an OCO pair', oco, { ordType: 2, price: '65000', oco: { stopPx: '58000' } }],
    [
      'an OCO pair with a stop limit',
      { ...oco, stopLimit: '57900' },
      { oco: { stopPx: '58000', stopLimitPx: '57900' } },
    ],
    ['an OCO pair with an unreadable stop limit', { ...oco, stopLimit: 'x' }, null],
    ['a bracket', bracket, { bracket: { takeProfitPx: '65000', stopPx: '58000' } }],
    ['a bracket without a take profit', { ...bracket, takeProfit: '' }, null],
    ['an iceberg', { price: '60000', shown: '0.1' }, { displayQty: '0.1' }],
    [
      'an immediate limit, which is neither post-only nor an iceberg',
      { price: '60000', timeInForce: 'IOC', postOnly: true, shown: '0.1' },
      { timeInForce: 3, execInst: undefined, displayQty: undefined },
    ],
    [
      'a limit until a time',
      { price: '60000', timeInForce: 'GTD', expires: EXPIRES },
      { timeInForce: 6, expireTime: EXPIRE_TIME },
    ],
    ['a limit until a time that is missing', { price: '60000', timeInForce: 'GTD' }, null],
    [
      'a stop, which cannot be immediate',
      { ...stop, timeInForce: 'IOC' },
      { timeInForce: undefined },
    ],
    [
      'a market order of all or nothing',
      { kind: 'market', timeInForce: 'FOK' },
      { timeInForce: 4 },
    ],
    ['self-trade prevention', { price: '1', prevention: 'cancelBoth' }, {}],
  ])('%s', (_, change, order) => {
    const made = orderOf(draft(change), pair);
    if (order === null) expect(made).toBeNull();
    else expect({ ...LACKING, ...made }).toMatchObject(order);
  });

  test('the terms of one kind do not follow to another', () => {
    const everything = { ...bracket, shown: '0.1', stopLimit: '5', kind: 'market' } as const;
    expect(Object.keys(orderOf(draft(everything), pair)!).sort()).toEqual(
      ['orderQty', 'ordType', 'side', 'symbol'].sort(),
    );
  });
});

describe('faults, with the nearest value that passes', () => {
  const iceberg = { price: '60000', amount: '2' } as const;
  test.each<[string, Partial<Draft>, string | null, string | null]>([
    ['a trigger off its step', { ...stop, stopPrice: '61000.016' }, 'stopPrice', '61000.02'],
    ['a buy stop below the last price', { ...stop, stopPrice: '59999' }, 'stopPrice', '60000.01'],
    ['a buy stop at the last price', { ...stop, stopPrice: '60000' }, 'stopPrice', '60000.01'],
    ['a buy stop above it', { ...stop, stopPrice: '60000.01' }, null, null],
    ['a sell stop above it', { ...stop, stopPrice: '60001', side: sell }, 'stopPrice', '59999.99'],
    [
      'a take profit below it',
      { ...stop, kind: 'takeProfit', side: sell, stopPrice: '59000' },
      'stopPrice',
      '60000.01',
    ],
    ['a trailing stop', trailing, null, null],
    [
      'a distance off its step',
      { ...trailing, trailingPercent: '1.006' },
      'trailingPercent',
      '1.01',
    ],
    ['a distance too far', { ...trailing, trailingPercent: '50.001' }, 'trailingPercent', '50'],
    [
      'an amount above half of the last price',
      { ...trailing, trailBy: 'trailingAmount', trailingAmount: '30000.01' },
      'trailingAmount',
      '30000',
    ],
    [
      'a price to trail from that the last price has reached',
      { ...trailing, side: sell, stopPrice: '59000' },
      'stopPrice',
      '60000.01',
    ],
    ['an OCO pair', { ...oco, side: sell }, null, null],
    ['an OCO pair that buys', { ...oco, price: '58000', stopPrice: '61000' }, null, null],
    [
      'an OCO pair with its stop on the side of its price',
      { ...oco, side: sell, price: '57000' },
      'stopPrice',
      '56999.99',
    ],
    [
      'a bracket with its stop above its profit',
      { ...bracket, stopPrice: '66000' },
      'stopPrice',
      '64999.99',
    ],
    ['a bracket', bracket, null, null],
    ['a take profit off its step', { ...bracket, takeProfit: '65000.001' }, 'takeProfit', '65000'],
    ['too little shown', { ...iceberg, shown: '0.01' }, 'shown', '0.02'],
    ['a hundredth shown', { ...iceberg, shown: '0.02' }, null, null],
    ['more shown than ordered', { ...iceberg, shown: '3' }, 'shown', '2'],
    ['shown off the lot', { ...iceberg, shown: '0.5000004' }, 'shown', '0.5'],
    [
      'an expiry in the past',
      { price: '60000', timeInForce: 'GTD', expires: EXPIRES },
      'expires',
      null,
    ],
  ])('%s', (_, change, field, nearest) => {
    const now = { last: '60000', businessTime: EXPIRE_TIME };
    const { fault } = validate(draft(change), pair, null, now);
    expect([fault?.field ?? null, fault?.nearest ?? null]).toEqual([field, nearest]);
  });

  test('a stop that buys holds money up to five percent above its trigger', () => {
    const spend = (amount: string) =>
      validate(draft({ ...stop, amount }), pair, '60900').fault?.nearest ?? null;
    expect(spend('1')).toBeNull();
    expect(spend('1.000001')).toBe('1');
    const trail = draft({ ...trailing, amount: '1.000001' });
    // The trigger is 60,900 at first.
    const { fault } = validate(trail, pair, '63945', { last: '60000', businessTime: null });
    expect(fault?.nearest).toBe('1');
  });
});

describe('the sentence of an order', () => {
  const until = dateTime(EXPIRE_TIME).slice(0, -3);
  test.each<[Partial<Draft>, string]>([
    [{ price: '58000' }, 'Buys 0.5 BTC at 58,000 USDT or better.'],
    [
      { price: '58000', postOnly: true, side: sell },
      'Waits in the book to sell 0.5 BTC at 58,000 USDT.',
    ],
    [{ kind: 'market', basis: 'total', amount: '500' }, 'Buys BTC for 500 USDT at market.'],
    [
      { kind: 'market', side: sell, basis: 'total', amount: '500' },
      'Sells BTC for 500 USDT at market.',
    ],
    [{ ...stop, side: sell }, 'When the last price falls to 58,000 USDT, sells 0.5 BTC at market.'],
    [
      { ...stop, kind: 'takeProfitLimit', price: '57900' },
      'When the last price falls to 58,000 USDT, buys 0.5 BTC at 57,900 USDT or better.',
    ],
    [
      { ...trailing, side: sell },
      'Trails from now on, 1.5% below the last price: the trigger is 59,100 USDT. ' +
        'The trigger rises with the price and never falls. ' +
        'When the last price falls to it, sells 0.5 BTC at market.',
    ],
    [
      { ...trailing, trailBy: 'trailingAmount', trailingAmount: '500', stopPrice: '58000' },
      'Begins to trail when the last price falls to 58,000 USDT, 500 USDT above it: ' +
        'the first trigger is 58,500 USDT. The trigger falls with the price and never rises. ' +
        'When the last price rises to it, buys 0.5 BTC at market.',
    ],
    [
      { ...oco, side: sell },
      'Sells 0.5 BTC at 65,000 USDT or better. ' +
        'If the last price falls to 58,000 USDT first, sells 0.5 BTC at market instead.',
    ],
    [
      bracket,
      'Buys 0.5 BTC at 60,000 USDT or better. Then sells it at 65,000 USDT or better, ' +
        'or at market when the last price falls to 58,000 USDT.',
    ],
    [
      { price: '58000', timeInForce: 'GTD', expires: EXPIRES, shown: '0.1' },
      `Buys 0.5 BTC at 58,000 USDT or better. It expires on ${until}. ` +
        'The book shows 0.1 BTC at a time.',
    ],
    [
      { price: '58000', timeInForce: 'FOK' },
      'Buys 0.5 BTC at 58,000 USDT or better. ' +
        'It trades completely and immediately, or not at all.',
    ],
  ])('%p', (change, sentence) => {
    expect(orderPreview(orderOf(draft(change), pair)!, pair, '60000')).toBe(sentence);
  });
});

test.each<[Partial<Draft>, string]>([
  [{ kind: 'market', amount: '2', side: sell }, 'Sells up to 2 BTC at market.'],
  [{ kind: 'market', basis: 'total', amount: '500' }, 'Buys BTC for up to 500 USDT at market.'],
  [{ kind: 'market', amount: '2', timeInForce: 'FOK' }, 'Buys all of 2 BTC at market, or nothing.'],
  [{ price: '58000', amount: '2' }, 'Buys up to 2 BTC at 58,000 USDT or better.'],
])('the sentence of an order that may trade only a part: %p', (change, sentence) => {
  expect(orderPreview(orderOf(draft(change), pair)!, pair, null, true)).toBe(sentence);
});

describe('exits on the wrong side of the entry', () => {
  const orderWith = (change: Partial<Draft>) => orderOf(draft({ ...bracket, ...change }), pair)!;
  test.each<[string, Partial<Draft>, string | null, string | null, string | null]>([
    ['rest below and above the limit', {}, null, null, null],
    ['a limit that reaches the market', { price: '70000' }, '60331', null, null],
    ['a target below the limit', { takeProfit: '59500' }, null, 'takeProfit', '60000.01'],
    [
      'a target below the market that the limit reaches',
      { price: '60900', takeProfit: '60300', stopPrice: '59000' },
      '60331.54',
      'takeProfit',
      '60331.55',
    ],
    [
      'a stop above the limit',
      { stopPrice: '61000', takeProfit: '65000' },
      '60331',
      'stopPrice',
      '59999.99',
    ],
    [
      'a stop below a sale',
      { side: sell, takeProfit: '50000', stopPrice: '59000' },
      null,
      'stopPrice',
      '60000.01',
    ],
  ])('%s', (_, change, best, field, nearest) => {
    const fault = exitFault(orderWith(change), pair, best);
    expect([fault?.field ?? null, fault?.nearest ?? null]).toEqual([field, nearest]);
  });

  test('the sentence names the price of the entry', () => {
    const fault = exitFault(orderWith({ takeProfit: '59500' }), pair, null);
    expect(fault!.text).toBe(
      'The take profit must be above 60,000.00 USDT, where this order is expected to execute.',
    );
  });
});
