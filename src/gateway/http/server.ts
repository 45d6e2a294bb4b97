// The HTTP server: one request from its bytes to its answer, top to bottom. Routes know nothing of
// HTTP; this knows nothing of trading.
import type { Server } from 'bun';
import type { JsonValue } from '../../contract/json.ts';
import { parseBody } from '../../contract/lossless-json.ts';
import { asEarnProblem, invalidField, Problem } from '../../contract/problem.ts';
import { readQuery } from '../../contract/query.ts';
import { isStreamPath } from '../../contract/streams/requests.ts';
import type { IdempotencyTag } from '../../core/command.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { ANY_ADDRESS, rateKeyOf } from '../../identity/ip.ts';
import type { OperatorToken } from '../../identity/operator-token.ts';
import type { Session } from '../../identity/sessions.ts';
import type { Connection } from '../../streams/connection.ts';
import type { Streams } from '../../streams/streams.ts';
import { ViewsUnavailable } from '../../views/views.ts';
import { type Authenticated, authenticate, authenticateOperator } from '../auth/authenticate.ts';
import { authorizeSession, requireSession } from '../auth/authenticate-session.ts';
import { sentToken } from '../auth/cookies.ts';
import { upgrade } from '../auth/stream-gate.ts';
import { ConnectionGuard } from '../limits/connection-guard.ts';
import type { Limits, Passed } from '../limits/limits.ts';
import { type Load, shedCallsOf } from '../limits/load.ts';
import { openSockets } from '../limits/sockets.ts';
import { OperatorAudit } from '../operations/operator-audit.ts';
import type { Services } from '../services.ts';
import { historyUnavailable, unstored } from '../unavailable.ts';
import { callerAddress, comesFromInside, peerAddress } from './caller-address.ts';
import { type Reply, refuse, refuseReplay } from './reply.ts';
import { mayBeLeftOut, readBytes } from './request-body.ts';
import { corsHeaders, preflight, respond } from './response.ts';
import type { Call, Route } from './route.ts';
import { type Match, Router } from './router.ts';
import type { WebPages } from './web-pages.ts';

/**
 * Bodies are bounded in request-body.ts, whose refusal has the error shape; Bun's own has no body.
 */
const NO_HARD_LIMIT = Number.MAX_SAFE_INTEGER;
/** How long a read waits for X-Agio-Min-Seq before it says that the position is not there yet. */
const MIN_SEQ_WAIT_MS = 1000;
const IDLE_TIMEOUT_SECONDS = 75;
/** Below it ordinary use may reach the mark. */
const FEW_CONNECTIONS = 1000;
/**
 * How long a stop waits for requests in progress, of the ten seconds that the whole stop may take.
 */
const CLOSE_GRACE_MS = 2000;

/** What is asked of the server that a request came by. */
export type Origin = Pick<Server<Connection>, 'requestIP' | 'upgrade'>;

export interface GatewayOptions {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly operatorToken: OperatorToken;
  readonly pages: WebPages;
  readonly streams: Streams;
}

export class Gateway {
  readonly #services: Services;
  readonly #router: Router;
  readonly #limits: Limits;
  readonly #load: Load;
  readonly #operatorToken: OperatorToken;
  readonly #operatorAudit: OperatorAudit;
  readonly #pages: WebPages;
  readonly #streams: Streams;
  readonly #idPrefix = `${Date.now().toString(36)}-`;
  #requests = 0;
  #server: Server<Connection> | null = null;
  #guard: ConnectionGuard | null = null;

  constructor(options: GatewayOptions) {
    this.#services = options.services;
    this.#router = new Router(options.routes);
    this.#limits = options.services.limits;
    this.#load = options.services.load;
    this.#operatorToken = options.operatorToken;
    this.#operatorAudit = new OperatorAudit(options.services);
    this.#pages = options.pages;
    this.#streams = options.streams;
  }

