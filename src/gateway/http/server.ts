// The HTTP server: one request from its bytes to its answer, top to bottom. Routes know nothing of
// HTTP, and this file knows nothing of trading.
import { Problem } from '../../contract/problem.ts';
import { isStreamPath, type StreamPath } from '../../contract/streams/requests.ts';
import { EngineError } from '../../engine/command-port.ts';
import { ANY_ADDRESS, rateKeyOf } from '../../identity/ip.ts';
import type { Session } from '../../identity/sessions.ts';
import { SOCKET_TERMS } from '../../streams/limits.ts';
import type { Streams } from '../../streams/streams.ts';
import { follows, isUnknownCaller } from '../auth/arrival.ts';
import {
  authenticate,
  authenticateOperator,
  type OperatorToken,
  type SignedCaller,
} from '../auth/authenticate.ts';
import { sessionOf } from '../auth/authenticate-session.ts';
import { verifySignature, verifyWithEmptyBody } from '../auth/signature.ts';
import { upgrade } from '../auth/stream-gate.ts';
import type { ConnectionGuard } from '../limits/connection-guard.ts';
import type { Allowance } from '../limits/limits.ts';
import { requireAvailable, shedCallsOf } from '../limits/load.ts';
import { OperatorAudit } from '../operations/operator-audit.ts';
import type { Services } from '../services.ts';
import { type Caller, callOf, waitForMinSeq } from './call.ts';
import { Incoming, type ServerHandle } from './incoming.ts';
import type { HttpListener } from './listener.ts';
import { earnProblemOf, problemOf } from './problem-of.ts';
import { problemReply, type Reply } from './reply.ts';
import { readBytes } from './request-body.ts';
import { type CorsHeaders, corsHeaders, preflight, respond } from './response.ts';
import type { Call, Route } from './route.ts';
import { type Match, Router } from './router.ts';
import type { WebPages } from './web-pages.ts';

/** How long a relayed answer waits for this node's state; a node is some milliseconds behind. */
const REACH_MS = 1000;

const OPERATOR_AREA = '/operator/';
const CLUSTER_PATH = `${OPERATOR_AREA}v1/cluster`;
const LEADERLESS: ReadonlySet<string> = new Set(['noLeader', 'leaderLost']);
const METRICS = '/metrics';
const USER_CENTER_AREA = '/user-center/';
const NOT_ROUTED: ReadonlySet<string> = new Set(['notFound', 'methodNotAllowed', 'invalidHeader']);
const isOfIdentity = (path: string): boolean =>
  path.startsWith(USER_CENTER_AREA) || path.startsWith(OPERATOR_AREA);

const ANONYMOUS: Caller = { authenticated: null, session: null };

export interface GatewayOptions {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly operatorToken: OperatorToken;
  readonly pages: WebPages;
  readonly streams: Streams;
  readonly dialects?: readonly Dialect[];
}

/** Another wire form of the calls, under a prefix of its own. It throws nothing. */
export interface Dialect {
  readonly prefix: string;
  /** Resolves to undefined where the request became a websocket. */
  serve(incoming: Incoming): Promise<Response | undefined>;
}

export class Gateway {
  readonly #services: Services;
  readonly #router: Router;
  readonly #operatorToken: OperatorToken;
  readonly #operatorAudit: OperatorAudit;
  readonly #pages: WebPages;
  readonly #streams: Streams;
  readonly #dialects: readonly Dialect[];
  readonly #idPrefix = `${Date.now().toString(36)}-`;
  #requests = 0;
  #listener: HttpListener | null = null;

  constructor(options: GatewayOptions) {
    this.#services = options.services;
    this.#router = new Router(options.routes);
    this.#operatorToken = options.operatorToken;
    this.#operatorAudit = new OperatorAudit(options.services);
    this.#pages = options.pages;
    this.#streams = options.streams;
    this.#dialects = options.dialects ?? [];
  }

