// The websocket API: the endpoints as messages, logins of a connection, and its user data stream.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../contract/fields.ts';
import { type JsonObject, type JsonOut, stringify } from '../../contract/json.ts';
import { parseText } from '../../contract/lossless-json.ts';
import { invalidField, Problem } from '../../contract/problem.ts';
import { orderCalls } from '../../contract/trading/calls.ts';
import type { WriteSignature } from '../../core/command.ts';
import { follows, waitForKey } from '../../gateway/auth/arrival.ts';
import { spendSignature } from '../../gateway/auth/spend-signature.ts';
import { ofKey } from '../../gateway/auth/stream-gate.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import type { Connection, SocketDialect } from '../../streams/connection.ts';
import type { Streams } from '../../streams/streams.ts';
import { BinanceProblem } from './binance-problem.ts';
import { type Context, type Endpoint, endpoint, type Venue } from './endpoint.ts';
import { byMethod } from './endpoints.ts';
import type { Entrance } from './entrance.ts';
import { rateLimitsOf } from './exchange-info.ts';
import { idOf } from './market-socket.ts';
import { paramsOf, type SentValues } from './parameters.ts';
import { payloadOfParams } from './signature.ts';
import type { StreamHub } from './stream-hub.ts';

const MAX_MESSAGE = 16 * 1024;
/** Requests of one connection that wait for their answers. */
const MAX_IN_FLIGHT = 500;
const SUBSCRIPTION = 'api';
const SUBSCRIPTION_ID = 0;

interface ApiState {
  readonly connectedAt: number;
  /** The key of session.logon. */
  session: LiveKey | null;
  loggedOnAt: number;
  /** A session.logon that has no answer yet: later messages wait for it. */
  loggingOn: Promise<unknown> | null;
  /** The newest signature that could open a session, and why it opens none. */
  spent: { readonly signature: WriteSignature; readonly problem: Promise<Problem | null> } | null;
  inFlight: number;
}

interface Request {
  readonly id: string | number | null;
  readonly method: string;
  readonly sent: SentValues;
  /** The text that its signature covers. */
  readonly payload: string;
  readonly signature: string | null;
  readonly showsLimits: boolean;
  /** True once its signature is spent, or opens no session for another reason. */
  isSettled: boolean;
}

const NO_REQUEST: Request = {
  id: null,
  method: '',
  sent: new Map(),
  payload: '',
  signature: null,
  showsLimits: true,
  isSettled: false,
};

/** The methods of the connection that no key pays for. */
const UNSIGNED: ReadonlySet<string> = new Set([
  'session.status',
  'session.logout',
  'session.subscriptions',
  'userDataStream.subscribe',
  'userDataStream.unsubscribe',
]);

/** The calls of a session read the account, and change nothing. */
const LOGON = endpoint(orderCalls.orders, '', () => ({}));

export class ApiSocket implements SocketDialect {
  readonly maxMessage = MAX_MESSAGE;
  readonly #venue: Venue;
  readonly #entrance: Entrance;
  readonly #hub: StreamHub;
  readonly #streams: Streams;
  /** Wall clock, ms. */
  readonly #startedAt: number;
  readonly #states = new WeakMap<Connection, ApiState>();

  constructor(venue: Venue, entrance: Entrance, hub: StreamHub, streams: Streams) {
    this.#venue = venue;
    this.#entrance = entrance;
    this.#hub = hub;
    this.#streams = streams;
    this.#startedAt = venue.services.engine.wall();
  }