  /** Listens; returns the URL. Throws when the address is taken. */
  listen(host: string, port: number): string {
    this.#server = Bun.serve({
      hostname: host,
      port,
      maxRequestBodySize: NO_HARD_LIMIT,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      fetch: (request, server) => this.serve(request, server),
      websocket: this.#streams.handlers,
    });
    this.#streams.attach(this.#server);
    this.#guard = this.#guardOf(this.#server.port!);
    this.#guard?.start();
    this.#load.start();
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.#server.port}`;
  }

  /** null where the system does not say what is open: nothing is ended then. */
  #guardOf(port: number): ConnectionGuard | null {
    const { config, log } = this.#services;
    const sockets = openSockets();
    if (sockets === null) {
      log.warn('connections are not counted on this system: limit them in a proxy');
      return null;
    }
    const guard = new ConnectionGuard(sockets, port, config.maxConnections);
    const { highWater } = guard;
    if (highWater < FEW_CONNECTIONS) {
      const { limit } = sockets;
      log.warn(
        { limit, highWater },
        'few descriptors: raise the limit of open files (LimitNOFILE)',
      );
    }
    return guard;
  }

  /** For the metrics; null where they are not counted. */
  get connections(): Pick<ConnectionGuard, 'connections' | 'highWater' | 'ended'> | null {
    return this.#guard;
  }

  /**
   * Stops listening; answers in progress are sent. A client that dawdles over its body holds nobody
   * up.
   */
  async close(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#streams.close();
    this.#guard?.stop();
    this.#load.stop();
    await Promise.race([server.stop(), Bun.sleep(CLOSE_GRACE_MS)]);
    await server.stop(true);
  }

  /** Answers one request that came by `server`; resolves to undefined when it became a stream. */
  async serve(request: Request, server: Origin): Promise<Response | undefined> {
    const target = splitTarget(request.url);
    const hasHost = isHost(request.headers.get('host'));
    const page = hasHost ? this.#pages.respond(request, target.path) : null;
    if (page !== null) return page;
    const started = performance.now();
    const cors = corsHeaders(this.#services.config.corsOrigins, request.headers, target.path);
    const requestId = this.#requestId(request);
    const ip = () => this.#address(request, server);
    const progress: Progress = { match: null, passed: null };
    let reply: Reply;
    try {
      if (!hasHost) throw notOneHost();
      const { path, query } = target;
      if (isForOperators(path)) this.#checkInside(request, server, path, requestId);
      if (request.method === 'OPTIONS') {
        const methods = this.#router.methodsOf(path);
        this.#limits.publicCall(rateKeyOf(ip()), this.#now);
        return preflight(methods, cors);
      }
      if (isStreamPath(path)) {
        this.#checkAvailable();
        this.#load.admit(path === '/ws/v1/public' ? 'public' : 'read');
        upgrade(this.#services, this.#streams, server, request, { path, query }, ip());
        return undefined;
      }
      const match = this.#router.find(request.method, path);
      progress.match = match;
      this.#checkAvailable();
      if (this.#load.level > 0) this.#load.admit(shedCallsOf(match.route));
      reply =
        match.route.access === 'operator'
          ? await this.#serveOperator(request, server, target, match, requestId)
          : await this.#serveCaller(request, target, match, progress, requestId, ip);
    } catch (error) {
      let problem = this.#problemOf(error, requestId);
      if (progress.match === null) {
        problem = this.#unmatched(problem, requestId, ip);
        const unknownPage = problem.kind === 'notFound' ? this.#pages.notFound(request) : null;
        if (unknownPage !== null) return unknownPage;
      }
      reply = refuse(progress.match?.route.envelope ? earnProblemOf(error, problem) : problem);
    }
    const { match, passed } = progress;
    const route = match?.route ?? null;
    this.#services.metrics.countAnswer(route, reply.status, performance.now() - started);
    return respond({ reply, route, passed, cors, requestId });
  }

  /** A call of a customer, or of nobody in particular. Throws Problem. */
  async #serveCaller(
    request: Request,
    target: Target,
    match: Match,
    progress: Progress,
    requestId: string,
    ip: () => string,
  ): Promise<Reply> {
    const { route } = match;
    const isPrivate = typeof route.access === 'object';
    const apiKey = isPrivate ? request.headers.get('exchange-api-key') : null;
    if (route.access === 'public') progress.passed = this.#anonymousPasses(target.path, ip);
    let session = apiKey === null ? this.#sessionOf(request, route, ip) : null;
    if (session !== null) progress.passed = this.#sessionPasses(session, route);
    const reading = readBytes(request, route);
    const body = await reading;
    let authenticated: Authenticated | null = null;
    if (isPrivate && session === null) {
      authenticated = this.#authenticate(request, apiKey, target, route, body, ip);
      progress.passed = authenticated.passed;
    }
    // A body takes up to seconds, in which a session that was good at the headers may have ended.
    if (session !== null && reading instanceof Promise) {
      session = this.#sessionOf(request, route, ip);
    }
    const caller = { authenticated, session };
    const call = callOf(request, target, match, body, caller, requestId, ip);
    const reached = this.#reached(request);
    if (reached !== undefined) {
      await reached;
      if (session !== null) this.#sessionOf(request, route, ip);
      if (authenticated?.key.revoked === true) throw new Problem('signatureInvalid');
    }
    if (route.write) {
      const replay = refuseReplay(this.#services, call);
      if (replay !== null) return replay;
    }
    return route.handle(this.#services, call);
  }

  /** A request that no route takes costs its address what a public call costs. */
  #unmatched(problem: Problem, requestId: string, ip: () => string): Problem {
    if (!NOT_ROUTED.has(problem.kind)) return problem;
    try {
      this.#limits.publicCall(rateKeyOf(ip()), this.#now);
      return problem;
    } catch (limited) {
      return this.#problemOf(limited, requestId);
    }
  }

  /** Wall clock, ms. */
  get #now(): number {
    return this.#services.engine.wall();
  }

  #requestId(request: Request): string {
    const given = request.headers.get('x-request-id');
    if (given !== null && REQUEST_ID.test(given)) return given;
    this.#requests++;
    return this.#idPrefix + this.#requests;
  }

  #checkAvailable(): void {
    const availability = this.#services.availability();
    if (availability === 'ready') return;
    throw new Problem(availability === 'starting' ? 'notReady' : 'stopping', {
      headers: { 'Retry-After': '1' },
    });
  }

  /** Throws Problem rateLimited. */
  #anonymousPasses(path: string, ip: () => string): Passed | null {
    const address = rateKeyOf(ip());
    if (path.startsWith(USER_CENTER_AREA))
      return this.#limits.anonymousUserCenterCall(address, this.#now);
    return this.#limits.publicCall(address, this.#now);
  }

  /** Throws Problem rateLimited. */
  #sessionPasses({ uid }: Session, { access, method, write }: Route): Passed | null {
    const changesAccount = access === 'session' && method !== 'GET';
    if (changesAccount) return this.#limits.accountCall(uid, this.#now);
    return this.#limits.privateCall(`uid:${uid}`, uid, write, this.#now);
  }

  /** The session that a call without a key is judged by; null for none. Throws Problem. */
  #sessionOf({ headers }: Request, route: Route, ip: () => string): Session | null {
    if (route.access === 'public') return null;
    if (route.access === 'session') {
      return requireSession(this.#services, this.#limits, route, headers, ip);
    }
    if (sentToken(headers) === null) return null;
    return authorizeSession(this.#services, this.#limits, route, headers, ip);
  }

  #authenticate(
    request: Request,
    apiKey: string | null,
    target: Target,
    route: Route,
    body: Uint8Array,
    ip: () => string,
  ): Authenticated {
    const { headers } = request;
    const signed = {
      apiKey,
      timestamp: headers.get('exchange-api-timestamp'),
      signature: headers.get('exchange-api-sign'),
      method: route.method,
      path: target.path,
      query: target.query,
      body,
    };
    return authenticate(this.#services, this.#limits, route, signed, ip);
  }

  /**
   * The outcome of an operator's call is in the audit log, or waits for room on the disk, before it
   * is answered.
   */
  async #serveOperator(
    request: Request,
    server: Origin,
    target: Target,
    match: Match,
    requestId: string,
  ): Promise<Reply> {
    const { route, params } = match;
    const ip = this.#address(request, server);
    try {
      const authorization = request.headers.get('authorization');
      const token = this.#operatorToken;
      authenticateOperator(this.#services, this.#limits, token, authorization, () => ip);
    } catch (error) {
      this.#operatorAudit.recordRefusedLogin(this.#problemOf(error, requestId), ip, requestId);
      throw error;
    }
    this.#services.identity.audit.requireRoom();
    let call: Call<unknown, unknown> | null = null;
    let reply: Reply;
    try {
      const body = await readBytes(request, route);
      call = callOf(request, target, match, body, UNKNOWN, requestId, () => ip);
      await this.#reached(request);
      reply = await route.handle(this.#services, call);
    } catch (error) {
      reply = refuse(this.#problemOf(error, requestId));
    }
    this.#operatorAudit.recordCall({ route, params, call, reply, ip, requestId });
    return reply;
  }

  /**
   * Holds a request back until the state is where X-Agio-Min-Seq wants it; nearly none has that
   * header.
   */
  #reached(request: Request): Promise<void> | undefined {
    const minSeq = request.headers.get('x-agio-min-seq');
    return minSeq === null ? undefined : this.#waitFor(minSeq);
  }

  /** Waits until the state has reached the position that the caller must see. */
  async #waitFor(text: string): Promise<void> {
    if (!SEQ.test(text)) {
      const details = { rule: 'type', value: text.slice(0, 40) };
      throw invalidField('X-Agio-Min-Seq', 'be a natural number', details, 'invalidHeader');
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

  /**
   * The operator area does not exist outside of the operators' networks. Throws Problem notFound.
   */
  #checkInside(request: Request, server: Origin, path: string, requestId: string): void {
    const { operatorNetworks, trustedProxies } = this.#services.config;
    if (operatorNetworks === ANY_ADDRESS) return;
    const peer = peerAddress(server.requestIP(request)?.address);
    if (comesFromInside(peer, request.headers, trustedProxies, operatorNetworks)) return;
    this.#operatorAudit.recordOutside(path, this.#address(request, server), requestId);
    throw new Problem('notFound');
  }

  #address(request: Request, server: Origin): string {
    const peer = peerAddress(server.requestIP(request)?.address);
    return callerAddress(peer, request.headers, this.#services.config.trustedProxies);
  }

  #problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof EngineError && error.kind !== 'failed') {
      return new Problem(error.kind, { headers: { 'Retry-After': '1' } });
    }
    if (error instanceof ViewsUnavailable) return historyUnavailable(error);
    this.#services.log.error({ requestId, err: error }, 'a request failed');
    return unstored(error) ?? new Problem('internal');
  }
}

