// A whole node for tests: started as main starts it, on a free port and its own directory, with the
// assets and pairs of the sandbox; stopped and removed at the end. Clients sign their requests with
// real keys over real HTTP.

import { afterAll, beforeAll } from 'bun:test';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { type Config, loadConfig } from '../../src/config.ts';
import { callOf, faultsOfResponse } from '../../src/contract/answer-faults.ts';
import { allCalls } from '../../src/contract/calls.ts';
import { formatUnits } from '../../src/contract/decimal.ts';
import type { AmendInstrument, AmendUser, Command } from '../../src/core/command.ts';
import { Side } from '../../src/core/fix.ts';
import type { AnyResult, Outcome, ResultOf } from '../../src/core/outcome.ts';
import type { State } from '../../src/core/state.ts';
import { lots, ticks } from '../../src/core/units.ts';
import type { NewApiKey } from '../../src/identity/api-keys.ts';
import { type Node, REAL_WORLD, startNode, type World } from '../../src/node.ts';
import { type ClusterWorld, REAL_CLUSTER } from '../../src/node-cluster.ts';
import { type SandboxAccess, seedSandbox } from '../../src/sandbox/seed.ts';
import { pairTerms, SCALE, units } from './pair-terms.ts';
import { placeOrder, UNCHANGED_INSTRUMENT } from './venue.ts';
import { PATIENCE_MS } from './waiting.ts';

/** The privileges of trading: read and write. */
export const TRADING = [5, 6];

const ASSETS = ['BTC', 'ETH', 'MMX', 'USDT', 'USDC', 'AED'];
const PAIRS = [
  ['BTC-USDT', '0.01', '0.000001', '0.00001', '0.1'],
  ['ETH-USDT', '0.01', '0.00001', '0.0001', '0.1'],
  ['MMX-USDT', '0.0001', '0.1', '1', '0.1'],
  ['BTC-AED', '0.01', '0.000001', '0.00001', '0.5'],
] as const;

/** Cheap: hundreds of tests log in. src/sandbox/seed.test.ts checks the cost of a real server. */
const PASSWORD_COST = { memoryCost: 1_024, timeCost: 1 };

/** The default balances of a new customer. */
const RICH = { BTC: '100', ETH: '1000', MMX: '1000000', USDT: '10000000', AED: '10000000' };

export interface TestNodeOptions {
  /** The form of the command line, such as ['--rate-limits', 'order=5/1/5']. */
  readonly flags?: readonly string[];
  /** A directory of the test's own, which it removes itself. */
  readonly dataDir?: string;
  /** Smaller than an operator may choose. */
  readonly bounds?: Partial<Pick<Config, 'segmentBytes' | 'queueLimit'>>;
  /** Where the log goes; nowhere unless a test reads it. */
  readonly log?: Logger;
  /** Filled as a sandbox, in place of the usual assets and pairs. */
  readonly sandbox?: { readonly history: boolean };
  /** How long a read waits for the views: longer than for callers, unless a test is about it. */
  readonly readDeadlineMs?: number;
  /** The variables of a node of a cluster, whose assets and pairs another node lists. */
  readonly env?: Readonly<Record<string, string>>;
  /** The node's connections to its cluster. */
  readonly cluster?: ClusterWorld;
}

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of `text`; undefined where it is none. */
  readonly body: Json;
}

/** JSON as tests look into it: what is not there reads as undefined, as in JavaScript. */
export interface Json {
  readonly [key: string]: Json;
  readonly [index: number]: Json;
}

export class TestNode {
  #running: Node | null = null;
  #sandbox: SandboxAccess | null = null;
  readonly #options: TestNodeOptions;
  readonly dataDir: string;
  readonly operatorToken = 'token-of-the-test-operator';
  /** The reasons to end that a node of a cluster has reported. */
  readonly failures: unknown[] = [];
  #references = 0;
  #users = 0;

