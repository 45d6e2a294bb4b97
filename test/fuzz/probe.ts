// One request of a fuzz test, made from the description of its route, and everything that must hold
// for its answer whatever was sent: 200 or 4xx in the error shape, with a status, a code and fields
// that docs/openapi.json has for the call, and nothing done by halves. A
// request that is rejected before it is sequenced leaves no trace at all; one that the core rejects
// leaves orders, money and users as they were.
import { expect } from 'bun:test';
import type { ObjectField } from '../../src/contract/object.ts';
import type { Route } from '../../src/gateway/http/route.ts';
import { assign, createPlan, customizedPlan, EARN, subscribe } from '../support/earn.ts';
import { type Client, type Json, signedHeaders, TestNode } from '../support/node.ts';
import { undocumented } from '../support/openapi-answers.ts';
import { type RawAnswer, RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectErrorShape } from '../support/shape.ts';
import { until } from '../support/waiting.ts';
import { admits, JSON_VALUES } from './bad-values.ts';

export const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
export const isOperator = ({ access }: Route): boolean => access === 'operator';

export const LIMIT_ORDER = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 0.01 };

/** Valid entries of a batch, by op. */
export const ENTRIES = {
  place: LIMIT_ORDER,
  amend: { orderId: 999_999, symbol: 'BTC-USDT', price: 100 },
  cancel: { orderId: 999_999 },
  oco: { symbol: 'BTC-USDT', side: 2, price: 200, stopPx: 50, orderQty: 0.01 },
} as const;

/** Bodies that are valid as they stand, where the descriptions alone do not lead to one. */
const VALID_BODIES: Readonly<Record<string, object>> = {
  '/spot-api/api/private/v1/order': LIMIT_ORDER,
  '/spot-api/api/private/v1/testorder': LIMIT_ORDER,
  '/spot-api/api/private/v2/order': LIMIT_ORDER,
  '/spot-api/api/private/v2/testorder': LIMIT_ORDER,
  '/spot-api/api/private/v2/order/amend': ENTRIES.amend,
  '/spot-api/api/private/v2/order/oco': ENTRIES.oco,
  '/spot-api/api/private/v2/orders': { orders: [{ op: 'cancel', ...ENTRIES.cancel }] },
  '/spot-api/api/private/v1/order/cancel': ENTRIES.cancel,
  '/spot-api/api/private/v1/order/cancelallafter': { timeout: 0 },
  // The plan and the subscription that the prober has; plan 2 is customized.
  '/earn-api/v1/user/plan/apply': { planId: '2', amount: 10, lockDay: 30 },
  '/earn-api/v1/user/apply/redeem': { applyId: '1', amount: 0.00000001 },
  '/operator/v1/ledger/withdraw-income': {
    account: 'feeRevenue',
    asset: 'USDT',
    amount: 1,
    reference: 'x',
  },
  '/user-center/common/sendEmailAuthCode': { operationType: 7 },
  '/earn-api/v1/user/yield/manage/list': { pageNum: 1, pageSize: 10 },
};

/** Values of required parameters, where 1 is none. */
const VALID_QUERIES: Readonly<Record<string, string>> = {
  symbol: 'BTC-USDT',
  interval: '1m',
  type: 'COMPLETED',
  margin: '0',
};

/** Each required parameter with a value that is accepted. */
export const validQuery = ({ query }: Route): (readonly [string, string])[] =>
  [...query.fields]
    .filter(([, field]) => !field.optional)
    .map(([name]) => [name, VALID_QUERIES[name] ?? '1'] as const);

export const validBody = (route: Route): Record<string, unknown> => ({
  ...(VALID_BODIES[route.path] ?? sample(route.body!)),
});

