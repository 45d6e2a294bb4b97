// Servers that break one rule each, and the clause that has to be named.
import type { Break, Passing } from './breaking-proxy.ts';

export interface Mutation {
  readonly what: string;
  /** The check that has to fail. */
  readonly id: string;
  readonly how: Break;
}

type Tree = Record<string, unknown>;

const to = (ending: string) => (passing: Passing) =>
  passing.path.endsWith(ending) && passing.status === 200;

/** Changes the JSON of the answers of one call. */
const body = (ending: string, change: (json: Tree, passing: Passing) => unknown): Break => ({
  answer(passing) {
    if (!to(ending)(passing)) return;
    const json = JSON.parse(passing.text);
    passing.text = JSON.stringify(change(json, passing) ?? json);
  },
});

/** Changes each row of a list, or of the list in `data`. */
const rows = (ending: string, change: (row: Tree) => void): Break =>
  body(ending, (json) => {
    const list = Array.isArray(json) ? json : ((json.data as Tree[] | undefined) ?? []);
    for (const row of list as Tree[]) change(row);
  });

const text = (ending: string, from: RegExp, into: string): Break => ({
  answer(passing) {
    if (to(ending)(passing)) passing.text = passing.text.replace(from, into);
  },
});

/** Where the server says no with this code, it is said to have said yes. */
const accepts = (code: number, ending: string, answer = '{}'): Break => ({
  answer(passing) {
    if (!passing.path.endsWith(ending) || !passing.text.includes(`"code":"${code}"`)) return;
    passing.status = 200;
    passing.text = answer;
  },
});

const withoutHeader = (name: string): Break => ({ answer: ({ headers }) => headers.delete(name) });

const change = (of: (message: Tree) => boolean, by: (message: Tree) => Tree | null): Break => ({
  message: (message) => (of(message) ? by(message) : message),
});
const isUpdate = ({ type }: Tree): boolean => type === 'update';

const without = (json: Tree, name: string): void => {
  delete json[name];
};
const mutation = (id: string, what: string, how: Break): Mutation => ({ id, what, how });

const signing: readonly Mutation[] = [
  mutation('AUTH-02', 'missing headers are 400', {
    answer(passing) {
      if (passing.status === 401) passing.status = 400;
    },
  }),
  mutation('AUTH-03', 'signatures are not checked', accepts(100401, '/balances', '[]')),
  mutation('AUTH-04', 'an unknown key is told apart', {
    answer(passing) {
      if (passing.sent.get('exchange-api-key') !== 'f'.repeat(40)) return;
      passing.text = passing.text.replace('The API key or the', 'The');
    },
  }),
  mutation('AUTH-06', 'the window is wider', accepts(100402, '/balances', '[]')),
  mutation('AUTH-08', 'the method is not signed', accepts(100401, '/balances', '[]')),
  mutation('AUTH-09', 'the query is not signed', accepts(100401, '/orders')),
  mutation('AUTH-10', 'the body is not signed', accepts(100401, '/testorder')),
  mutation('AUTH-11', 'bytes may move from the query to the path', accepts(100404, '/orderst')),
  mutation('AUTH-12', 'private calls are open', accepts(100401, '/currentList')),
  mutation('AUTH-13', 'a signature works twice', accepts(100405, '/order/cancel')),
];

const marketData: readonly Mutation[] = [
  mutation(
    'MKT-01',
    'instruments lack a field',
    rows('v2/instruments', (row) => without(row, 'fiat')),
  ),
  mutation(
    'MKT-01',
    'increments are strings',
    text('v2/instruments', /"baseAssetIncrement":([\d.]+)/g, '"baseAssetIncrement":"$1"'),
  ),
  mutation(
    'MKT-02',
    'version 1 has the field of version 2',
    rows('v1/instruments', (row) => {
      row.apiTradeSupported = true;
    }),
  ),
  mutation('MKT-03', 'no Deprecation', withoutHeader('deprecation')),
  mutation('MKT-05', 'a mismatch is taken', accepts(100202, '/instruments', '[]')),
  mutation(
    'MKT-07',
    'bids ascend',
    body('/orderbook', (json) => ({ ...json, bids: (json.bids as unknown[]).reverse() })),
  ),
  mutation('MKT-08', 'another default depth', text('/orderbook', /"depth":20/, '"depth":10')),
  mutation(
    'MKT-09',
    'lastUpdateId stands still',
    text('/orderbook', /"lastUpdateId":\d+/, '"lastUpdateId":1'),
  ),
  mutation('MKT-10', 'an unknown symbol has a book', accepts(100201, '/orderbook')),
  mutation(
    'MKT-11',
    'level 3 in numbers',
    text('/l3Orderbook', /\[\["([\d.]+)","([\d.]+)"/g, '[[$1,$2'),
  ),
  mutation(
    'MKT-12',
    'a level is not the sum of its orders',
    text('/l3Orderbook', /"([\d.]+)"\]\]\]/g, '"$11"]]]'),
  ),
  mutation(
    'MKT-13',
    'level 2 leaves out a level',
    body('/orderbook', (json) => ({ ...json, bids: (json.bids as unknown[]).slice(1) })),
  ),
  mutation(
    'MKT-14',
    'trades come oldest first',
    body('public/v1/trades', (json) => (json as unknown as unknown[]).reverse()),
  ),
];

