// The websocket API: the endpoints as messages, logins of a connection, and its user data stream.
import { isObject } from '../../contract/fields.ts';
import { type JsonOut, type JsonValue, stringify } from '../../contract/json.ts';
import { parseText } from '../../contract/lossless-json.ts';
import { Problem } from '../../contract/problem.ts';
import { orderCalls } from '../../contract/trading/calls.ts';
import { follows, waitForKey } from '../../gateway/auth/arrival.ts';
import { ofKey } from '../../gateway/auth/stream-gate.ts';
import { requireAvailable, shedCallsOf } from '../../gateway/limits/load.ts';
import type { Services } from '../../gateway/services.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import type { Connection, SocketDialect } from '../../streams/connection.ts';
import type { Streams } from '../../streams/streams.ts';
import { BinanceProblem, failureOf } from './binance-problem.ts';
import { Context, type Endpoint, endpoint, NO_PARAMETERS, type Shared } from './endpoint.ts';
import { byMethod } from './endpoints.ts';
import { rateLimitsOf } from './exchange-info.ts';
import { idOf } from './market-socket.ts';
import { paramsOf, readSent, type Sent } from './parameters.ts';
import { isSigned, type Rest } from './rest.ts';
import { payloadOfParams, readTime, takeSigned } from './signature.ts';
import type { StreamHub } from './stream-hub.ts';
import { subscribedMessage } from './user-data.ts';

const MAX_MESSAGE = 16 * 1024;
/** Requests of one connection that wait for their answers. */
const MAX_IN_FLIGHT = 500;
const SUBSCRIPTION = 'api';

interface ApiState {
  /** The key of session.logon. */
  session: LiveKey | null;
  loggedOnAt: number;
  inFlight: number;
}

interface Request {
  readonly id: string | number | null;
  readonly method: string;
  readonly sent: Sent;
  /** The text that its signature covers. */
  readonly payload: string;
  readonly showsLimits: boolean;
}

const NO_REQUEST: Request = {
  id: null,
  method: '',
  sent: new Map(),
  payload: '',
  showsLimits: true,
};

/** The calls of a session read the account, and change nothing. */
const LOGON = endpoint(orderCalls.orders, NO_PARAMETERS, () => ({}));

export class ApiSocket implements SocketDialect {
  readonly maxMessage = MAX_MESSAGE;
  readonly #shared: Shared;
  readonly #services: Services;
  readonly #rest: Rest;
  readonly #hub: StreamHub;
  readonly #streams: Streams;
  readonly #states = new WeakMap<Connection, ApiState>();

  constructor(
    shared: Shared,
    parts: { readonly rest: Rest; readonly hub: StreamHub; readonly streams: Streams },
  ) {
    this.#shared = shared;
    this.#services = shared.services;
    this.#rest = parts.rest;
    this.#hub = parts.hub;
    this.#streams = parts.streams;
  }

  /** Every request has limits of its own. */
  isUrgent(): boolean {
    return true;
  }

  opened(connection: Connection): void {
    this.#states.set(connection, { session: null, loggedOnAt: 0, inFlight: 0 });
  }

  closed(): void {}