  get #services() {
    return this.#venue.services;
  }

  /** Every request has limits of its own. */
  isUrgent(): boolean {
    return true;
  }

  opened(connection: Connection): void {
    const connectedAt = this.#services.engine.wall();
    this.#states.set(connection, {
      connectedAt,
      session: null,
      loggedOnAt: 0,
      loggingOn: null,
      spent: null,
      inFlight: 0,
    });
  }

  closed(): void {}

  receive(connection: Connection, message: string | Buffer): boolean {
    let request = NO_REQUEST;
    try {
      const value = parseText(String(message));
      if (!isObject(value)) {
        throw new BinanceProblem(-1135, 'A parameter that requires a JSON object is invalid.');
      }
      request = { ...NO_REQUEST, ...signedIn(value) };
      request = { ...request, id: idOf(value) };
      request = readRequest(request, value);
      const { inFlight, loggingOn } = this.#states.get(connection)!;
      if (inFlight >= MAX_IN_FLIGHT) throw new Problem('rateLimited');
      if (loggingOn !== null) {
        const later = loggingOn.then(() => this.#begin(connection, request));
        void this.#answerLater(connection, request, later);
        return false;
      }
      const apiKey = request.sent.get('apiKey');
      const { apiKeys } = this.#services.identity;
      if (apiKey !== undefined && apiKeys.lookup(apiKey) === undefined && follows(this.#services)) {
        const known = waitForKey(this.#services, apiKey);
        void this.#answerLater(
          connection,
          request,
          known.then(() => this.#begin(connection, request)),
        );
        return false;
      }
      const result = this.#begin(connection, request);
      if (result instanceof Promise) void this.#answerLater(connection, request, result);
      else this.#answer(connection, request, result);
      return true;
    } catch (error) {
      this.#fail(connection, request, error);
      this.#rejectLogin(request);
      return false;
    }
  }

  /** A message that did not spend its signature leaves none that opens a session. */
  #rejectLogin(request: Request): void {
    if (request.isSettled || request.signature === null) return;
    request.isSettled = true;
    this.#entrance.rejectLogin(request.payload, request.signature);
  }

  async #answerLater(connection: Connection, request: Request, work: Promise<JsonOut>) {
    const state = this.#states.get(connection)!;
    state.inFlight++;
    try {
      this.#answer(connection, request, await work);
    } catch (error) {
      this.#fail(connection, request, error);
    } finally {
      state.inFlight--;
    }
  }

  /** Executes a request. Throws Problem before its limits have admitted it. */
  #begin(connection: Connection, request: Request): JsonOut | Promise<JsonOut> {
    try {
      return this.#execute(connection, request);
    } finally {
      this.#rejectLogin(request);
    }
  }

  #execute(connection: Connection, request: Request): JsonOut | Promise<JsonOut> {
    const own = this.#ownMethod(connection, request);
    if (own !== undefined) return own;
    const { sent, method } = request;
    const found = byMethod.get(method);
    if (found === undefined) {
      this.#services.limits.publicCall(rateKeyOf(connection.address));
      throw new BinanceProblem(-1020, 'This operation is not supported.', {
        userMsg: 'No such method.',
        status: 404,
      });
    }
    const context = this.#enter(connection, found, request);
    const handle = () => found.handle(context, found.parameters.read(sent));
    // Without parameters it signs what a login signs, and must never open a session.
    const isLogin = sent.size === 0 && context.signature !== null;
    return isLogin ? this.#spend(connection, context, request).then(handle) : handle();
  }

  /** Spends a signature that could open a session; on its own connection it may come again. */
  #spend(
    connection: Connection,
    { key, signature }: Context,
    request: Request,
  ): Promise<Problem | null> {
    if (signature === null) return Promise.resolve(null);
    request.isSettled = true;
    const state = this.#states.get(connection)!;
    if (state.spent !== null && isDeepStrictEqual(state.spent.signature, signature)) {
      return state.spent.problem;
    }
    const problem = spendSignature(this.#services, { key, signature });
    state.spent = { signature, problem };
    return problem;
  }

  /** By the message's own signature, or as the session of the connection. Throws Problem. */
  #enter(connection: Connection, found: Endpoint, { sent, payload }: Request) {
    const { session } = this.#states.get(connection)!;
    this.#entrance.admit(found.call);
    const apiKey = sent.get('apiKey') ?? null;
    sent.delete('apiKey');
    if (session !== null) this.#requireLive(session);
    const ip = () => connection.address;
    return this.#entrance.enter({ endpoint: found, sent, payload, apiKey, ip, session });
  }

  #requireLive(key: LiveKey): void {
    if (!key.revoked && !key.isExpired(this.#services.engine.wall())) return;
    throw new Problem('signatureInvalid');
  }

  /** The methods that concern the connection; undefined for others. Throws Problem. */
  #ownMethod(connection: Connection, request: Request): JsonOut | Promise<JsonOut> | undefined {
    const state = this.#states.get(connection)!;
    const { method } = request;
    if (UNSIGNED.has(method)) this.#services.limits.publicCall(rateKeyOf(connection.address));
    switch (method) {
      case 'session.logon': {
        state.session = null;
        const answer = this.#logOn(connection, request).then((key) => {
          state.session = key;
          state.loggedOnAt = this.#services.engine.wall();
          return this.#sessionOf(state);
        });
        const ended = answer
          .catch(() => undefined)
          .then(() => {
            if (state.loggingOn === ended) state.loggingOn = null;
          });
        state.loggingOn = ended;
        return answer;
      }
      case 'session.status':
        return this.#sessionOf(state);
      case 'session.logout':
        state.session = null;
        return this.#sessionOf(state);
      case 'session.subscriptions':
        return this.#hub.hasUser(connection, SUBSCRIPTION)
          ? [{ subscriptionId: SUBSCRIPTION_ID }]
          : [];
      case 'userDataStream.subscribe':
        if (state.session === null) throw new Problem('streamLoginNeeded');
        this.#requireLive(state.session);
        return this.#subscribe(connection, state.session);
      case 'userDataStream.subscribe.signature':
        return this.#logOn(connection, request).then((key) => this.#subscribe(connection, key));
      case 'userDataStream.unsubscribe':
        this.#hub.unsubscribeUser(connection, SUBSCRIPTION);
        return {};
    }
    return undefined;
  }

  /**
   * The key of a signed login, whose signature works on one connection. A connection has one
   * account, which pays for it. Throws Problem before its limits have admitted it.
   */
  #logOn(connection: Connection, request: Request): Promise<LiveKey> {
    const context = this.#enter(connection, LOGON, request);
    LOGON.parameters.read(request.sent);
    return this.#spend(connection, context, request).then((problem) => {
      if (problem !== null) throw problem;
      const { key, signature } = context;
      // A restart forgets signatures that were rejected, but not journaled.
      const isOlder = signature !== null && signature.timestamp < this.#startedAt;
      if (isOlder && this.#services.engine.wall() >= this.#startedAt) {
        throw new Problem('signatureTooOld');
      }
      const { login, open } = connection;
      if (login === null && open) this.#streams.logIn(connection, ofKey(key));
      else if (login !== null && login.uid !== key.uid) {
        throw new BinanceProblem(-2015, 'Invalid API-key, IP, or permissions for action.', {
          userMsg: 'This connection belongs to another account: open another one.',
        });
      }
      return key;
    });
  }

  #sessionOf({ session, loggedOnAt, connectedAt }: ApiState): JsonOut {
    return {
      apiKey: session?.apiKey ?? null,
      authorizedSince: session === null ? null : loggedOnAt,
      connectedSince: connectedAt,
      returnRateLimits: true,
      serverTime: this.#services.engine.wall(),
      userDataStream: session !== null,
    };
  }

  #subscribe(connection: Connection, { uid }: LiveKey): JsonOut {
    if (!connection.open) return {};
    const subscriptionId = SUBSCRIPTION_ID;
    this.#hub.subscribeUser(connection, uid, SUBSCRIPTION, (event) =>
      connection.send(stringify({ subscriptionId, event })),
    );
    return { subscriptionId };
  }

  #answer(connection: Connection, { id, showsLimits }: Request, result: JsonOut): void {
    const rateLimits = showsLimits ? this.#limitsOf(connection) : undefined;
    connection.answer(stringify({ id, status: 200, result, rateLimits }), this);
  }

  #fail(connection: Connection, { id, showsLimits }: Request, error: unknown): void {
    const failure = this.#entrance.failure(error, `ws-${connection.id}-${id}`);
    const { status, code, msg, data, agio, headers } = failure;
    const seconds = headers?.['Retry-After'];
    const now = this.#services.engine.wall();
    const wait = seconds === undefined ? undefined : { retryAfter: now + Number(seconds) * 1000 };
    const rateLimits = showsLimits ? this.#limitsOf(connection) : undefined;
    const answer = { id, status, error: { code, msg, data: data ?? wait, agio }, rateLimits };
    connection.answer(stringify(answer), this);
  }

  /** The limits as they stand for the connection's key. */
  #limitsOf(connection: Connection): JsonOut {
    const apiKey = connection.login?.key?.apiKey;
    const { limits } = this.#services;
    return rateLimitsOf(this.#services).map((limit) => {
      const name = limit.rateLimitType === 'ORDERS' ? 'order' : 'private';
      return { ...limit, count: apiKey === undefined ? 0 : limits.used(name, apiKey) };
    });
  }
}

/** The signed parameters of a message, which may be malformed elsewhere. Throws Problem. */
function signedIn({ params }: JsonObject): Pick<Request, 'sent' | 'payload' | 'signature'> {
  if (!isObject(params)) return NO_REQUEST;
  const sent = paramsOf(params);
  return { sent, payload: payloadOfParams(sent), signature: sent.get('signature') ?? null };
}

/** Throws Problem. */
function readRequest(request: Request, { method, params }: JsonObject): Request {
  const sent = isObject(params) ? request.sent : paramsOf(params);
  // Any other value could have the text of further parameters in what is signed.
  const returned = sent.get('returnRateLimits') ?? 'true';
  if (returned !== 'true' && returned !== 'false') {
    throw invalidField('returnRateLimits', 'be true or false', { rule: 'type' });
  }
  sent.delete('returnRateLimits');
  const showsLimits = returned === 'true';
  return { ...request, method: typeof method === 'string' ? method : '', sent, showsLimits };
}