/** Every required field with a value that its schema admits. */
function sample(description: ObjectField<unknown>): Record<string, unknown> {
  const hash = JSON.stringify('a'.repeat(64));
  const texts = ['"BTC"', '"BTC-USDT"', '"fuzz@example.com"', hash, ...JSON_VALUES];
  const candidates = texts.map((text) => JSON.parse(text) as unknown);
  const found: Record<string, unknown> = {};
  for (const [name, field] of description.fields) {
    if (field.optional) continue;
    const schema = field.toJsonSchema();
    found[name] = candidates.find((value) => admits(schema, value));
  }
  return found;
}

export interface Sent {
  /** Replaces each name in the path. */
  readonly name?: string;
  readonly query?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const SENTENCE = /"userMsg":"(?:[^"\\]|\\.)*"/;

const bodyOf = ({ body }: RawAnswer): Json => JSON.parse(body || '{}') as Json;

/** True if the answer is a legacy error of the earn area: a rejection with HTTP 200. */
const isLegacy = (answer: RawAnswer): boolean =>
  answer.status === 200 && answer.body.startsWith('{"code":"500"');

/** The status; 400 for the error of the earn area that says the same. */
export const statusOf = (answer: RawAnswer): number =>
  isLegacy(answer) && Number(bodyOf(answer).errorCode) === 40001 ? 400 : answer.status;

export class Prober {
  readonly node: TestNode;
  readonly #client: Client;
  readonly #connection: RawConnection;
  #token = '';
  readonly #documented = new Set<string>();
  /** How many requests were sent. */
  asked = 0;

  private constructor(node: TestNode, client: Client) {
    this.node = node;
    this.#client = client;
    this.#connection = new RawConnection(node.port);
  }

  static async start(): Promise<Prober> {
    const node = await TestNode.start({ flags: ['--rate-limits', 'off'] });
    const client = await node.client(undefined, { moduleIds: [...EARN, 5, 6] });
    const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Fuzz Inc.' });
    await assign(node, client.uid, enterpriseId, true);
    await subscribe(client, await createPlan(node), '1000');
    await customizedPlan(node);
    return new Prober(node, client);
  }

  /** Stops the node. Throws if any answer was a 5xx. */
  async stop(): Promise<void> {
    this.#connection.close();
    const { text } = await this.node.get('/metrics');
    await this.node.stop();
    expect(text).toContain('status="400"');
    expect(text).not.toContain('status="5');
  }

