// Bad input for each field of each earn call: 40001 by the field's name, in the envelope of the
// area; and what is not about fields, which keeps its status.
import { beforeAll, describe, expect, test } from 'bun:test';
import { routes } from '../../src/gateway/routes/routes.ts';
import {
  APPLY_DETAIL,
  APPLY_PREVIEW,
  assign,
  CURRENT_LIST,
  createPlan,
  customizedPlan,
  EDIT,
  EDIT_MARGIN,
  EXPLAIN,
  editMargin,
  expectData,
  expectLegacy,
  INTEREST,
  MARGINS,
  MEMBERS,
  PLAN_APPLY,
  PLAN_DETAIL,
  PLAN_LIST,
  REDEEM,
  REDEEM_PREVIEW,
  saver,
  subscribe,
} from '../support/earn.ts';
import { type Answer, type Client, signedHeaders, TestNode } from '../support/node.ts';
import { expectError } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
let planId: string;
let applyId: string;
beforeAll(async () => {
  client = await saver(node);
  planId = await customizedPlan(node);
  applyId = await subscribe(client, await createPlan(node), '1000');
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Fields Inc.' });
  await assign(node, client.uid, enterpriseId, true);
});

/** Values that are wrong for the field, as they stand in a query or as JSON in a body. */
type BadValues = Readonly<Record<string, readonly string[]>>;

const LONG = '1'.repeat(33);
const IDS = ['', LONG];
const PAGES = ['0', '-1', '1.5', 'x', '', '1e1', '2147483648', '01'];
const SIZES = ['0', '-1', '101', '1.5', 'x', '', '10.0'];
const AMOUNTS = ['0', '-1', '0.000000001', '1e3', 'x', '', '.5', '5.', '+1', 'NaN', '1'.repeat(61)];

const QUERIES: readonly [path: string, valid: () => Record<string, string>, bad: BadValues][] = [
  [PLAN_DETAIL, () => ({ planId }), { planId: IDS }],
  [
    APPLY_PREVIEW,
    () => ({ planId }),
    { planId: IDS, amount: AMOUNTS, day: ['-1', '1.5', 'x', '', '1e1'] },
  ],
  [APPLY_DETAIL, () => ({ applyId }), { applyId: IDS }],
  [INTEREST, () => ({ applyId }), { applyId: IDS, currentPage: PAGES, pageSize: SIZES }],
  [
    EXPLAIN,
    () => ({ applyId, date: '0' }),
    { applyId: IDS, date: ['-1', '1.5', 'x', '', '8640000000000001'] },
  ],
  [REDEEM_PREVIEW, () => ({ applyId }), { applyId: IDS, amount: AMOUNTS }],
  [CURRENT_LIST, () => ({}), {}],
];

const queryOf = (members: Record<string, string>): string =>
  Object.entries(members)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

for (const [path, valid, bad] of QUERIES) {
  describe(`GET ${path}`, () => {
    for (const [name, values] of Object.entries(bad)) {
      test(`refuses a bad ${name}`, async () => {
        for (const value of values) {
          const query = queryOf({ ...valid(), [name]: value });
          expectLegacy(await client.get(path, query), 40001, name);
        }
        const twice = `${queryOf({ ...valid(), [name]: '1' })}&${name}=1`;
        expect<unknown>(expectLegacy(await client.get(path, twice), 40001, name).rule).toBe(
          'unique',
        );
      });
    }

    test('needs its required parameters, and knows no others', async () => {
      for (const name of Object.keys(valid())) {
        const { [name]: _, ...others } = valid();
        const details = expectLegacy(await client.get(path, queryOf(others)), 40001, name);
        expect<unknown>(details.rule).toBe('required');
      }
      const more = queryOf({ ...valid(), nonsense: '1' });
      expectLegacy(await client.get(path, more), 40001, 'nonsense');
      expectLegacy(await client.get(path, `${queryOf(valid())}&`), 40001, 'query');
    });
  });
}

const NO_ID = ['""', `"${LONG}"`, 'true', '1.5', '1e3', '{}', '["1"]', LONG];
const NO_INTEGER = ['"x"', 'true', '1.5', '1e1', '{}', '[]', '""'];
const NO_AMOUNT = [
  '0',
  '-1',
  '"0"',
  '"-0.1"',
  '0.000000001',
  '1e3',
  '"x"',
  '""',
  'true',
  '{}',
  '[]',
  '1'.repeat(61),
];
const NO_BOOLEAN = ['"true"', '0', '1', '""', '{}'];
const NO_TEXT = ['""', '1', 'true', '"USDT\\u0001"', `"${'A'.repeat(33)}"`, '"NONE"'];
const NO_PAGE = ['0', '-1', '1.5', '"1"', 'true', '2147483648'];
const NO_SIZE = ['0', '-1', '101', '1.5', '"10"', 'true'];

const BODIES: readonly [path: string, valid: () => object, required: string[], bad: BadValues][] = [
  [
    PLAN_APPLY,
    () => ({ planId, amount: 100, lockDay: 30 }),
    ['planId', 'amount'],
    {
      planId: [...NO_ID, 'null'],
      amount: [...NO_AMOUNT, 'null'],
      lockDay: [...NO_INTEGER, '-1', '0', 'null'],
      autoRenew: NO_BOOLEAN,
      boosterAmount: ['1e3', '"x"', 'true', '{}', '""'],
      applyId: NO_ID,
    },
  ],
  [
    REDEEM,
    () => ({ applyId, amount: 1 }),
    ['applyId', 'amount'],
    { applyId: [...NO_ID, 'null'], amount: [...NO_AMOUNT, 'null'] },
  ],
  [
    EDIT,
    () => ({}),
    [],
    { applyId: NO_ID, uid: [...NO_INTEGER, '0', '-1'], autoRenew: NO_BOOLEAN },
  ],
  [
    MEMBERS,
    () => ({}),
    [],
    {
      planType: ['0', '4', '"FIXED"', 'true', '1.5'],
      symbol: NO_TEXT,
      pageNum: NO_PAGE,
      currentPage: NO_PAGE,
      pageSize: NO_SIZE,
    },
  ],
  [
    MARGINS,
    () => ({ pageNum: 1, pageSize: 10 }),
    ['pageNum', 'pageSize'],
    { asset: NO_TEXT, pageNum: [...NO_PAGE, 'null'], pageSize: [...NO_SIZE, 'null'] },
  ],
];

