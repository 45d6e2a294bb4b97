// The HTTP server: one request from its bytes to its answer, top to bottom. Routes know nothing of HTTP; this knows
// nothing of trading.
import type { Server } from 'bun';
import type { JsonValue } from '../contract/json.ts';
import { parseBody } from '../contract/lossless-json.ts';
import { invalidField, Problem } from '../contract/problem.ts';
import { readQuery } from '../contract/query.ts';
import type { IdempotencyTag } from '../core/command.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { OperatorToken } from '../identity/operator-token.ts';
import { type Authenticated, authenticate, authenticateOperator } from './authenticate.ts';
import { rateKeyOf } from './ip.ts';
import { Limits, type Passed } from './limits.ts';
import { type Reply, refuse } from './reply.ts';
import { corsHeaders, preflight, respond } from './response.ts';
import type { Call, Route } from './route.ts';
import { type Match, Router } from './router.ts';
import type { Services } from './services.ts';

/** No call of the contract needs a tenth of this; the operator's neither. */
const MAX_BODY_BYTES = 16 * 1024;
/** Where Bun itself gives up on a body without a declared length, before it fills memory. */
const HARD_BODY_BYTES = 256 * 1024;
/** How long a read waits for X-Agio-Min-Seq before it says that the position is not there yet. */
const MIN_SEQ_WAIT_MS = 1000;
const IDLE_TIMEOUT_SECONDS = 75;

export interface GatewayOptions {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly operatorToken: OperatorToken;
}

export class Gateway {
  readonly #services: Services;
  readonly #router: Router;
  readonly #limits: Limits;
  readonly #operatorToken: OperatorToken;
  readonly #idPrefix = `${Date.now().toString(36)}-`;
  #requests = 0;
  #server: Server<undefined> | null = null;

  constructor(options: GatewayOptions) {
    this.#services = options.services;
    this.#router = new Router(options.routes);
    this.#limits = new Limits(options.services.config.rateLimits);
    this.#operatorToken = options.operatorToken;
  }

  /** Listens; returns the URL. Throws when the address is taken. */
  listen(host: string, port: number): string {
    this.#server = Bun.serve({
      hostname: host,
      port,
      maxRequestBodySize: HARD_BODY_BYTES,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      fetch: (request, server) => this.#serve(request, server),
    });
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.#server.port}`;
  }

  /** Stops listening; answers in progress are sent. */
  async close(): Promise<void> {
    await this.#server?.stop();
  }

  async #serve(request: Request, server: Server<undefined>): Promise<Response> {
    const target = splitTarget(request.url);
    const cors = corsHeaders(this.#services.config.corsOrigins, request.headers);
    const requestId = this.#requestId(request);
    let passed: Passed | null = null;
    let match: Match | null = null;
    let reply: Reply;
    try {
      if (request.method === 'OPTIONS') return preflight(this.#router.methodsOf(target.path), cors);
      match = this.#router.find(request.method, target.path);
      this.#checkAvailable();
      const admitted = await this.#admit(request, server, target, match.route);
      passed = admitted.passed;
      reply = await this.#handle(request, server, target, match, admitted, requestId);
    } catch (error) {
      reply = refuse(this.#problemOf(error, requestId));
    }
    this.#services.metrics.countAnswer(reply.status);
    return respond({ reply, route: match?.route ?? null, passed, cors, requestId });
  }

  #requestId(request: Request): string {
    const given = request.headers.get('x-request-id');
    if (given !== null && REQUEST_ID.test(given)) return given;
    this.#requests++;
    return this.#idPrefix + this.#requests.toString(36);
  }

  #checkAvailable(): void {
    const availability = this.#services.availability();
    if (availability === 'ready') return;
    throw new Problem(availability === 'starting' ? 'notReady' : 'stopping', {
      headers: { 'Retry-After': '1' },
    });
  }

  /** Reads the body and finds out who is calling. */
  async #admit(
    request: Request,
    server: Server<undefined>,
    target: Target,
    route: Route,
  ): Promise<Admitted> {
    const { headers } = request;
    const now = this.#services.engine.wall();
    const ip = () => this.#address(request, server);
    if (route.access === 'public') {
      const passed = this.#limits.publicCall(rateKeyOf(ip()), now);
      return { body: await readBytes(request, route), passed, authenticated: null };
    }
    if (route.access === 'operator') {
      const authorization = headers.get('authorization');
      authenticateOperator(this.#services, this.#limits, this.#operatorToken, authorization, ip);
      return { body: await readBytes(request, route), passed: null, authenticated: null };
    }
    const body = await readBytes(request, route);
    const authenticated = authenticate(
      this.#services,
      this.#limits,
      route,
      {
        apiKey: headers.get('exchange-api-key'),
        timestamp: headers.get('exchange-api-timestamp'),
        signature: headers.get('exchange-api-sign'),
        method: route.method,
        path: target.path,
        query: target.query,
        body,
      },
      ip,
    );
    const passed = this.#limits.privateCall(authenticated.key.apiKey, route.write, now);
    return { body, passed, authenticated };
  }

  /** Reads the fields and calls the route. */
  async #handle(
    request: Request,
    server: Server<undefined>,
    target: Target,
    { route, params }: Match,
    { body, authenticated }: Admitted,
    requestId: string,
  ): Promise<Reply> {
    const { headers } = request;
    const guarded = route.write && authenticated !== null && authenticated.key.replayGuard;
    const call: Call<unknown, unknown> = {
      requestId,
      params,
      query: readQuery(route.query, target.query),
      body: route.body === undefined ? undefined : route.body.read(readJson(body), ''),
      uid: authenticated?.key.uid ?? 0,
      key: authenticated?.key ?? null,
      signature: guarded ? authenticated.signature : null,
      idempotency: route.write ? idempotencyTag(headers, target, body) : null,
      ip: () => this.#address(request, server),
      accept: headers.get('accept') ?? '',
    };
    const minSeq = headers.get('x-agio-min-seq');
    if (minSeq !== null) await this.#waitFor(minSeq);
    return route.handle(this.#services, call);
  }

  /** Waits until the state has reached the position that the caller must see. */
  async #waitFor(text: string): Promise<void> {
    if (!SEQ.test(text)) {
      throw invalidField('X-Agio-Min-Seq', 'be a natural number', {
        rule: 'type',
        value: text.slice(0, 40),
      });
    }
    const seq = Number(text);
    const deadline = performance.now() + MIN_SEQ_WAIT_MS;
    while (this.#services.engine.seq < seq) {
      if (performance.now() > deadline) {
        throw new Problem('notReady', {
          userMsg: `The journal has not reached X-Agio-Min-Seq ${seq}; it is at ${this.#services.engine.seq}.`,
          details: { field: 'X-Agio-Min-Seq', rule: 'maximum', limit: this.#services.engine.seq },
          headers: { 'Retry-After': '1' },
        });
      }
      await Bun.sleep(5);
    }
  }

  /** The peer, or what a trusted proxy says about it. */
  #address(request: Request, server: Server<undefined>): string {
    const peer = server.requestIP(request)?.address ?? '';
    const { trustedProxies } = this.#services.config;
    if (trustedProxies.isEmpty || !trustedProxies.contains(peer)) return peer;
    // The last address that is not a trusted proxy: what stands before it may be invented.
    const forwarded = (request.headers.get('x-forwarded-for') ?? '')
      .split(',')
      .map((part) => part.trim());
    return (
      forwarded.reverse().find((address) => address !== '' && !trustedProxies.contains(address)) ??
      peer
    );
  }

  #problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof EngineError && error.kind !== 'failed') {
      return new Problem(error.kind, { headers: { 'Retry-After': '1' } });
    }
    this.#services.log.error({ requestId, err: error }, 'a request failed');
    return new Problem('internal');
  }
}

