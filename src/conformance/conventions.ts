// Checks of what holds for every answer, looked for in all that came, and of HTTP itself: paths,
// methods, bodies, repeated writes.
import { callOf, faultsOfResponse } from '../contract/answer-faults.ts';
import { allCalls } from '../contract/calls.ts';
import { type Check, expect, expectSame, section, Unmet } from './check.ts';
import { expectOk, expectRefused } from './expect.ts';
import { type Kit, SPOT } from './kit.ts';
import type { Answer } from './wire.ts';

const errors = section('earn', 'Errors: shapes');
const handling = section('earn', 'Common response-handling rules');
const fields = section('earn', 'Resources and their fields');
const flat = section('trading', 'What the service does');
const http = section('agio', 'Conventions');
const limits = section('agio', 'Rate limits');
const writes = section('agio', 'Idempotency-Key');

const ORDER = `${SPOT}/order`;
const EARN_CALL = /\/earn-api\//;
/** Of a text in a body that is then too large. */
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
const NO_OBJECTS = ['', '[]', '"x"', '5', 'null', '{', '{}{}', "{'a':1}", '{"a":}', '{"a":01}'];

const withoutTexts = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
const isJson = ({ headers }: Answer): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

/** Every answer so far has it. */
function expectAll(
  { wire }: Kit,
  applies: (answer: Answer) => boolean,
  holds: (answer: Answer) => boolean,
  expected: string,
): void {
  for (const answer of wire.answers.filter(applies)) {
    if (holds(answer)) continue;
    throw new Unmet(
      `${expected}, in the answer to ${answer.call}`,
      `${answer.status} ${answer.text.slice(0, 300)}`,
    );
  }
}

const always = (): boolean => true;
/** A refusal that came with status 200. */
const isLegacy = ({ json }: Answer): boolean => (json?.code as unknown) === '500';
const succeeded = ({ status }: Answer): boolean => status === 200;

export const httpChecks: readonly Check[] = [
  http(
    'HTTP-01',
    'An unknown path is 404, also one that only differs in a slash or a case.',
    async ({ wire }) => {
      for (const path of [`${SPOT}/nothing`, `${ORDER}s/`, `${SPOT}/ORDERS`]) {
        expectRefused(await wire.get(path), 404, 100404);
      }
    },
  ),
  http('HTTP-02', 'A method that the path does not have is 405, with Allow.', async ({ wire }) => {
    const answer = await wire.get(ORDER);
    expectRefused(answer, 405, 100406);
    expectSame('Allow', answer.headers.get('allow'), 'POST');
  }),
  http('HTTP-03', 'A body is application/json, else 415.', async (kit) => {
    const body = JSON.stringify(kit.bid(await kit.pair()));
    const post = (headers: Record<string, string>): Promise<Answer> =>
      kit.wire.post(`${SPOT}/testorder`, body, { headers });
    for (const type of OTHER_TYPES) {
      expectRefused(await post({ 'Content-Type': type }), 415, 100415);
    }
    for (const type of JSON_TYPES) expectOk(await post({ 'Content-Type': type }));
    expectRefused(await post({ 'Content-Encoding': 'gzip' }), 415, 100415);
  }),
  http('HTTP-04', 'A body of more than 16 KiB is 413.', async ({ wire }) => {
    const body = JSON.stringify({ clOrdId: 'x'.repeat(TOO_LONG) });
    expectRefused(await wire.post(`${SPOT}/testorder`, body), 413, 100413);
  }),
  http('HTTP-05', 'A body that is no JSON object is 400.', async ({ wire }) => {
    for (const body of NO_OBJECTS) {
      expectRefused(await wire.post(`${SPOT}/testorder`, body), 400, 100200, 'body');
    }
  }),
  writes('HTTP-06', 'A write with the same Idempotency-Key is carried out once.', async (kit) => {
    const headers = { 'Idempotency-Key': `kit-${Date.now()}` };
    const body = kit.bid(await kit.pair());
    const first = await kit.wire.post(ORDER, body, { headers });
    const again = await kit.wire.post(ORDER, body, { headers });
    const { orderId } = expectOk(first);
    await kit.wire.post(`${SPOT}/order/cancel`, { orderId: Number(orderId) });
    expectSame('the second answer', again.text, first.text);
    const replayed = [first, again].map((answer) => answer.headers.get('idempotency-replayed'));
    expectSame('Idempotency-Replayed', replayed, [null, 'true']);
    const other = await kit.wire.post(ORDER, { ...body, clOrdId: 'other' }, { headers });
    expectRefused(other, 409, 100409);
    for (const name of ['', 'a b', 'x'.repeat(129)]) {
      const bad = await kit.wire.post(ORDER, body, { headers: { 'Idempotency-Key': name } });
      expectRefused(bad, 400, 100200, 'Idempotency-Key');
    }
  }),
  http('HTTP-07', 'A plain X-Request-Id comes back as it was sent.', async ({ wire }) => {
    const idOf = async (id: string): Promise<string | null> => {
      const answer = await wire.get(`${SPOT}/fees`, {}, { headers: { 'X-Request-Id': id } });
      return answer.headers.get('x-request-id');
    };
    expectSame('X-Request-Id', await idOf('kit-request_1'), 'kit-request_1');
    for (const id of ['a b', 'x'.repeat(65), '"><script>']) {
      const given = await idOf(id);
      expect(given !== id, 'another X-Request-Id', given);
    }
  }),
];

