// The form of the error body.
import { expect, test } from 'bun:test';
import { JsonNumber, stringify } from './json.ts';
import { invalidField, marketBuyWithBothQuantities, Problem } from './problem.ts';

test('the body has the fields of the contract, and details where they help', () => {
  const problem = invalidField('price', 'be a multiple of 0.01', {
    rule: 'increment',
    limit: new JsonNumber('0.01'),
    nearest: new JsonNumber('64250.01'),
  });
  expect(problem).toBeInstanceOf(Error);
  expect(problem.http).toBe(400);
  expect(stringify(problem.body())).toBe(
    '{"code":"100200","msg":"business error",' +
      '"userMsg":"Invalid field: price. It must be a multiple of 0.01.",' +
      '"details":{"field":"price","rule":"increment","limit":0.01,"nearest":64250.01}}',
  );
  expect(stringify(new Problem('notFound').body())).toBe(
    '{"code":"100404","msg":"not found","userMsg":"No such path."}',
  );
});

test('a market buy with both quantities is rejected in the words of the contract', () => {
  const { userMsg } = marketBuyWithBothQuantities();
  expect(userMsg).toContain('Invalid field for market buy order: orderQty');
});

test('headers travel with the rejection', () => {
  const problem = new Problem('rateLimited', { headers: { 'Retry-After': '3' } });
  expect(problem.http).toBe(429);
  expect(problem.headers).toEqual({ 'Retry-After': '3' });
});