const orders: readonly Mutation[] = [
  mutation(
    'ORD-01',
    'an order is answered without its time',
    body('/order', (json) => without(json, 'transactTime')),
  ),
  mutation(
    'ORD-01',
    'another clOrdId than was sent',
    text('/order', /"clOrdId":"kit/, '"clOrdId":"tik'),
  ),
  mutation(
    'ORD-03',
    'prices of reports are strings',
    text('/orders', /"price":([\d.]+)/g, '"price":"$1"'),
  ),
  mutation(
    'ORD-04',
    'a new order is pending',
    text('/orders', /"ordStatus":0,"execType":0/g, '"ordStatus":10,"execType":10'),
  ),
  mutation('ORD-08', 'userMsg does not name the field', {
    answer(passing) {
      if (passing.status === 400) passing.text = passing.text.replace(/field[^:]*: \w+/, 'field');
    },
  }),
  mutation('ORD-10', 'a mismatch is taken', accepts(100202, '/testorder')),
  mutation('ORD-11', 'prices off the grid are taken', accepts(100208, '/testorder')),
  mutation('ORD-13', 'too small orders are taken', accepts(100207, '/testorder')),
  mutation('ORD-14', 'other terms are taken', accepts(100210, '/testorder')),
  mutation('ORD-16', 'orders without money are taken', accepts(100206, '/testorder')),
  mutation('ORD-17', 'unknown fields are taken', accepts(100200, '/testorder')),
  mutation(
    'ORD-19',
    'a test order is answered as a real one',
    text('/testorder', /\{\}/, '{"orderId":1}'),
  ),
  mutation(
    'ORD-21',
    'a rejected order has no reason',
    rows('/orders', (row) => without(row, 'ordRejReason')),
  ),
  mutation('ORD-22', 'no average price', text('/orders', /"avgPx":[\d.]+/g, '"avgPx":0')),
  mutation(
    'CXL-01',
    'no origClOrdId',
    body('/cancel', (json) => without(json, 'origClOrdId')),
  ),
  mutation(
    'CXL-02',
    'a canceled order is filled',
    text('/orders', /"ordStatus":4,"execType":4/g, '"ordStatus":2,"execType":2'),
  ),
  mutation('CXL-05', 'ids need not match', accepts(100204, '/cancel')),
  mutation('CXL-07', 'unknown orders are canceled', accepts(100203, '/cancel')),
  mutation('CXL-08', 'a mass cancel cancels nothing', {
    instead({ path, body: sent }) {
      if (!path.endsWith('/masscancel')) return null;
      const { symbol, securityId } = JSON.parse(sent);
      return JSON.stringify({ clOrdId: 'kit-mass', symbol, securityId });
    },
  }),
];

const queries: readonly Mutation[] = [
  mutation('QRY-01', 'another type is taken', accepts(100200, '/orders', '{"data":[]}')),
  mutation('QRY-03', 'OPEN has closed orders', {
    answer(passing) {
      if (passing.query.includes('type=OPEN')) {
        passing.text = passing.text.replace(/"ordStatus":0/, '"ordStatus":4');
      }
    },
  }),
  mutation(
    'QRY-04',
    'oldest first',
    body('/orders', (json) => ({ ...json, data: (json.data as unknown[]).reverse() })),
  ),
  mutation('QRY-05', 'the next page repeats a row', {
    answer(passing) {
      const next = (_: string, row: string) => `"lastRowId":${Number(row) + 1}`;
      passing.text = passing.text.replace(/"lastRowId":(\d+)/, next);
    },
  }),
  mutation('QRY-06', 'another size of pages', text('/orders', /"size":500/, '"size":100')),
  mutation('QRY-07', 'any window', accepts(100213, '/orders', '{"data":[]}')),
];

const conventions: readonly Mutation[] = [
  mutation('ACC-01', 'totals are wrong', text('/balances', /"total":/g, '"total":1')),
  mutation('FORM-01', 'numbers have exponents', text('/balances', /"held":0/g, '"held":0e0')),
  mutation('FORM-01', 'zeros at the end', text('/balances', /"held":0,/g, '"held":0.0,')),
  mutation('FORM-02', 'a refusal without userMsg', {
    answer(passing) {
      if (passing.status === 503) passing.text = passing.text.replace('"userMsg"', '"text"');
    },
  }),
  mutation('FORM-05', 'an envelope around fees', {
    answer(passing) {
      if (to('/fees')(passing)) passing.text = `{"code":"0","data":${passing.text}}`;
    },
  }),
  mutation('FORM-06', 'no X-Request-Id', withoutHeader('x-request-id')),
  mutation('FORM-07', 'no X-Agio-Seq', withoutHeader('x-agio-seq')),
  mutation(
    'FORM-09',
    'a field that is not described',
    text('/fees', /"makerFee"/g, '"own":1,"makerFee"'),
  ),
  mutation('FORM-09', 'an id as a text', text('/fees', /"securityId":(\d+)/g, '"securityId":"$1"')),
  mutation('FORM-08', 'RateLimit of another form', {
    answer: ({ headers }) => {
      if (headers.has('ratelimit')) headers.set('ratelimit', 'limit=10, remaining=9');
    },
  }),
  mutation('HTTP-01', 'unknown paths are 400', {
    answer(passing) {
      if (passing.status === 404) passing.status = 400;
    },
  }),
  mutation('HTTP-02', 'no Allow', withoutHeader('allow')),
  mutation('HTTP-06', 'no idempotency', {
    request: (headers) => headers.delete('idempotency-key'),
  }),
];

const earn: readonly Mutation[] = [
  mutation(
    'ERN-01',
    'no envelope',
    body('/plan/list', (json) => json.data),
  ),
  mutation(
    'ERN-01',
    'no succ',
    body('/plan/list', (json) => without(json, 'succ')),
  ),
  mutation(
    'ERN-02',
    'an amount as a string',
    text('/plan/list', /"userAmountMin":(\d+)/g, '"userAmountMin":"$1"'),
  ),
  mutation('ERN-03', 'no apy', text('/plan/detail', /"apy":/, '"rate":')),
  mutation(
    'ERN-04',
    'flexible plans end',
    text('/preview', /"endDate":null/, '"endDate":1795305600000'),
  ),
  mutation('ERN-05', 'legacy errors have status 400', {
    answer(passing) {
      if (passing.text.includes('"errorCode"')) passing.status = 400;
    },
  }),
  mutation(
    'ERN-05',
    'the number is in code',
    text('/plan/detail', /"code":"500"/, '"code":"40000"'),
  ),
  mutation(
    'ERN-08',
    'dates are numbers',
    text('/currentList', /"startDate":"(\d+)"/g, '"startDate":$1'),
  ),
  mutation('ERN-09', 'no redeemHistories', text('/apply/detail', /"redeemHistories"/, '"history"')),
  mutation('ERN-10', 'no totalPage', text('/apply/interest', /"totalPage"/, '"pages"')),
  mutation(
    'ERN-13',
    'somebody else’s uid is taken',
    accepts(100403, '/detail/edit', '{"code":"0","msg":"success","data":true}'),
  ),
  mutation(
    'ERN-15',
    'a redemption is answered with an object',
    text('/apply/redeem', /"data":true/, '"data":{}'),
  ),
];

const streams: readonly Mutation[] = [
  mutation(
    'STR-01',
    'pong without a position',
    change(
      ({ op }) => op === 'pong',
      ({ seq: _, ...pong }) => pong,
    ),
  ),
  mutation(
    'STR-02',
    'errors lose the id',
    change(
      ({ op }) => op === 'error',
      ({ id: _, ...error }) => error,
    ),
  ),
  mutation(
    'STR-03',
    'no snapshot',
    change(
      ({ type }) => type === 'snapshot',
      () => null,
    ),
  ),
  mutation(
    'STR-04',
    'the chain is broken',
    change(isUpdate, (message) => ({ ...message, prevSeq: Number(message.prevSeq) - 1 })),
  ),
  mutation(
    'STR-05',
    'the checksum is wrong',
    change(isUpdate, (message) => ({ ...message, checksum: 1 })),
  ),
  mutation(
    'STR-07',
    'everybody is logged in',
    change(
      ({ op }) => op === 'error',
      () => ({ op: 'loggedIn', uid: 1 }),
    ),
  ),
  mutation(
    'STR-08',
    'orders are not told',
    change(
      (message) => message.channel === 'orders' && isUpdate(message),
      () => null,
    ),
  ),
];

export const MUTATIONS: readonly Mutation[] = [
  ...signing,
  ...marketData,
  ...orders,
  ...queries,
  ...conventions,
  ...earn,
  ...streams,
];