  /** See HttpListener.handTo. */
  takeOver(listener: HttpListener): void {
    const { server } = listener;
    this.#listener = listener;
    this.#streams.attach(server);
    server.reload({
      fetch: (request, handle) => this.serve(request, handle),
      websocket: { ...SOCKET_TERMS, ...this.#streams.handlers },
    });
    this.#services.load.start();
  }

  /** For the metrics; null where the system does not count connections. */
  get connections(): Pick<ConnectionGuard, 'connections' | 'highWater' | 'ended'> | null {
    return this.#listener?.guard ?? null;
  }

  /** Stops listening and sends answers in progress. */
  async close(): Promise<void> {
    if (this.#listener === null) return;
    this.#streams.close();
    this.#services.load.stop();
    await this.#listener.close();
  }

  /** Answers one request of `server`; resolves to undefined where it became a stream. */
  async serve(request: Request, server: ServerHandle): Promise<Response | undefined> {
    const { config, metrics } = this.#services;
    const incoming = new Incoming(request, server, this.#nextId, config.trustedProxies);
    const { path, headers } = incoming;
    const page = incoming.hasValidHost ? this.#pages.respond(request, path) : null;
    if (page !== null) return page;
    const cors = corsHeaders(config.corsOrigins, headers, path);
    let reply: Reply;
    try {
      incoming.requireHost();
      const dialect = this.#dialects.find(({ prefix }) => path.startsWith(prefix));
      if (dialect !== undefined) return await dialect.serve(incoming);
      if (path.startsWith(OPERATOR_AREA) && follows(this.#services)) {
        try {
          return await this.#relay(incoming);
        } catch (error) {
          reply = await this.#statusWithoutLeader(incoming, error);
          return respond({ reply, route: null, rate: null, cors, requestId: incoming.requestId });
        }
      }
      if (isForOperators(path)) this.#requireOperatorNetwork(incoming);
      if (request.method === 'OPTIONS') return this.#preflight(incoming, cors);
      if (isStreamPath(path)) return await this.#openStream(incoming, path);
      const match = this.#router.find(request.method, path);
      incoming.match = match;
      requireAvailable(this.#services.availability());
      if (this.#services.load.level > 0) this.#services.load.admit(shedCallsOf(match.route));
      if (follows(this.#services) && this.#isForLeader(incoming, match))
        return await this.#relay(incoming);
      if (match.route.access === 'operator') {
        reply = await this.#serveOperator(incoming, match);
      } else {
        // Awaited here: the promise of a function of its own would cost each order another turn.
        const reading = this.#admitCaller(incoming, match.route);
        const isArriving = reading instanceof Promise;
        const call = this.#readCall(
          incoming,
          match,
          isArriving ? await reading : reading,
          isArriving,
        );
        const waiting = waitForMinSeq(this.#services.engine, incoming);
        if (waiting !== undefined) {
          await waiting;
          this.#requireStillValid(incoming, call);
        }
        if (match.route.write) metrics.countReceived(performance.now() - incoming.startedAt);
        reply = await match.route.handle(this.#services, call);
      }
      // The answer may show a write of identity that the cluster does not have yet.
      if (isOfIdentity(path)) await this.#services.identity.store.durable();
    } catch (error) {
      const problem = this.#rejectionOf(incoming, error);
      const isUnknownPath = incoming.match === null && problem.kind === 'notFound';
      const unknownPage = isUnknownPath ? this.#pages.notFound(request) : null;
      if (unknownPage !== null) return unknownPage;
      reply = problemReply(problem);
    }
    const { match, passed, requestId } = incoming;
    const route = match?.route ?? null;
    const now = performance.now();
    metrics.countAnswer(route, reply.status, now - incoming.startedAt);
    return respond({ reply, route, rate: passed?.headers(now) ?? null, cors, requestId });
  }

  /**
   * The cluster as this node knows it while nobody leads; any other call rejects with `error`.
   * Only a leader can write an audit entry, so this read has none.
   */
  async #statusWithoutLeader(incoming: Incoming, error: unknown): Promise<Reply> {
    const { request, path } = incoming;
    const isLeaderless = error instanceof EngineError && LEADERLESS.has(error.kind);
    if (!isLeaderless || path !== CLUSTER_PATH || request.method !== 'GET') throw error;
    const { config, limits } = this.#services;
    const isInside =
      config.operatorNetworks === ANY_ADDRESS || incoming.isFrom(config.operatorNetworks);
    if (!isInside) throw new Problem('notFound');
    const authorization = incoming.headers.get('authorization');
    authenticateOperator(limits, this.#operatorToken, authorization, incoming.ip);
    const match = this.#router.find(request.method, path);
    return match.route.handle(
      this.#services,
      callOf(incoming, match, new Uint8Array(0), ANONYMOUS),
    );
  }

  /** Calls that write identity, and of callers whose key or session has not arrived here yet. */
  #isForLeader({ path, headers }: Incoming, { route }: Match): boolean {
    const { access, method } = route;
    if (access === 'operator') return true;
    if (path.startsWith(USER_CENTER_AREA) && (access === 'public' || method !== 'GET')) return true;
    return access !== 'public' && isUnknownCaller(this.#services, headers);
  }

  /** The leader's answer, once this node has the state that it reflects. */
  async #relay({ request, match, peer, startedAt }: Incoming): Promise<Response> {
    const { cluster, engine, metrics } = this.#services;
    const response = await cluster!.relay(request, peer);
    const seq = Number(response.headers.get('x-agio-seq') ?? 0);
    await engine.reach(seq, REACH_MS);
    metrics.countAnswer(match?.route ?? null, response.status, performance.now() - startedAt);
    return response;
  }

  /**
   * Checks the limits of a customer or of an anonymous caller, as far as the headers name it, and
   * begins to read the body. Throws Problem.
   */
  #admitCaller(incoming: Incoming, route: Route): Uint8Array | Promise<Uint8Array> {
    const { path, headers, ip } = incoming;
    if (route.access === 'public') incoming.passed = this.#limitAnonymous(path, ip);
    const session = sessionOf(this.#services, route, headers, ip);
    incoming.session = session;
    if (session !== null) incoming.passed = this.#limitSession(session, route);
    return readBytes(incoming, route);
  }

  /** The call of a body that is read; `hasWaited` for it. Throws Problem. */
  #readCall(
    incoming: Incoming,
    match: Match,
    body: Uint8Array,
    hasWaited: boolean,
  ): Call<unknown, unknown> {
    const { route } = match;
    const needsKey = typeof route.access === 'object' && incoming.session === null;
    const authenticated = needsKey ? this.#authenticateKey(incoming, route, body) : null;
    // A slow body takes seconds, in which the session may have ended.
    if (incoming.session !== null && hasWaited) {
      incoming.session = sessionOf(this.#services, route, incoming.headers, incoming.ip);
    }
    return callOf(incoming, match, body, { authenticated, session: incoming.session });
  }

  /** Throws Problem where the session or the key of a call has ended while it waited. */
  #requireStillValid({ match, session, headers, ip }: Incoming, { key }: Call<unknown, unknown>) {
    if (session !== null) sessionOf(this.#services, match!.route, headers, ip);
    if (key?.revoked === true) throw new Problem('signatureInvalid');
  }

  /** A call of the operator. It has audit entries before its act and its answer. Throws Problem. */
  async #serveOperator(incoming: Incoming, match: Match): Promise<Reply> {
    const { requestId } = incoming;
    const { route, params } = match;
    const ip = incoming.ip();
    this.#authenticateOperator(incoming);
    this.#services.identity.audit.requireRoom();
    let call: Call<unknown, unknown> | null = null;
    let reply: Reply;
    try {
      const body = await readBytes(incoming, route);
      call = callOf(incoming, match, body, ANONYMOUS);
      await waitForMinSeq(this.#services.engine, incoming);
      await this.#operatorAudit.recordBegin({ route, params, call, ip, requestId });
      reply = await route.handle(this.#services, call);
    } catch (error) {
      reply = problemReply(this.#problemOf(error, requestId));
    }
    this.#operatorAudit.recordEnd({ route, params, call, ip, requestId }, reply);
    return reply;
  }

  /**
   * Outside of the operators' networks the operator area does not exist. Throws Problem notFound.
   */
  #requireOperatorNetwork(incoming: Incoming): void {
    const { operatorNetworks } = this.#services.config;
    if (operatorNetworks === ANY_ADDRESS || incoming.isFrom(operatorNetworks)) return;
    this.#operatorAudit.recordOutside(incoming.path, incoming.ip(), incoming.requestId);
    throw new Problem('notFound');
  }

  /** The answer to OPTIONS. Throws Problem notFound, rateLimited. */
  #preflight({ path, ip }: Incoming, cors: CorsHeaders | null): Response {
    const methods = this.#router.methodsOf(path);
    this.#services.limits.publicCall(rateKeyOf(ip()));
    return preflight(methods, cors);
  }

  /** Turns the request into a stream, which has no answer. Throws Problem. */
  async #openStream(
    { request, server, query, ip }: Incoming,
    path: StreamPath,
  ): Promise<undefined> {
    requireAvailable(this.#services.availability());
    this.#services.load.admit(path === '/ws/v1/public' ? 'public' : 'read');
    await upgrade(this.#services, this.#streams, server, request, { path, query }, ip());
  }

  /** Throws Problem rateLimited. */
  #limitAnonymous(path: string, ip: () => string): Allowance | null {
    const address = rateKeyOf(ip());
    return path.startsWith(USER_CENTER_AREA)
      ? this.#services.limits.anonymousUserCenterCall(address)
      : this.#services.limits.publicCall(address);
  }

  /** Throws Problem rateLimited. */
  #limitSession({ uid }: Session, { access, method, write }: Route): Allowance | null {
    const changesAccount = access === 'session' && method !== 'GET';
    if (changesAccount) return this.#services.limits.accountCall(uid);
    return this.#services.limits.privateCall({ key: null, uid }, write);
  }

  /** The key of a signed request. Throws the Problems of authenticate. */
  #authenticateKey(incoming: Incoming, route: Route, body: Uint8Array): SignedCaller {
    const { path, query, ip, headers } = incoming;
    const signed = {
      apiKey: headers.get('exchange-api-key'),
      timestamp: headers.get('exchange-api-timestamp'),
      signature: headers.get('exchange-api-sign'),
      method: route.method,
      path,
      query,
      body,
    };
    const authenticated = authenticate(
      this.#services,
      this.#services.limits,
      route,
      signed,
      ip,
      route.body?.fields.size === 0 ? verifyWithEmptyBody : verifySignature,
    );
    incoming.passed = authenticated.passed;
    return authenticated;
  }

  /** Throws Problem sessionInvalid, rateLimited. */
  #authenticateOperator({ headers, ip, requestId }: Incoming): void {
    try {
      const authorization = headers.get('authorization');
      authenticateOperator(this.#services.limits, this.#operatorToken, authorization, ip);
    } catch (error) {
      this.#operatorAudit.recordRejectedLogin(this.#problemOf(error, requestId), ip(), requestId);
      throw error;
    }
  }

  /** The Problem that answers an error. A request without a route counts as a public call. */
  #rejectionOf({ match, requestId, ip }: Incoming, error: unknown): Problem {
    const problem = this.#problemOf(error, requestId);
    if (match !== null) return match.route.envelope ? earnProblemOf(error, problem) : problem;
    if (!NOT_ROUTED.has(problem.kind)) return problem;
    try {
      this.#services.limits.publicCall(rateKeyOf(ip()));
      return problem;
    } catch (limited) {
      return this.#problemOf(limited, requestId);
    }
  }

  #problemOf(error: unknown, requestId: string): Problem {
    return problemOf(error, (err) =>
      this.#services.log.error({ requestId, err }, 'a request failed'),
    );
  }

  readonly #nextId = (): string => {
    this.#requests++;
    return this.#idPrefix + this.#requests;
  };
}

/** Compares the text that the router compares, so no spelling of a path gets around it. */
const isForOperators = (path: string): boolean =>
  path.startsWith(OPERATOR_AREA) || path === METRICS;