/** How far a request has come, for an answer that is written after a refusal. */
interface Progress {
  match: Match | null;
  /** What the tightest limit that it passed has left. */
  passed: Passed | null;
}

interface Target {
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
}

/** How the caller proved who they are: by a key, by a session, or not at all. */
interface Caller {
  readonly authenticated: Authenticated | null;
  readonly session: Session | null;
}

const OPERATOR_AREA = '/operator/';
const METRICS = '/metrics';
const USER_CENTER_AREA = '/user-center/';
const NOT_ROUTED: ReadonlySet<string> = new Set(['notFound', 'methodNotAllowed', 'invalidHeader']);
const UNKNOWN: Caller = { authenticated: null, session: null };
/**
 * A name, IPv4, or IPv6 in brackets, and a port. The runtime joins several Host headers with a
 * comma.
 */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;
const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;
const SEQ = /^\d{1,15}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** HTTP/1.0 may leave it out; the runtime refuses HTTP/1.1 without it. */
const isHost = (host: string | null): boolean => host === null || HOST.test(host);

const notOneHost = (): Problem =>
  new Problem('invalidHeader', {
    userMsg: 'Invalid header: Host. Send it once, as a host with or without a port.',
    details: { field: 'Host', rule: 'pattern' },
    headers: { Connection: 'close' },
  });

