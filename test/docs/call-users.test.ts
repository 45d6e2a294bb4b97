// Every call has a user in this repository: a page, the command line, the ccxt class or an example.
// The documentation of every other call says who needs it.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiCall } from '../../src/contract/call.ts';
import { allCalls } from '../../src/contract/calls.ts';

const ROOT = join(import.meta.dir, '../..');

/** The text of all sources that match, without tests and generated files. */
function sources(pattern: string): string {
  const paths = [...new Bun.Glob(pattern).scanSync(ROOT)];
  const own = paths.filter((path) => !/\.test\.|\/generated\//.test(path));
  return own.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
}

const SDK_USERS = sources('{web,examples}/**/*.{ts,tsx}');
const COMMANDS = sources('src/cli/**/*.ts');
const CCXT = sources('src/ccxt/**/*.ts');

/** By client, the variables that the pages and the examples call it by. */
const VARIABLES = {
  customer: 'client|calls|reads|reader',
  userCenter: 'userCenter',
  operator: 'operator',
} as const;

/** `/spot-api/api/private/v2/orders` is V2Orders in a method of ccxt. */
const ccxtName = (path: string): string =>
  path
    .slice(Math.max(path.search(/\/v\d/), 0))
    .split('/')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

function hasUser({ client, name, path }: ApiCall): boolean {
  return (
    new RegExp(`\\b(${VARIABLES[client]})\\.${name}\\(`).test(SDK_USERS) ||
    new RegExp(`(Get|Post)${ccxtName(path)}\\(`).test(CCXT) ||
    (client === 'operator' &&
      new RegExp(`\\b(operatorCommand|call|transfer)\\('${name}'`).test(COMMANDS))
  );
}

/** The sentence about its user in the documentation of every other call. */
const USERS: Readonly<Record<string, RegExp>> = {
  'customer aggTrades': /For clients that count an incoming order once/,
  'customer avgPrice': /For clients that compare their prices/,
  'customer health': /For load balancers/,
  'customer instrumentsV1': /For clients that know only version 1/,
  'customer testOrder': /For clients that check an order/,
  'customer testOrderV2': /For clients that check an order/,
};

test('every call has a user, or its documentation names one', () => {
  const others = allCalls.filter((call) => !hasUser(call));
  expect(others.map(({ client, name }) => `${client} ${name}`).sort()).toEqual(
    Object.keys(USERS).sort(),
  );
  for (const { client, name, summary, about = '' } of others) {
    expect(`${summary} ${about}`).toMatch(USERS[`${client} ${name}`]!);
  }
});
