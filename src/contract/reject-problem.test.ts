// Rejections of the core in words: bounds with units and grouped digits, and both sides of a
// balance that is too small.
import { expect, test } from 'bun:test';
import { FIXED, Savings } from '../../test/support/savings.ts';
import { BTC, placeOrder, USDT, Venue } from '../../test/support/venue.ts';
import { OrdType, Side } from '../core/fix.ts';
import type { Outcome } from '../core/outcome.ts';
import { amount, lots, RATE_ONE, ticks } from '../core/units.ts';
import { stringify } from './json.ts';
import { answerOfReject } from './reject-problem.ts';

const USD = 10 ** 8;

function bodyOf(venue: Venue, outcome: Outcome) {
  if (outcome.ok) throw new Error('it was accepted');
  const { body } = answerOfReject(venue.exchange.state, outcome.reject);
  return JSON.parse(stringify(body)) as { userMsg: string; details: Record<string, unknown> };
}

test('a market buy by quantity that costs too much is measured in the quote asset', () => {
  const venue = new Venue({ users: 1 });
  venue.sell(1, 6_014_120, 1_000_000);
  const uid = venue.addUser(amount(0), amount(5_801_973_849_040));
  const { userMsg, details } = bodyOf(
    venue,
    venue.send(
      placeOrder({ uid, side: Side.buy, ordType: OrdType.market, orderQty: lots(1_000_000) }),
    ),
  );
  expect(userMsg).toBe(
    'Invalid field: orderQty. Insufficient balance: this order costs 60,141.20 USDT; ' +
      'you have 58,019.73 USDT.',
  );
  expect(details).toMatchObject({ limit: 58019.7384904, value: 60141.2, unit: 'USDT' });
  expect(details).toMatchObject({ nearest: 0.964725, nearestUnit: 'BTC' });
});

test('the quantity that a balance covers is measured in the base asset', () => {
  const venue = new Venue({ users: 1 });
  const uid = venue.addUser(amount(0), amount(50 * USD));
  const order = { uid, side: Side.buy, price: ticks(2_000_000), orderQty: lots(5_000) };
  const { userMsg, details } = bodyOf(venue, venue.send(placeOrder(order)));
  expect(userMsg).toEndWith('this order costs 100.00 USDT; you have 50 USDT.');
  expect(details).toMatchObject({ unit: 'USDT', nearest: 0.0025, nearestUnit: 'BTC' });
});

test('a missing amount never reads as if it were available', () => {
  const venue = new Venue({ users: 1 });
  const uid = venue.addUser(amount(0), amount(1000 * USD));
  const order = { uid, side: Side.buy, ordType: OrdType.market, quoteOrderQty: amount(1001 * USD) };
  const { userMsg } = bodyOf(venue, venue.send(placeOrder(order)));
  expect(userMsg).toEndWith('this order costs 1,001.00 USDT; you have 1,000.00 USDT.');
  const sell = { uid, side: Side.sell, price: ticks(1), orderQty: lots(1) };
  expect(bodyOf(venue, venue.send(placeOrder(sell))).userMsg).toEndWith(
    'this order costs 0.000001 BTC; you have 0 BTC.',
  );
});

test('minimums, bands, terms and rates are measured as well', () => {
  const venue = new Venue({ users: 1, terms: { minQuantity: lots(1_234_500_000) } });
  const tooSmall = { uid: 1, side: Side.sell, price: ticks(1), orderQty: lots(1) };
  const small = bodyOf(venue, venue.send(placeOrder(tooSmall)));
  expect(small.userMsg).toEndWith('The nearest accepted value is 1,234.5 BTC.');
  expect(small.details).toMatchObject({ unit: 'BTC', nearestUnit: 'BTC' });

  const savings = new Savings();
  const term = savings.offer({ ...FIXED, planType: 3, minLockDay: 7, maxRate: RATE_ONE / 10 });
  const short = bodyOf(savings, savings.apply(term, 10, { lockDay: 1 }));
  expect(short.userMsg).toEndWith('The nearest accepted value is 7 days.');
  expect(short.details).toMatchObject({ limit: 7, unit: 'days', nearestUnit: 'days' });

  const booster = { assetId: BTC, ratio: RATE_ONE, rate: 1 };
  const boosted = savings.offer({ ...FIXED, booster });
  const few = bodyOf(savings, savings.apply(boosted, 10, { boosterAmount: amount(9) }));
  expect(few.details).toMatchObject({ unit: 'BTC', nearestUnit: 'BTC' });
});

test('an operator who debits too much reads of the account', () => {
  const venue = new Venue({ users: 1, usdt: amount(5 * USD) });
  const debit = { uid: 1, assetId: USDT, amount: amount(6 * USD), reference: 'wire-1' } as const;
  const { userMsg } = bodyOf(
    venue,
    venue.send({ type: 'transferFunds', direction: 'debit', ...debit }),
  );
  expect(userMsg).toEndWith('this takes 6 USDT; the account has 5 USDT.');
});
