// Checks of what holds for every answer, proved by all answers of the run, and of HTTP itself:
// paths, methods, bodies, repeated writes.
import { callOf, faultsOfResponse } from '../contract/answer-faults.ts';
import { allCalls } from '../contract/calls.ts';
import { CODES } from '../contract/codes.ts';
import { accountCalls, orderCalls } from '../contract/trading/calls.ts';
import { type Check, section } from './check.ts';
import { expect, expectOk, expectRejected, expectSame, Unmet } from './expect.ts';
import type { Kit } from './kit.ts';
import type { Answer } from './wire.ts';

const errors = section('earn', 'Errors: shapes');
const handling = section('earn', 'Common response-handling rules');
const fields = section('earn', 'Resources and their fields');
const flat = section('trading', 'What the service does');
const http = section('agio', 'Conventions');
const limits = section('agio', 'Rate limits');
const writes = section('agio', 'Idempotency-Key');

const { createOrder, testOrder, cancelOrder, orders } = orderCalls;
const EARN_CALL = /\/earn-api\//;
/** A text of this length makes a body too large. */
const TOO_LONG = 17_000;
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/jsonp',
  'application/json; charset=latin1',
  '',
];
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'Application/JSON'];
const NO_OBJECTS = ['[]', '"x"', '5', 'null', '{', '{}{}', "{'a':1}", '{"a":}', '{"a":01}'];

const withoutTexts = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
const isJson = ({ headers }: Answer): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

/** Every answer so far that `applies` selects. */
function expectAll(
  { wire }: Kit,
  applies: (answer: Answer) => boolean,
  holds: (answer: Answer) => boolean,
  expected: string,
): void {
  for (const answer of wire.answers.filter(applies)) {
    const got = `${answer.status} ${answer.text}`;
    expect(holds(answer), `${expected}, in the answer to ${answer.call}`, got);
  }
}

const always = (): boolean => true;
/** A rejection with status 200. */
const isLegacy = ({ json }: Answer): boolean => json?.code === '500';
const isOk = ({ status }: Answer): boolean => status === 200;
const isText = (value: unknown): boolean => typeof value === 'string';

export const httpChecks: readonly Check[] = [
  http(
    'HTTP-01',
    'An unknown path is 404, also one that differs only in a slash or in its case.',
    async (kit) => {
      const { path } = orders;
      for (const unknown of [`${path}/nothing`, `${path}/`, path.replace('orders', 'ORDERS')]) {
        await kit.expectRejected({ method: 'GET', path: unknown }, {}, 'notFound');
      }
    },
  ),
  http('HTTP-02', 'A method that the path does not have is 405, with Allow.', async ({ wire }) => {
    const answer = await wire.send({ ...createOrder, method: 'GET' });
    expectRejected(answer, 'methodNotAllowed');
    expectSame('Allow', answer.headers.get('allow'), 'POST');
  }),
  http('HTTP-03', 'A body is application/json, else 415.', async (kit) => {
    const bid = await kit.bid();
    for (const type of OTHER_TYPES) {
      const headers = { 'Content-Type': type };
      expectRejected(await kit.wire.send(testOrder, bid, { headers }), 'notJson');
    }
    for (const type of JSON_TYPES) {
      await kit.call(testOrder, bid, { headers: { 'Content-Type': type } });
    }
    const headers = { 'Content-Encoding': 'gzip' };
    expectRejected(await kit.wire.send(testOrder, bid, { headers }), 'notJson');
  }),
  http('HTTP-04', 'A body of more than 16 KiB is 413.', async (kit) => {
    await kit.expectRejected(testOrder, { clOrdId: 'x'.repeat(TOO_LONG) }, 'bodyTooLarge');
  }),
  http('HTTP-05', 'A body that is no JSON object is 400.', async (kit) => {
    for (const body of NO_OBJECTS) {
      await kit.expectRejected(testOrder, body, 'invalidField', 'body');
    }
  }),
  writes('HTTP-06', 'A write with the same Idempotency-Key has its effect once.', async (kit) => {
    const headers = { 'Idempotency-Key': `kit-${Date.now()}` };
    const bid = await kit.bid();
    const first = await kit.wire.send(createOrder, bid, { headers });
    const again = await kit.wire.send(createOrder, bid, { headers });
    expectOk(first);
    await kit.wire.send(cancelOrder, { orderId: first.json?.orderId });
    expectSame('the second answer', again.text, first.text);
    const replayed = [first, again].map((answer) => answer.headers.get('idempotency-replayed'));
    expectSame('Idempotency-Replayed', replayed, [null, 'true']);
    const other = await kit.wire.send(createOrder, { ...bid, clOrdId: 'other' }, { headers });
    expectRejected(other, 'idempotencyKeyReused');
    for (const name of ['', 'a b', 'x'.repeat(129)]) {
      const bad = { headers: { 'Idempotency-Key': name } };
      expectRejected(await kit.wire.send(createOrder, bid, bad), 'invalidField', 'Idempotency-Key');
    }
  }),
  http('HTTP-07', 'A plain X-Request-Id comes back unchanged.', async ({ wire }) => {
    const idOf = async (id: string): Promise<string | null> => {
      const answer = await wire.send(accountCalls.fees, {}, { headers: { 'X-Request-Id': id } });
      return answer.headers.get('x-request-id');
    };
    expectSame('X-Request-Id', await idOf('kit-request_1'), 'kit-request_1');
    for (const id of ['a b', 'x'.repeat(65), '"><script>']) {
      const answered = await idOf(id);
      expect(answered !== id, 'another X-Request-Id', answered);
    }
  }),
];