/** By the very text that the routes are found by, so no way of writing a path leads round it. */
const isForOperators = (path: string): boolean =>
  path.startsWith(OPERATOR_AREA) || path === METRICS;

/**
 * Path and query. Bun has read the target as browsers do: `\` is `/`, and the segments `.` and `..`
 * are resolved, also as `%2e`; all else is as it was sent. A request without a usable Host header
 * has a URL that is only these.
 */
function splitTarget(url: string): Target {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const mark = url.indexOf('?', start);
  if (mark < 0) return { path: url.slice(start), query: '' };
  return { path: url.slice(start, mark), query: url.slice(mark + 1) };
}

/** What the earn area says instead, where its list has an error for it. */
function earnProblemOf(error: unknown, problem: Problem): Problem {
  const failed = error instanceof EngineError && error.kind === 'failed';
  return failed ? new Problem('transactionFailed') : asEarnProblem(problem);
}

/** What the handler gets; reads query and body by their descriptions. Throws Problem. */
function callOf(
  request: Request,
  target: Target,
  { route, params }: Match,
  body: Uint8Array,
  { authenticated, session }: Caller,
  requestId: string,
  ip: () => string,
): Call<unknown, unknown> {
  const { headers } = request;
  const guarded = route.write && authenticated?.key.replayGuard === true;
  return {
    requestId,
    params,
    query: readQuery(route.query, target.query),
    body: route.body === undefined ? undefined : route.body.read(readJson(body, route), ''),
    uid: authenticated?.key.uid ?? session?.uid ?? 0,
    key: authenticated?.key ?? null,
    session,
    signature: guarded ? authenticated.signature : null,
    idempotency: route.write ? idempotencyTag(headers, target, body) : null,
    ip,
    headers,
  };
}

function readJson(bytes: Uint8Array, route: Route): JsonValue {
  if (bytes.length === 0) {
    if (mayBeLeftOut(route)) return {};
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
    throw invalidField('Idempotency-Key', must, { rule: 'pattern' }, 'invalidHeader');
  }
  const hasher = new Bun.CryptoHasher('sha256');
  hasher.update(`${target.path}\n${target.query}\n`);
  hasher.update(body);
  return { key, digest: hasher.digest('hex').slice(0, 32) };
}
