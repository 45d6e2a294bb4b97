// A term of 90 days, from the list of plans to the redemption, on a sandbox whose clock it moves.
// It reads decimals as text and adds them as integers: money never passes through a float.
// Run: npx bun examples/earn.ts [DATA]
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const data = process.argv[2] ?? 'data';
const { url, demo, operatorToken } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'));

type Decimal = string | number;
type Item = Readonly<Record<string, Decimal>>;
interface Answer {
  readonly code: string;
  readonly userMsg?: string;
  readonly data: Item & { readonly items: readonly Item[] };
}

/** A number that is not an integer stays text. */
const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) ? context?.source : value;

async function send<T>(method: string, target: string, headers: HeadersInit, body: string) {
  const sent = method === 'GET' ? { method, headers } : { method, headers, body };
  return JSON.parse(await (await fetch(url + target, sent)).text(), exact) as T;
}

/** A signed call as the demo user. The code of an earn error is not 0. */
async function earn(method: string, target: string, body?: object): Promise<Answer['data']> {
  const timestamp = String(Date.now());
  const text = body === undefined ? '' : JSON.stringify(body);
  const path = `/earn-api/v1/user/${target}`;
  const signed = timestamp + method + path.replace('?', '') + text;
  const headers = {
    'Content-Type': 'application/json',
    'EXCHANGE-API-KEY': demo.apiKey,
    'EXCHANGE-API-TIMESTAMP': timestamp,
    'EXCHANGE-API-SIGN': createHmac('sha256', demo.secretKey).update(signed).digest('hex'),
  };
  const answer = await send<Answer>(method, path, headers, text);
  if (answer.code !== '0') throw new Error(answer.userMsg);
  return answer.data;
}

const operate = (method: string, call: string, body: object = {}) =>
  send<Item & Item[]>(
    method,
    `/operator/v1/${call}`,
    { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    JSON.stringify(body),
  );

async function balance(): Promise<Item> {
  const balances = await operate('GET', `users/${demo.uid}/balances`);
  return balances.find(({ asset }) => asset === 'USDT')!;
}

/** In units of a coin of 8 decimals. */
function units(decimal: Decimal): bigint {
  const [whole, fraction = ''] = String(decimal).split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
}

const isoDay = (time: Decimal): string => new Date(Number(time)).toISOString().slice(0, 10);

const plans = (await earn('GET', 'plan/list')) as unknown as readonly Item[];
const plan = plans.find(({ planType, coin }) => planType === 3 && coin === 'USDT')!;
console.log(
  `${plan.planName}: ${plan.minLockDay} to ${plan.maxLockDay} days, ${plan.minApr} to ` +
    `${plan.maxApr} a year`,
);

const term = { planId: plan.planId!, amount: '1234.56789012' };
const preview = await earn(
  'GET',
  `apply/preview?${new URLSearchParams({ ...term, day: '90' } as Record<string, string>)}`,
);
console.log(
  `${term.amount} USDT for 90 days at ${preview.apy} will earn ${preview.interestAmount}`,
);

const before = await balance();
const { applyId } = await earn('POST', 'plan/apply', { ...term, lockDay: 90 });
const { endDate } = await earn('GET', `apply/detail?applyId=${applyId}`);
const { now } = await operate('GET', 'clock');
const started = performance.now();
await operate('POST', 'clock/advance', { ms: Number(endDate) - Number(now) });
console.log(`subscription ${applyId}: to its end in ${Math.round(performance.now() - started)} ms`);

const { items } = await earn('GET', `apply/interest?applyId=${applyId}&currentPage=1&pageSize=100`);
const sum = items.reduce((total, { earnedAmount }) => total + units(earnedAmount!), 0n);
console.log(
  `${items.length} entries; their sum is the preview's: ${sum === units(preview.interestAmount!)}`,
);

for (const { date, earnedAmount } of items.slice(0, 2).reverse()) {
  const day = await earn('GET', `apply/interest/explain?applyId=${applyId}&date=${date}`);
  console.log(
    `${isoDay(date!)}: ${earnedAmount}, exactly ${day.exact}, carried on ${day.carriedOut}`,
  );
}

const { status, totalEarnedAmount } = await earn('GET', `apply/detail?applyId=${applyId}`);
const after = await balance();
console.log(`status ${status}, earned ${totalEarnedAmount}`);
console.log(
  `balance ${before.available} before, ${after.available} after, ${after.earn} still in plans`,
);
