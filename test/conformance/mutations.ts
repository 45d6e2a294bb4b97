// Servers that break one rule each, and the check that has to fail.
import type { Break, Passing } from './breaking-proxy.ts';

/** The check that has to fail, the broken rule, and the change that breaks it. */
export type Mutation = readonly [id: string, rule: string, how: Break];

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

/** Turns the rejections with this code into successes. */
const accepts = (code: number, ending: string, answer = '{}'): Break => ({
  answer(passing) {
    if (!passing.path.endsWith(ending) || !passing.text.includes(`"code":"${code}"`)) return;
    passing.status = 200;
    passing.text = answer;
  },
});

/** Changes each answer that `selects` accepts. */
const answers = (
  selects: (passing: Passing) => boolean,
  change: (passing: Passing) => unknown,
): Break => ({
  answer(passing) {
    if (selects(passing)) change(passing);
  },
});

const status = (from: number, into: number): Break =>
  answers(
    (passing) => passing.status === from,
    (passing) => Object.assign(passing, { status: into }),
  );

/** Changes the text of the answers that `selects` accepts. */
const wording = (
  selects: (passing: Passing) => boolean,
  from: RegExp | string,
  into: string,
): Break =>
  answers(selects, (passing) => {
    passing.text = passing.text.replace(from, into);
  });

/** Sets a field of each row. */
const sets = (ending: string, name: string, value: unknown): Break =>
  rows(ending, (row) => Object.assign(row, { [name]: value }));

const withoutHeader = (name: string): Break => ({ answer: ({ headers }) => headers.delete(name) });

/** Changes or holds back the messages of a websocket that `selects` accepts. */
const messages = (
  selects: (message: Tree) => boolean,
  change: (message: Tree) => unknown,
): Break => ({
  message(message) {
    if (!selects(message)) return message;
    const changed = change(message);
    return changed === null ? null : ((changed as Tree | undefined) ?? message);
  },
});

/** Changes the rows of the data messages of one channel. */
const streamed = (channel: string, change: (row: Tree) => void): Break =>
  messages(
    (message) => message.channel === channel && message.data !== undefined,
    ({ data }) => (data as Tree[]).forEach(change),
  );
const isUpdate = ({ type }: Tree): boolean => type === 'update';
const hasOp =
  (name: string) =>
  ({ op }: Tree): boolean =>
    op === name;

const without =
  (name: string) =>
  (json: Tree): void => {
    delete json[name];
  };

const signing: readonly Mutation[] = [
  ['AUTH-02', 'missing headers are 400', status(401, 400)],
  ['AUTH-03', 'signatures are not checked', accepts(100401, '/balances', '[]')],
  [
    'AUTH-04',
    'an unknown key has its own rejection',
    wording(
      ({ sent }) => sent.get('exchange-api-key') === 'f'.repeat(40),
      'The API key or the',
      'The',
    ),
  ],
  ['AUTH-06', 'the window is wider', accepts(100402, '/balances', '[]')],
  ['AUTH-08', 'the method is not signed', accepts(100401, '/balances', '[]')],
  ['AUTH-09', 'the query is not signed', accepts(100401, '/orders')],
  ['AUTH-10', 'the body is not signed', accepts(100401, '/testorder')],
  ['AUTH-11', 'bytes may move from the query to the path', accepts(100404, '/orderst')],
  ['AUTH-12', 'private calls are open', accepts(100401, '/currentList')],
  ['AUTH-13', 'a signature works twice', accepts(100405, '/order/cancel')],
];