  private constructor(options: TestNodeOptions) {
    this.#options = options;
    this.dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'agio-node-'));
  }

  static async start(options: TestNodeOptions = {}): Promise<TestNode> {
    const node = new TestNode(options);
    await node.#start();
    return node;
  }

  /** The node of a test file or a describe block: runs from its first test to its last. */
  static forFile(options: TestNodeOptions = {}): TestNode {
    const node = new TestNode(options);
    beforeAll(() => node.#start());
    afterAll(() => node.stop());
    return node;
  }

  async #start(): Promise<void> {
    this.#running = await this.#run();
    const { sandbox, cluster } = this.#options;
    if (cluster !== undefined) return;
    if (sandbox === undefined) await this.list();
    else this.#sandbox = await seedSandbox(this.services, sandbox);
  }

  async #run(): Promise<Node> {
    const { flags = [], env = {}, log, sandbox, bounds } = this.#options;
    const { readDeadlineMs = PATIENCE_MS, cluster = REAL_CLUSTER } = this.#options;
    const fixed = '--port 0 --no-demo --segment-bytes 1048576'.split(' ');
    const node = await startNode({
      config: {
        ...loadConfig({ argv: ['--data', this.dataDir, ...fixed, ...flags], env }),
        ...bounds,
      },
      operatorToken: this.operatorToken,
      log: log ?? pino({ level: 'silent' }),
      world: { ...patientWorld(readDeadlineMs), ...cluster },
      ...(sandbox === undefined ? { passwordCost: PASSWORD_COST } : {}),
      onFailure: (error) => {
        this.failures.push(error);
        if (this.#options.cluster === undefined) throw error;
      },
    });
    // A machine that runs other tests as well would shed calls.
    node.services.load.stop();
    return node;
  }

  get #node(): Node {
    if (this.#running === null) throw new Error('the node does not run');
    return this.#running;
  }

  /** Stops and starts again on the same data, on another port. */
  async restart(): Promise<void> {
    await this.#node.stop();
    this.#running = await this.#run();
  }

  get url(): string {
    return this.#node.url;
  }
  get port(): number {
    return Number(new URL(this.url).port);
  }
  get services(): Node['services'] {
    return this.#node.services;
  }
  /** The accounts of a node that was filled as a sandbox. */
  get sandbox(): SandboxAccess {
    if (this.#sandbox === null) throw new Error('the node is no sandbox');
    return this.#sandbox;
  }
  get engine(): Node['services']['engine'] {
    return this.services.engine;
  }
  get state(): State {
    return this.engine.exchange.state;
  }
  get seq(): number {
    return this.engine.seq;
  }

  /** Lists the usual assets and pairs. */
  async list(): Promise<void> {
    for (const asset of ASSETS) {
      await this.must({ type: 'createAsset', asset, scale: SCALE, fiat: asset === 'AED' });
    }
    for (const [symbol, tick, lot, minQuantity, minNotional] of PAIRS) {
      await this.must(pairTerms(symbol, { tick, lot, minQuantity, minNotional }));
    }
  }

  /** Submits a command that has to be accepted. */
  async must<C extends Command>(command: C): Promise<ResultOf<C>> {
    const { outcome }: { outcome: Outcome<AnyResult> } = await this.engine.submit(command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
    return outcome.result as ResultOf<C>;
  }

  /** Changes some terms of an instrument. */
  async amend(symbol: string, terms: Partial<Omit<AmendInstrument, 'type'>>): Promise<void> {
    await this.must({
      ...UNCHANGED_INSTRUMENT,
      securityId: this.state.instrumentNamed(symbol)!.securityId,
      ...terms,
    });
  }

  /** Changes some terms of a user. */
  async amendUser(uid: number, terms: Partial<Omit<AmendUser, 'type' | 'uid'>>): Promise<void> {
    await this.must({
      type: 'amendUser',
      uid,
      kyc: null,
      suspended: null,
      makerFee: null,
      takerFee: null,
      maxOpenOrders: null,
      ...terms,
    });
  }

  /** A new user who owns these amounts, in decimals; returns the uid. */
  async user(owns: Readonly<Record<string, string>> = RICH): Promise<number> {
    const { users } = this.services.identity;
    const reservation = users.reserveEmail(`user${++this.#users}@example.com`);
    if (!reservation.ok) throw new Error(reservation.text);
    const { uid } = await this.must({ type: 'createUser', kyc: true });
    users.completeUser(reservation.value, uid);
    for (const [asset, decimal] of Object.entries(owns)) await this.credit(uid, asset, decimal);
    return uid;
  }

  /** Gives the user this many bids of BTC-USDT, far from any trade, each at its own price. */
  async placeBids(uid: number, count: number): Promise<void> {
    const { securityId } = this.state.instrumentNamed('BTC-USDT')!;
    const order = { uid, securityId, side: Side.buy, orderQty: lots(100_000) };
    const bids = Array.from({ length: count }, (_, i) =>
      this.must(placeOrder({ ...order, price: ticks(1000 + i) })),
    );
    await Promise.all(bids);
  }

  async credit(uid: number, asset: string, decimal: string): Promise<void> {
    const { assetId, scale } = this.state.assetNamed(asset)!;
    this.#references++;
    await this.must({
      type: 'transferFunds',
      direction: 'credit',
      uid,
      assetId,
      amount: units(decimal, scale),
      reference: `deposit-${this.#references}`,
    });
  }

  /**
   * A client with a new key of the user, which has both trading privileges unless `terms` say
   * otherwise.
   */
  key(uid: number, terms: Partial<NewApiKey> = {}): Client {
    const created = this.services.identity.apiKeys.create({
      uid,
      alias: 'test',
      moduleIds: TRADING,
      ...terms,
    });
    if (!created.ok) throw new Error(created.text);
    return new Client(this, created.value);
  }

  /** True if the server has authenticated a call with the key. */
  isUsed({ uid, credentials }: Client): boolean {
    const keys = this.services.identity.apiKeys.list(uid);
    return keys.some((key) => key.apiKey === credentials.apiKey && key.lastUsedAt !== null);
  }

  /** A client of a new user. */
  async client(
    owns?: Readonly<Record<string, string>>,
    terms: Partial<NewApiKey> = {},
  ): Promise<Client> {
    return this.key(await this.user(owns), terms);
  }

  /** An unsigned request. `target` is path and query. */
  async request(target: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(this.url + target, init);
    return answerOf(response, init.method ?? 'GET');
  }

  get(path: string, query: Query = ''): Promise<Answer> {
    return this.request(withQuery(path, queryText(query)));
  }

  /** An unsigned POST of JSON. */
  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  }

  /** The available and held balance of an asset, as decimal text. */
  balance(uid: number, asset: string): { available: string; held: string } {
    const { assetId, scale } = this.state.assetNamed(asset)!;
    const { ledger } = this.state;
    return {
      available: formatUnits(ledger.balanceOf(uid, assetId, 2), scale),
      held: formatUnits(ledger.balanceOf(uid, assetId, 3), scale),
    };
  }

  /** A figure of /metrics, by its name. */
  async metric(name: string): Promise<number> {
    const { text } = await this.get('/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    await running.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** The views have the lowest priority, so on a busy machine their answers take their time. */
const patientWorld = (readDeadlineMs: number): World => ({
  ...REAL_WORLD,
  startFollower: (options) => REAL_WORLD.startFollower({ ...options, readDeadlineMs }),
});

/** Query parameters, or the exact text without the question mark. */
export type Query = string | Readonly<Record<string, string | number>>;

export interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface SignOptions {
  /** The time of the signature; by default later than that of the client's last request. */
  readonly timestamp?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The headers of a signed request: over exactly these texts, whatever is then sent. */
export function signedHeaders(
  { apiKey, secretKey }: Credentials,
  signed: {
    readonly method: string;
    readonly path: string;
    readonly query?: string;
    readonly body?: string | Uint8Array;
    readonly timestamp: number;
  },
): Record<string, string> {
  const { method, path, query = '', body = '', timestamp } = signed;
  const hmac = createHmac('sha256', secretKey).update(timestamp + method + path + query);
  return {
    'EXCHANGE-API-KEY': apiKey,
    'EXCHANGE-API-TIMESTAMP': String(timestamp),
    'EXCHANGE-API-SIGN': hmac.update(body).digest('hex'),
  };
}

/** The holder of one key. */
export class Client {
  readonly #node: TestNode;
  readonly credentials: Credentials;
  readonly #knownUid: number | undefined;
  /** By API key, whose holder may have a client for each node. */
  static readonly #lastTimestamps = new Map<string, number>();

  /** The node may learn the key later. */
  constructor(node: TestNode, credentials: Credentials) {
    this.#node = node;
    this.credentials = credentials;
    this.#knownUid = node.services.identity.apiKeys.lookup(credentials.apiKey)?.uid;
  }

  get uid(): number {
    const { apiKeys } = this.#node.services.identity;
    return this.#knownUid ?? apiKeys.lookup(this.credentials.apiKey)!.uid;
  }

  /**
   * Two writes with the same body in one millisecond would have the same signature, which works
   * once.
   */
  timestamp(): number {
    const { apiKey } = this.credentials;
    const last = Client.#lastTimestamps.get(apiKey) ?? 0;
    const timestamp = Math.max(Date.now(), last + 1);
    Client.#lastTimestamps.set(apiKey, timestamp);
    return timestamp;
  }

  /** The headers of a signed GET, such as the upgrade to a websocket. */
  headersOf(path: string, query = '', timestamp = this.timestamp()): Record<string, string> {
    return signedHeaders(this.credentials, { method: 'GET', path, query, timestamp });
  }

  get(path: string, query: Query = '', options: SignOptions = {}): Promise<Answer> {
    const text = queryText(query);
    const { timestamp, headers } = options;
    const signed = this.headersOf(path, text, timestamp);
    return this.#node.request(withQuery(path, text), { headers: { ...signed, ...headers } });
  }

  /** Text and bytes are sent as they are, everything else as JSON. */
  post(path: string, body: unknown, options: SignOptions = {}): Promise<Answer> {
    const asIs = typeof body === 'string' || body instanceof Uint8Array;
    const text = asIs ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    const { timestamp = this.timestamp(), headers } = options;
    const signed = signedHeaders(this.credentials, { method: 'POST', path, body: text, timestamp });
    return this.#node.request(path, {
      method: 'POST',
      body: text,
      headers: { 'Content-Type': 'application/json', ...signed, ...headers },
    });
  }

  /** Creates an order that has to be accepted; returns its orderId. */
  async order(body: Readonly<Record<string, unknown>>): Promise<number> {
    const { status, text, body: created } = await this.post(ORDER, body);
    if (status !== 200) throw new Error(`the order was rejected: ${text}`);
    return Number(created.orderId);
  }

  /** The row of getOrders of one own order. */
  async row(orderId: number): Promise<Json> {
    const { body } = await this.get(ORDERS, { type: 'SINGLE', orderId });
    return body.data![0]!;
  }

  /** A limit order of BTC-USDT that has to be accepted. */
  limit(side: 1 | 2, price: string, orderQty: string, more: object = {}): Promise<number> {
    return this.order({ symbol: 'BTC-USDT', side, ordType: 2, price, orderQty, ...more });
  }
}

const PRIVATE = '/spot-api/api/private/v1';
const PRIVATE_V2 = '/spot-api/api/private/v2';
export const ORDER = `${PRIVATE}/order`;
export const ORDER_V2 = `${PRIVATE_V2}/order`;
export const TEST_ORDER_V2 = `${PRIVATE_V2}/testorder`;
export const AMEND = `${PRIVATE_V2}/order/amend`;
export const OCO = `${PRIVATE_V2}/order/oco`;
export const ORDERS_V2 = `${PRIVATE_V2}/orders`;
export const TEST_ORDER = `${PRIVATE}/testorder`;
export const CANCEL = `${PRIVATE}/order/cancel`;
export const MASS_CANCEL = `${PRIVATE}/order/masscancel`;
export const CANCEL_ALL_AFTER = `${PRIVATE}/order/cancelallafter`;
export const ORDERS = `${PRIVATE}/orders`;
export const BALANCES = `${PRIVATE}/balances`;
export const FEES = `${PRIVATE}/fees`;
export const FEE_TIER = `${PRIVATE}/feeTier`;
export const FEE_SCHEDULE = '/spot-api/api/public/v2/fees';
export const FILLS = `${PRIVATE}/trades`;
export const LEDGER = `${PRIVATE}/ledger`;
export const INSTRUMENTS = '/spot-api/api/public/v2/instruments';
export const TIME = '/spot-api/api/public/v1/time';
const MARKET_DATA = '/market-data-server/api/public/v1';
export const ORDERBOOK = `${MARKET_DATA}/orderbook`;
export const L3_ORDERBOOK = `${MARKET_DATA}/l3Orderbook`;
export const TRADES = `${MARKET_DATA}/trades`;
export const TICKERS = `${MARKET_DATA}/tickers`;
export const AGG_TRADES = `${MARKET_DATA}/aggTrades`;
export const AVG_PRICE = `${MARKET_DATA}/avgPrice`;
export const BBO = `${MARKET_DATA}/bbo`;
export const CANDLES = `${MARKET_DATA}/candles`;

const withQuery = (path: string, text: string): string => (text === '' ? path : `${path}?${text}`);

function queryText(query: Query): string {
  if (typeof query === 'string') return query;
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Reads a response whole. Throws Error where it differs from what the contract describes. */
export async function answerOf(response: Response, method: string): Promise<Answer> {
  const text = await response.text();
  const contentType = response.headers.get('content-type');
  const { status, headers, url } = response;
  const path = new URL(url).pathname;
  const call = callOf(allCalls, { method, path });
  const faults = call === undefined ? [] : faultsOfResponse(call, { status, contentType, text });
  if (faults.length > 0) throw new Error(`${method} ${path} ${status}: ${faults.join('; ')}`);
  const isJson = contentType === 'application/json' && text !== '';
  const body = (isJson ? JSON.parse(text) : undefined) as Json;
  return { status, headers, text, body };
}