/** The JSON of a body in which one field has this text as its value. */
function withField(valid: object, name: string, json: string): string {
  const members = Object.entries({ ...valid, [name]: null }).map(
    ([key, value]) => `"${key}":${key === name ? json : JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}

for (const [path, valid, required, bad] of BODIES) {
  describe(`POST ${path}`, () => {
    for (const [name, values] of Object.entries(bad)) {
      test(`refuses a bad ${name}`, async () => {
        const { seq } = node;
        for (const value of values) {
          const answer = await client.post(path, withField(valid(), name, value));
          // A form that is right and a value that the core has to judge: a customized plan without
          // days.
          if (answer.headers.get('x-agio-seq') === null) expect(node.seq).toBe(seq);
          expectLegacy(answer, 40001, name);
        }
      });
    }

    test('needs its required fields, each once, and knows no others', async () => {
      for (const name of required) {
        const { [name]: _, ...others } = valid() as Record<string, unknown>;
        const details = expectLegacy(await client.post(path, others), 40001, name);
        expect<unknown>(details.rule).toBe('required');
      }
      expectLegacy(await client.post(path, { ...valid(), nonsense: 1 }), 40001, 'nonsense');
      const twice = '{"planId":"1","planId":"1","uid":1}';
      expect<unknown>(expectLegacy(await client.post(path, twice), 40001).rule).toBe('uniqueKeys');
    });

    test('has no query', async () => {
      const body = JSON.stringify(valid());
      const timestamp = client.timestamp();
      const signed = { method: 'POST', path, query: 'a=1', body, timestamp };
      const headers = signedHeaders(client.credentials, signed);
      expectLegacy(await node.post(`${path}?a=1`, body, headers), 40001, 'a');
    });

    test('keeps the status of what is not about fields', async () => {
      for (const text of ['', '{', '[]', '"x"', 'null', '{"a":"\\ud800"}']) {
        expectError(await client.post(path, text), 400, 100200);
      }
      expectError(await client.post(path, 'x'.repeat(16_385)), 413, 100413);
      const xml = { headers: { 'Content-Type': 'text/xml' } };
      expectError(await client.post(path, '<a/>', xml), 415, 100415);
    });
  });
}

describe(`POST ${EDIT_MARGIN}`, () => {
  const edit = (query: string): Promise<Answer> => editMargin(node, client, query);

  test('refuses a bad planId, a bad margin, one that is missing, and others', async () => {
    expectData(await edit(`planId=${planId}&margin=0`), true);
    for (const id of IDS) expectLegacy(await edit(`planId=${id}&margin=0`), 40001, 'planId');
    for (const margin of ['-0.01', '0.000000001', '1e-3', 'x', '', '1', '2.5']) {
      expectLegacy(await edit(`planId=${planId}&margin=${margin}`), 40001, 'margin');
    }
    expectLegacy(await edit(`planId=${planId}`), 40001, 'margin');
    expectLegacy(await edit('margin=0'), 40001, 'planId');
    expectLegacy(await edit(`planId=${planId}&margin=0&uid=1`), 40001, 'uid');
    expectLegacy(await edit(`planId=${planId}&margin=0&margin=0`), 40001, 'margin');
  });
});

describe('every earn path', () => {
  const earn = routes.filter(({ path }) => path.startsWith('/earn-api/'));

  test('is one of the contract, and answers in its envelope', () => {
    expect(earn).toHaveLength(14);
    expect(earn.filter(({ envelope }) => envelope === undefined)).toEqual([]);
  });

  test('keeps the status of what is refused before its fields are read', async () => {
    const reader = node.key(client.uid, { moduleIds: [5] });
    for (const { method, path, access } of earn) {
      const ask = (by: Client): Promise<Answer> =>
        method === 'GET' ? by.get(path) : by.post(path, '{}');
      if (access === 'public') continue;
      const unsigned = await (method === 'GET' ? node.get(path) : node.post(path, {}));
      expectError(unsigned, 401, 100401);
      expectError(await ask(reader), 403, 100403);
      expectError(await node.request(path, { method: 'PUT' }), 405, 100406);
      expectError(await node.request(`${path}/`, { method }), 404, 100404);
      const late = { headers: { 'X-Agio-Min-Seq': 'x' } };
      if (method === 'GET' && path === CURRENT_LIST) {
        expectError(await client.get(path, '', late), 400, 100200, 'X-Agio-Min-Seq');
      }
    }
    expectError(await node.request(PLAN_LIST, { method: 'POST' }), 405, 100406);
  });

  test('is limited like any other, with 429', async () => {
    await using limited = await TestNode.start({
      flags: ['--rate-limits', 'private=2/60/2'],
    });
    const busy = await saver(limited);
    const answers: Answer[] = [];
    for (let i = 0; i < 3; i++) answers.push(await busy.get(CURRENT_LIST));
    expectData(answers[0]!);
    expectError(answers[2]!, 429, 100429);
  });
});