const marketData: readonly Mutation[] = [
  ['MKT-01', 'instruments lack a field', rows('v2/instruments', without('fiat'))],
  [
    'MKT-01',
    'increments are strings',
    text('v2/instruments', /"baseAssetIncrement":([\d.]+)/g, '"baseAssetIncrement":"$1"'),
  ],
  ['MKT-02', 'version 1 has a field of 2', sets('v1/instruments', 'apiTradeSupported', true)],
  ['MKT-03', 'no Deprecation', withoutHeader('deprecation')],
  ['MKT-05', 'a mismatch is accepted', accepts(100202, '/instruments', '[]')],
  [
    'MKT-07',
    'bids ascend',
    body('/orderbook', (json) => ({ ...json, bids: (json.bids as unknown[]).reverse() })),
  ],
  ['MKT-08', 'another default depth', text('/orderbook', /"depth":20/, '"depth":10')],
  [
    'MKT-09',
    'lastUpdateId stands still',
    text('/orderbook', /"lastUpdateId":\d+/, '"lastUpdateId":1'),
  ],
  ['MKT-10', 'an unknown symbol has a book', accepts(100201, '/orderbook')],
  ['MKT-11', 'level 3 in numbers', text('/l3Orderbook', /\[\["([\d.]+)","([\d.]+)"/g, '[[$1,$2')],
  [
    'MKT-12',
    'a level is not the sum of its orders',
    text('/l3Orderbook', /"([\d.]+)"\]\]\]/g, '"$11"]]]'),
  ],
  [
    'MKT-13',
    'level 2 leaves out a level',
    body('/orderbook', (json) => ({ ...json, bids: (json.bids as unknown[]).slice(1) })),
  ],
  [
    'MKT-14',
    'trades come oldest first',
    body('public/v1/trades', (json) => (json as unknown as unknown[]).reverse()),
  ],
  [
    'MKT-18',
    'an aggregate lacks a trade',
    rows('public/v1/aggTrades', (row) => {
      row.quantity = Number(row.quantity) / 2;
    }),
  ],
  ['MKT-19', 'the best bid is old', sets('public/v1/bbo', 'bestBidQuantity', 12_345)],
  [
    'MKT-20',
    'the average is of prices, not of volumes',
    body('v1/avgPrice', (json) => ({
      ...json,
      price: Number(json.price) + 0.01,
    })),
  ],
];