/** Made last: they look through everything that was answered. */
export const allAnswersChecks: readonly Check[] = [
  fields('FORM-01', 'Decimals are plain: no exponent, no zeros at the end.', (kit) =>
    expectAll(
      kit,
      isJson,
      ({ text }) => !/\d[eE]|\.\d*0(?=[,\]}]|$)/.test(withoutTexts(text)),
      'plain numbers',
    ),
  ),
  errors('FORM-02', 'A refusal has code, msg and userMsg, all strings.', (kit) =>
    expectAll(
      kit,
      ({ status }) => status >= 400,
      ({ json }) =>
        /^\d{6}$/.test(String(json?.code)) &&
        ['code', 'msg', 'userMsg'].every((name) => typeof (json[name] as unknown) === 'string'),
      'code, msg and userMsg',
    ),
  ),
  errors('FORM-03', 'The msg of a business error is business error.', (kit) =>
    expectAll(
      kit,
      ({ status, json }) => status === 400 && /^1002/.test(String(json?.code)),
      ({ json }) => (json.msg as unknown) === 'business error',
      'msg business error',
    ),
  ),
  handling('FORM-04', 'Of a 200 in the earn area, code and msg decide.', (kit) =>
    expectAll(
      kit,
      (answer) => succeeded(answer) && EARN_CALL.test(answer.call),
      ({ json }) =>
        typeof (json?.code as unknown) === 'string' && typeof (json.msg as unknown) === 'string',
      'code and msg, both strings',
    ),
  ),
  flat('FORM-05', 'Trading and market-data answers are flat, without an envelope.', (kit) =>
    expectAll(
      kit,
      (answer) => succeeded(answer) && isJson(answer) && !EARN_CALL.test(answer.call),
      ({ json }) => (json?.code as unknown) === undefined && (json?.succ as unknown) === undefined,
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
      (answer) => succeeded(answer) && isJson(answer) && !isLegacy(answer),
      ({ headers }) => /^\d+$/.test(headers.get('x-agio-seq') ?? ''),
      'X-Agio-Seq',
    ),
  ),
  limits(
    'FORM-08',
    'Where a limit applied, RateLimit and RateLimit-Policy say what is left.',
    (kit) =>
      expectAll(
        kit,
        (answer) => succeeded(answer) && answer.headers.has('ratelimit'),
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

/** Where an answer differs from its description; unknown paths and methods have none. */
function faultsIn({ call: sent, status, headers, text }: Answer): string[] {
  const [method = '', path = ''] = sent.split(' ');
  const call = callOf(allCalls, { method, path });
  if (call === undefined) return [];
  return faultsOfResponse(call, { status, contentType: headers.get('content-type'), text });
}