  /** Sends the request with the credentials of its route. A failure shows `about`. */
  async probe(route: Route, sent: Sent, about: unknown, isAgain = false): Promise<RawAnswer> {
    const before = this.#trace();
    const business = this.#business();
    const answer = await this.#send(route, sent);
    const { status, head, body } = answer;
    const fail = (why: string): never => {
      const shown = { route: nameOf(route), about, status, body: body.slice(0, 300) };
      throw new Error(`${why}: ${JSON.stringify(shown)}`);
    };
    if (!this.#isDocumented(route, answer)) fail('not documented');
    const accepted = status === 200 && !isLegacy(answer);
    if (accepted) await this.#settle();
    if (accepted) return answer;
    if (status !== 200 && (status < 400 || status > 499)) fail('neither 200 nor 4xx');
    if (!/\r\ncontent-type: application\/json\r\n/i.test(head)) fail('not the error shape');
    const rejection = JSON.parse(body) as Json;
    expectErrorShape(rejection);
    const field = rejection.details?.field;
    const isOfCall =
      typeof field === 'string' && field !== 'body' && !(field in (sent.headers ?? {}));
    const isAboutField = status === 400 && isOfCall;
    if (route.envelope !== undefined && isAboutField) fail('not in the envelope of the area');
    const sequenced = /\r\nx-agio-seq: /i.test(head);
    if (!sequenced && this.#trace() !== before) {
      // The server forgets revoked keys by commands of its own, once a minute.
      if (!isAgain) return this.probe(route, sent, about, true);
      fail('rejected at the edge, and left a trace');
    }
    if (this.#business() !== business) fail('rejected, and did something');
    return answer;
  }

  /** True if docs/openapi.json has it. Answers that differ in their sentence alone are one. */
  #isDocumented({ method, path }: Route, { status, body: text }: RawAnswer): boolean {
    const key = `${method} ${path} ${status} ${text.replace(SENTENCE, '')}`;
    if (this.#documented.has(key)) return true;
    if (undocumented({ method, path, status, text }) !== null) return false;
    this.#documented.add(key);
    return true;
  }

  /**
   * A dead man's switch that was set by chance, or the rest of a mass cancel, must not change the
   * state in the middle of a later probe.
   */
  async #settle(): Promise<void> {
    const { uid } = this.#client;
    const { engine, state } = this.node;
    if (state.switches.earliest !== Number.POSITIVE_INFINITY) {
      const unsigned = { signature: null, idempotency: null };
      await this.node.must({ type: 'cancelAllAfter', uid, timeout: 0, ...unsigned });
    }
    if (engine.exchange.nextTimer <= engine.now) {
      await until(() => engine.exchange.nextTimer > engine.now);
    }
  }

  /** Parts that are not given are as the route wants them; a GET has no query by default. */
  #send(route: Route, sent: Sent): Promise<RawAnswer> {
    this.asked++;
    const { method } = route;
    const required = validQuery(route).map((pair) => pair.join('='));
    const { query = method === 'GET' ? '' : required.join('&'), headers = {} } = sent;
    const { body = route.body === undefined ? '' : JSON.stringify(validBody(route)) } = sent;
    const path = route.path.replaceAll(/\{\w+\}/g, sent.name ?? '1');
    const timestamp = this.#client.timestamp();
    const signed = { method, path, query, body, timestamp };
    const credentials = this.#credentialsFor(route, signed);
    if (body.length > 0) credentials['Content-Type'] = 'application/json';
    const target = query === '' ? path : `${path}?${query}`;
    return this.#connection.exchange(
      rawRequest(method, target, { ...credentials, ...headers }, body),
    );
  }

  #credentialsFor(
    { access }: Route,
    signed: Parameters<typeof signedHeaders>[1],
  ): Record<string, string> {
    if (access === 'operator') return { Authorization: `Bearer ${this.node.operatorToken}` };
    if (access === 'session') return { 'exchange-token': this.#sessionToken() };
    return signedHeaders(this.#client.credentials, signed);
  }

  /** The token of a live session of the client; a probe may have logged out. */
  #sessionToken(): string {
    const { sessions } = this.node.services.identity;
    if (sessions.find(this.#token) === undefined) {
      const { uid } = this.#client;
      this.#token = sessions.create({ uid, ip: '127.0.0.1', userAgent: 'probe' }).token;
    }
    return this.#token;
  }

  #trace(): string {
    return `${this.node.seq} ${this.node.state.stateHash()}`;
  }

  /** Everything but the memory of signatures and Idempotency-Keys. */
  #business(): string {
    const { next, orders, users, assets, instruments, earn } = this.node.state;
    const lengths = [users, assets, instruments, earn.plans].map(({ length }) => length);
    const pools = earn.plans.map((plan) => String(plan?.pool));
    return JSON.stringify([next, orders.size, ...lengths, earn.next, ...pools]);
  }
}

/** The rejection names this field, in details and in the sentence. */
export function expectNamed(answer: RawAnswer, name: string, about: unknown): void {
  const { code, userMsg, details } = JSON.parse(answer.body || '{}') as Record<string, unknown>;
  const field = (details as { field?: string } | undefined)?.field ?? '';
  const named = field === name || field.startsWith(`${name}[`) || field.startsWith(`${name}.`);
  const said = String(userMsg).includes(name);
  const shown = { about, status: statusOf(answer), code, userMsg, named, said };
  expect(shown).toMatchObject({ status: 400, named: true, said: true });
}

/** The JSON of a body in which one field has this text as its value. */
export function withField(valid: object, name: string, json: string): string {
  const members = Object.entries(valid)
    .filter(([other]) => other !== name)
    .map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`);
  return `{${[...members, `${JSON.stringify(name)}:${json}`].join(',')}}`;
}