/** They come last and look through all answers. */
export const allAnswersChecks: readonly Check[] = [
  fields('FORM-01', 'Decimals are plain: no exponent, no zeros at the end.', (kit) =>
    expectAll(
      kit,
      isJson,
      ({ text }) => !/\d[eE]|\.\d*0(?=[,\]}]|$)/.test(withoutTexts(text)),
      'plain numbers',
    ),
  ),
  errors('FORM-02', 'A rejection has code, msg and userMsg, all strings.', (kit) =>
    expectAll(
      kit,
      ({ status }) => status >= 400,
      ({ json }) =>
        /^\d{6}$/.test(String(json?.code)) && [json?.code, json?.msg, json?.userMsg].every(isText),
      'code, msg and userMsg',
    ),
  ),
  errors('FORM-03', 'The msg of a business error is business error.', (kit) =>
    expectAll(
      kit,
      ({ status, json }) => status === 400 && /^1002/.test(String(json?.code)),
      ({ json }) => json?.msg === CODES.invalidField.msg,
      'msg business error',
    ),
  ),
  handling('FORM-04', 'After a 200 in the earn area, code and msg decide.', (kit) =>
    expectAll(
      kit,
      (answer) => isOk(answer) && EARN_CALL.test(answer.call),
      ({ json }) => isText(json?.code) && isText(json?.msg),
      'code and msg, both strings',
    ),
  ),
  flat('FORM-05', 'Trading and market-data answers are flat, without an envelope.', (kit) =>
    expectAll(
      kit,
      (answer) => isOk(answer) && isJson(answer) && !EARN_CALL.test(answer.call),
      ({ json }) => json?.code === undefined && json?.succ === undefined,
      'no code and no succ',
    ),
  ),
  http('FORM-06', 'Every answer has X-Request-Id, and is neither cached nor sniffed.', (kit) =>
    expectAll(
      kit,
      always,
      ({ headers }) =>
        /^[A-Za-z0-9_-]{1,64}$/.test(headers.get('x-request-id') ?? '') &&
        headers.get('cache-control') === 'no-store' &&
        headers.get('x-content-type-options') === 'nosniff',
      'X-Request-Id, Cache-Control: no-store and X-Content-Type-Options: nosniff',
    ),
  ),
  http('FORM-07', 'Every answer about the state has X-Agio-Seq.', (kit) =>
    expectAll(
      kit,
      (answer) => isOk(answer) && isJson(answer) && !isLegacy(answer),
      ({ headers }) => /^\d+$/.test(headers.get('x-agio-seq') ?? ''),
      'X-Agio-Seq',
    ),
  ),
  limits('FORM-08', 'RateLimit and RateLimit-Policy give the rest of a limit.', (kit) =>
    expectAll(
      kit,
      (answer) => isOk(answer) && answer.headers.has('ratelimit'),
      ({ headers }) =>
        /^"[\w-]+";r=\d+;t=\d+$/.test(headers.get('ratelimit') ?? '') &&
        /^"[\w-]+";q=\d+;w=\d+$/.test(headers.get('ratelimit-policy') ?? ''),
      'RateLimit: "name";r=…;t=… and its policy',
    ),
  ),
  fields('FORM-09', 'Every answer has the described fields, each in its form.', ({ wire }) => {
    for (const answer of wire.answers) {
      const [fault] = faultsIn(answer);
      if (fault === undefined) continue;
      throw new Unmet(`the answer to ${answer.call} as it is described`, fault);
    }
  }),
];

/** The faults of an answer; unknown paths and methods have no description. */
function faultsIn({ call: sent, status, headers, text }: Answer): string[] {
  const [method = '', path = ''] = sent.split(' ');
  const call = callOf(allCalls, { method, path });
  if (call === undefined) return [];
  return faultsOfResponse(call, { status, contentType: headers.get('content-type'), text });
}