interface Admitted {
  readonly body: Uint8Array;
  readonly passed: Passed | null;
  readonly authenticated: Authenticated | null;
}

interface Target {
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
}

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;
const SEQ = /^\d{1,15}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const NO_BYTES = new Uint8Array(0);

/** Path and query as they were sent. */
function splitTarget(url: string): Target {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const mark = url.indexOf('?', start);
  if (mark < 0) return { path: url.slice(start), query: '' };
  return { path: url.slice(start, mark), query: url.slice(mark + 1) };
}

/** The exact bytes of the body. Throws notJson, bodyTooLarge. */
async function readBytes(request: Request, route: Route): Promise<Uint8Array> {
  const { headers } = request;
  if (route.body === undefined) {
    const length = headers.get('content-length');
    if ((length !== null && length !== '0') || headers.has('transfer-encoding')) {
      throw invalidField('body', 'be left out of this call', { rule: 'absent' });
    }
    return NO_BYTES;
  }
  if (!JSON_TYPE.test(headers.get('content-type') ?? '') || headers.has('content-encoding')) {
    throw new Problem('notJson');
  }
  if (Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge();
  const bytes = await request.bytes();
  if (bytes.length > MAX_BODY_BYTES) throw bodyTooLarge();
  return bytes;
}

const bodyTooLarge = (): Problem =>
  new Problem('bodyTooLarge', {
    userMsg: `The request body is too large; at most ${MAX_BODY_BYTES} bytes are accepted.`,
    details: { field: 'body', rule: 'maxLength', limit: MAX_BODY_BYTES },
  });

function readJson(bytes: Uint8Array): JsonValue {
  if (bytes.length === 0) {
    throw new Problem('invalidBody', {
      userMsg: 'Invalid body. It must be a JSON object; it is empty.',
    });
  }
  return parseBody(bytes);
}

/** The Idempotency-Key with a digest of what it names: route, query and body. */
function idempotencyTag(headers: Headers, target: Target, body: Uint8Array): IdempotencyTag | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (!IDEMPOTENCY_KEY.test(key)) {
    const must = 'be 1 to 128 printable ASCII characters without spaces';
    throw invalidField('Idempotency-Key', must, { rule: 'pattern' });
  }
  const hasher = new Bun.CryptoHasher('sha256');
  hasher.update(`${target.path}\n${target.query}\n`);
  hasher.update(body);
  return { key, digest: hasher.digest('hex').slice(0, 32) };
}