  receive(connection: Connection, message: string | Buffer): boolean {
    const state = this.#states.get(connection)!;
    let request = NO_REQUEST;
    try {
      requireAvailable(this.#services.availability());
      request = readRequest(message);
      if (state.inFlight >= MAX_IN_FLIGHT) throw new Problem('rateLimited');
      const apiKey = request.sent.get('apiKey');
      const isUnknown =
        apiKey !== undefined && this.#services.identity.apiKeys.lookup(apiKey) === undefined;
      if (isUnknown && follows(this.#services)) {
        void this.#answerLater(connection, request, this.#afterKey(connection, request, apiKey));
        return false;
      }
      const result = this.#begin(connection, request);
      if (result instanceof Promise) void this.#answerLater(connection, request, result);
      else this.#answer(connection, request, result);
      return true;
    } catch (error) {
      this.#fail(connection, request, error);
      return false;
    }
  }

  async #afterKey(connection: Connection, request: Request, apiKey: string): Promise<JsonOut> {
    await waitForKey(this.#services, apiKey);
    return this.#begin(connection, request);
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

  /** Carries a request out. Throws Problem before its limits have admitted it. */
  #begin(connection: Connection, request: Request): JsonOut | Promise<JsonOut> {
    const { method } = request;
    const own = this.#ownMethod(connection, request);
    if (own !== undefined) return own;
    const found = byMethod.get(method);
    if (found === undefined) {
      this.#services.limits.publicCall(rateKeyOf(connection.address));
      throw new BinanceProblem(-1020, 'This operation is not supported.', {
        userMsg: 'No such method.',
        status: 404,
      });
    }
    const { load } = this.#services;
    if (load.level > 0) load.admit(shedCallsOf(found.call));
    return this.#carryOut(connection, found, request);
  }

  #carryOut(connection: Connection, found: Endpoint, request: Request) {
    const { sent } = request;
    const requestId = `ws-${connection.id}-${request.id}`;
    if (found.call.access === 'public') {
      this.#services.limits.publicCall(rateKeyOf(connection.address));
      sent.delete('apiKey');
      const context = new Context(this.#shared, requestId, null, null);
      return found.handle(context, readSent(found.query, sent));
    }
    const caller = this.#authenticate(connection, found, request);
    const context = this.#rest.contextOf(requestId, found, caller);
    return found.handle(context, readSent(found.query, sent));
  }

  /** By the message's own signature, or as the session of the connection. Throws Problem. */
  #authenticate(connection: Connection, found: Endpoint, { sent, payload }: Request) {
    const ip = () => connection.address;
    const apiKey = sent.get('apiKey') ?? null;
    sent.delete('apiKey');
    if (!isSigned(found) && apiKey !== null) {
      return { key: this.#rest.keyOf(apiKey, found, ip), signature: null };
    }
    const signed = takeSigned(sent, apiKey, payload);
    const { session } = this.#states.get(connection)!;
    if (session === null || signed.signature !== null) {
      return this.#rest.authenticate(found, signed, ip);
    }
    this.#requireLive(session);
    const { timestamp, recvWindow } = signed;
    const time = readTime(timestamp, recvWindow, this.#services.engine.wall());
    if (time instanceof Problem && isSigned(found)) throw time;
    // A session proves each message; its login works once.
    return { key: this.#rest.keyOf(session.apiKey, found, ip), signature: null };
  }

  #requireLive(key: LiveKey): void {
    if (!key.revoked && !key.isExpired(this.#services.engine.wall())) return;
    throw new Problem('signatureInvalid');
  }

  /** The methods that concern the connection; undefined for others. Throws Problem. */
  #ownMethod(connection: Connection, request: Request): JsonOut | undefined {
    const state = this.#states.get(connection)!;
    switch (request.method) {
      case 'session.logon':
        return this.#logOn(connection, state, request);
      case 'session.status':
        return this.#sessionOf(state);
      case 'session.logout':
        state.session = null;
        return this.#sessionOf(state);
      case 'userDataStream.subscribe':
        if (state.session === null) throw new Problem('streamLoginNeeded');
        this.#requireLive(state.session);
        return this.#subscribe(connection, state.session);
      case 'userDataStream.subscribe.signature': {
        const { key } = this.#authenticate(connection, LOGON, request);
        this.#enter(connection, key);
        return this.#subscribe(connection, key);
      }
      case 'userDataStream.unsubscribe':
        this.#hub.unsubscribeUser(connection, SUBSCRIPTION);
        return {};
    }
    return undefined;
  }

  #logOn(connection: Connection, state: ApiState, { sent, payload }: Request): JsonOut {
    const signed = takeSigned(sent, sent.get('apiKey') ?? null, payload);
    const { key } = this.#rest.authenticate(LOGON, signed, () => connection.address);
    this.#enter(connection, key);
    state.session = key;
    state.loggedOnAt = this.#services.engine.wall();
    return this.#sessionOf(state);
  }

  /** A connection has one account, which pays for it. Throws Problem. */
  #enter(connection: Connection, key: LiveKey): void {
    const { login } = connection;
    if (login === null) this.#streams.logIn(connection, ofKey(key, true));
    else if (login.uid !== key.uid) {
      throw new BinanceProblem(-2015, 'Invalid API-key, IP, or permissions for action.', {
        userMsg: 'This connection belongs to another account: open another one.',
      });
    }
  }

  #sessionOf({ session, loggedOnAt }: ApiState): JsonOut {
    return {
      apiKey: session?.apiKey ?? null,
      authorizedSince: session === null ? null : loggedOnAt,
      connectedSince: loggedOnAt,
      returnRateLimits: true,
      serverTime: this.#services.engine.wall(),
      userDataStream: session !== null,
    };
  }

  #subscribe(connection: Connection, { uid }: LiveKey): JsonOut {
    const deliver = (event: JsonOut): void => connection.send(subscribedMessage(0, event));
    this.#hub.subscribeUser(connection, uid, SUBSCRIPTION, deliver);
    return { subscriptionId: 0 };
  }

  #answer(connection: Connection, { id, showsLimits }: Request, result: JsonOut): void {
    const rateLimits = showsLimits ? this.#limitsOf(connection) : undefined;
    connection.answer(stringify({ id, status: 200, result, rateLimits }), this);
  }

  #fail(connection: Connection, { id, showsLimits }: Request, error: unknown): void {
    const failure = failureOf(this.#rest.problemOf(error, `ws-${connection.id}-${id}`));
    const { status, code, msg, data, agio, headers } = failure;
    const retryAfter = headers?.['Retry-After'];
    const wait = retryAfter === undefined ? {} : { retryAfter: this.#retryAt(Number(retryAfter)) };
    const extra = data ?? (retryAfter === undefined ? undefined : wait);
    const rateLimits = showsLimits ? this.#limitsOf(connection) : undefined;
    const answer = { id, status, error: { code, msg, data: extra, agio }, rateLimits };
    connection.answer(stringify(answer), this);
  }

  #retryAt(seconds: number): number {
    return this.#services.engine.wall() + seconds * 1000;
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

/** Throws Problem. */
function readRequest(message: string | Buffer): Request {
  const value: JsonValue = parseText(String(message));
  if (!isObject(value)) {
    throw new BinanceProblem(
      -1135,
      'This error code will occur if a parameter requiring a JSON object is invalid.',
    );
  }
  const { method } = value;
  const id = idOf(value);
  const sent = paramsOf(value.params);
  const payload = payloadOfParams(sent);
  const showsLimits = sent.get('returnRateLimits') !== 'false';
  sent.delete('returnRateLimits');
  return { id, method: typeof method === 'string' ? method : '', sent, payload, showsLimits };
}