const orders: readonly Mutation[] = [
  ['ORD-01', 'an order is answered without its time', body('/order', without('transactTime'))],
  ['ORD-01', 'another clOrdId than was sent', text('/order', /"clOrdId":"kit/, '"clOrdId":"tik')],
  ['ORD-03', 'prices of reports are strings', text('/orders', /"price":([\d.]+)/g, '"price":"$1"')],
  [
    'ORD-04',
    'a new order is pending',
    text('/orders', /"ordStatus":0,"execType":0/g, '"ordStatus":10,"execType":10'),
  ],
  [
    'ORD-08',
    'userMsg does not name the field',
    wording((passing) => passing.status === 400, /field[^:]*: \w+/, 'field'),
  ],
  ['ORD-10', 'a mismatch is accepted', accepts(100202, '/testorder')],
  ['ORD-11', 'prices off the grid are accepted', accepts(100208, '/testorder')],
  ['ORD-13', 'too small orders are accepted', accepts(100207, '/testorder')],
  ['ORD-14', 'other terms are accepted', accepts(100210, '/testorder')],
  ['ORD-16', 'orders without money are accepted', accepts(100206, '/testorder')],
  ['ORD-17', 'unknown fields are accepted', accepts(100200, '/testorder')],
  ['ORD-19', 'a test order is answered as a real one', text('/testorder', /\{\}/, '{"orderId":1}')],
  ['ORD-21', 'a rejected order has no reason', rows('/orders', without('ordRejReason'))],
  ['ORD-22', 'no average price', text('/orders', /"avgPx":[\d.]+/g, '"avgPx":0')],
  ['CXL-01', 'no origClOrdId', body('/cancel', without('origClOrdId'))],
  [
    'CXL-02',
    'a canceled order is filled',
    text('/orders', /"ordStatus":4,"execType":4/g, '"ordStatus":2,"execType":2'),
  ],
  ['CXL-05', 'ids need not match', accepts(100204, '/cancel')],
  ['CXL-07', 'unknown orders are canceled', accepts(100203, '/cancel')],
  [
    'CXL-08',
    'a mass cancel cancels nothing',
    {
      instead({ path, body: sent }) {
        if (!path.endsWith('/masscancel')) return null;
        const { symbol, securityId } = JSON.parse(sent);
        return JSON.stringify({ clOrdId: 'kit-mass', symbol, securityId });
      },
    },
  ],
];

/** Every report has this value. */
const reports = (name: string, value: unknown): Break => sets('/orders', name, value);

const orderTypes: readonly Mutation[] = [
  ['TYP-01', 'no order works', reports('workingIndicator', false)],
  ['TYP-02', 'an order rests all the same', reports('ordStatus', 0)],
  ['TYP-03', 'a killed order is filled in part', reports('cumQty', 1)],
  ['TYP-04', 'expireTime is accepted without 6', accepts(100200, 'v2/testorder')],
  ['TYP-04', 'a passed time is accepted', accepts(100218, 'v2/testorder')],
  ['TYP-05', 'stops have no trigger', reports('stopPx', null)],
  ['TYP-06', 'icebergs show all', reports('displayQty', null)],
  ['TYP-07', 'post-only may be immediate or cancel', accepts(100210, 'v2/testorder')],
  ['TYP-08', 'amendments are not reported', reports('execType', 0)],
  ['TYP-08', 'the request has no id', body('/order/amend', without('clOrdId'))],
  [
    'TYP-09',
    'an amendment of a closed order is unknown',
    wording(({ path }) => path.endsWith('/amend'), '100205', '100203'),
  ],
  ['TYP-10', 'a pair has no link', reports('ocoOrderId', null)],
  [
    'TYP-11',
    'a batch answers in another order',
    body('v2/orders', (json) => ({ orders: (json.orders as Tree[]).toReversed() })),
  ],
  ['TYP-12', 'a batch may be empty', accepts(100200, 'v2/orders', '{"orders":[]}')],
];

const queries: readonly Mutation[] = [
  ['QRY-01', 'another type is accepted', accepts(100200, '/orders', '{"data":[]}')],
  [
    'QRY-03',
    'OPEN has closed orders',
    wording(({ query }) => query.includes('type=OPEN'), '"ordStatus":0', '"ordStatus":4'),
  ],
  [
    'QRY-04',
    'oldest first',
    body('/orders', (json) => ({ ...json, data: (json.data as unknown[]).reverse() })),
  ],
  [
    'QRY-05',
    'the next page repeats a row',
    {
      answer(passing) {
        const next = (_: string, row: string) => `"lastRowId":${Number(row) + 1}`;
        passing.text = passing.text.replace(/"lastRowId":(\d+)/, next);
      },
    },
  ],
  ['QRY-06', 'another size of pages', text('/orders', /"size":500/, '"size":100')],
  ['QRY-07', 'any window', accepts(100213, '/orders', '{"data":[]}')],
];

const conventions: readonly Mutation[] = [
  ['ACC-01', 'totals are wrong', text('/balances', /"total":/g, '"total":1')],
  ['FORM-01', 'numbers have exponents', text('/balances', /"held":0/g, '"held":0e0')],
  ['FORM-01', 'zeros at the end', text('/balances', /"held":0,/g, '"held":0.0,')],
  [
    'FORM-02',
    'a rejection without userMsg',
    wording((passing) => passing.status === 503, '"userMsg"', '"text"'),
  ],
  ['FORM-05', 'an envelope around fees', text('/fees', /.+/, '{"code":"0","data":$&}')],
  ['FORM-06', 'no X-Request-Id', withoutHeader('x-request-id')],
  ['FORM-07', 'no X-Agio-Seq', withoutHeader('x-agio-seq')],
  ['FORM-09', 'a field that is not described', text('/fees', /"makerFee"/g, '"own":1,"makerFee"')],
  ['FORM-09', 'an id as a text', text('/fees', /"securityId":(\d+)/g, '"securityId":"$1"')],
  [
    'FORM-08',
    'RateLimit of another form',
    answers(
      ({ headers }) => headers.has('ratelimit'),
      ({ headers }) => headers.set('ratelimit', 'limit=10, remaining=9'),
    ),
  ],
  ['HTTP-01', 'unknown paths are 400', status(404, 400)],
  ['HTTP-02', 'no Allow', withoutHeader('allow')],
  ['HTTP-06', 'no idempotency', { request: (headers) => headers.delete('idempotency-key') }],
];

const earn: readonly Mutation[] = [
  ['ERN-01', 'no envelope', body('/plan/list', (json) => json.data)],
  ['ERN-01', 'no succ', body('/plan/list', without('succ'))],
  [
    'ERN-02',
    'an amount as a string',
    text('/plan/list', /"userAmountMin":(\d+)/g, '"userAmountMin":"$1"'),
  ],
  ['ERN-03', 'no apy', text('/plan/detail', /"apy":/, '"rate":')],
  ['ERN-04', 'flexible plans end', text('/preview', /"endDate":null/, '"endDate":1795305600000')],
  [
    'ERN-05',
    'legacy errors have status 400',
    answers(
      (passing) => passing.text.includes('"errorCode"'),
      (passing) => Object.assign(passing, { status: 400 }),
    ),
  ],
  ['ERN-05', 'the number is in code', text('/plan/detail', /"code":"500"/, '"code":"40000"')],
  ['ERN-08', 'dates are numbers', text('/currentList', /"startDate":"(\d+)"/g, '"startDate":$1')],
  ['ERN-09', 'no redeemHistories', text('/apply/detail', /"redeemHistories"/, '"history"')],
  ['ERN-10', 'no totalPage', text('/apply/interest', /"totalPage"/, '"pages"')],
  [
    'ERN-13',
    'somebody else’s uid is accepted',
    accepts(100403, '/detail/edit', '{"code":"0","msg":"success","data":true}'),
  ],
  [
    'ERN-15',
    'a redemption is answered with an object',
    text('/apply/redeem', /"data":true/, '"data":{}'),
  ],
];

const streams: readonly Mutation[] = [
  ['STR-01', 'pong without a position', messages(hasOp('pong'), without('seq'))],
  ['STR-02', 'errors lose the id', messages(hasOp('error'), without('id'))],
  [
    'STR-03',
    'no snapshot',
    messages(
      ({ type }) => type === 'snapshot',
      () => null,
    ),
  ],
  [
    'STR-04',
    'the chain is broken',
    messages(isUpdate, (message) => ({ ...message, prevSeq: Number(message.prevSeq) - 1 })),
  ],
  [
    'STR-05',
    'the checksum is wrong',
    messages(isUpdate, (message) => ({ ...message, checksum: 1 })),
  ],
  ['STR-05', 'a book without lastUpdateId', messages(isUpdate, without('lastUpdateId'))],
  ['STR-07', 'every login succeeds', messages(hasOp('error'), () => ({ op: 'loggedIn', uid: 1 }))],
  [
    'STR-08',
    'the channel has no updates of orders',
    messages(
      (message) => message.channel === 'orders' && isUpdate(message),
      () => null,
    ),
  ],
  [
    'STR-09',
    'prices of trades are strings',
    streamed('trades', (row) => {
      row.price = String(row.price);
    }),
  ],
  ['STR-10', 'balances lack a part', streamed('balances', without('booster'))],
  [
    'STR-11',
    'answers to orders lose their position',
    messages(hasOp('order.place'), without('seq')),
  ],
  [
    'STR-12',
    'rejections of orders lose their details',
    messages(hasOp('order.place'), (message) => {
      delete (message.error as Tree | undefined)?.details;
    }),
  ],
  [
    'STR-13',
    'every cancel succeeds',
    messages(hasOp('order.cancelAll'), ({ id }) => ({ op: 'order.cancelAll', status: 200, id })),
  ],
  [
    'STR-14',
    'a batch answers in another order',
    messages(hasOp('order.batch'), ({ data }) => {
      ((data as Tree | undefined)?.orders as Tree[] | undefined)?.reverse();
    }),
  ],
  ['STR-15', 'repeated answers do not say so', messages(hasOp('order.place'), without('replayed'))],
];

export const MUTATIONS: readonly Mutation[] = [
  ...signing,
  ...marketData,
  ...orders,
  ...orderTypes,
  ...queries,
  ...conventions,
  ...earn,
  ...streams,
];
