// The websocket API: the endpoints as messages, logins of a connection, and its user data stream.
import { isObject } from '../../contract/fields.ts';
import { type JsonObject, type JsonOut, stringify } from '../../contract/json.ts';
import { parseText } from '../../contract/lossless-json.ts';
import { Problem } from '../../contract/problem.ts';
import { orderCalls } from '../../contract/trading/calls.ts';
import { follows, waitForKey } from '../../gateway/auth/arrival.ts';
import { ofKey } from '../../gateway/auth/stream-gate.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import type { Connection, SocketDialect } from '../../streams/connection.ts';
import type { Streams } from '../../streams/streams.ts';
import { BinanceProblem } from './binance-problem.ts';
import { type Endpoint, endpoint, type Venue } from './endpoint.ts';
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
  inFlight: number;
}

interface Request {
  readonly id: string | number | null;
  readonly method: string;
  readonly sent: SentValues;
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
  readonly #states = new WeakMap<Connection, ApiState>();

  constructor(venue: Venue, entrance: Entrance, hub: StreamHub, streams: Streams) {
    this.#venue = venue;
    this.#entrance = entrance;
    this.#hub = hub;
    this.#streams = streams;
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
    this.#states.set(connection, { connectedAt, session: null, loggedOnAt: 0, inFlight: 0 });
  }

  closed(): void {}

  receive(connection: Connection, message: string | Buffer): boolean {
    let request = NO_REQUEST;
    try {
      const value = parseText(String(message));
      if (!isObject(value)) {
        throw new BinanceProblem(-1135, 'A parameter that requires a JSON object is invalid.');
      }
      request = { ...NO_REQUEST, id: idOf(value) };
      request = readRequest(request.id, value);
      if (this.#states.get(connection)!.inFlight >= MAX_IN_FLIGHT) {
        throw new Problem('rateLimited');
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
      return false;
    }
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
    return found.handle(context, found.parameters.read(sent));
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
  #ownMethod(connection: Connection, request: Request): JsonOut | undefined {
    const state = this.#states.get(connection)!;
    const { method } = request;
    if (UNSIGNED.has(method)) this.#services.limits.publicCall(rateKeyOf(connection.address));
    switch (method) {
      case 'session.logon':
        state.session = null;
        state.session = this.#logOn(connection, request);
        state.loggedOnAt = this.#services.engine.wall();
        return this.#sessionOf(state);
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
        return this.#subscribe(connection, this.#logOn(connection, request));
      case 'userDataStream.unsubscribe':
        this.#hub.unsubscribeUser(connection, SUBSCRIPTION);
        return {};
    }
    return undefined;
  }

  /** The key of a signed login. A connection has one account, which pays for it. Throws Problem. */
  #logOn(connection: Connection, request: Request): LiveKey {
    const { key } = this.#enter(connection, LOGON, request);
    const { login } = connection;
    if (login === null) this.#streams.logIn(connection, ofKey(key, true));
    else if (login.uid !== key.uid) {
      throw new BinanceProblem(-2015, 'Invalid API-key, IP, or permissions for action.', {
        userMsg: 'This connection belongs to another account: open another one.',
      });
    }
    return key;
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

/** Throws Problem. */
function readRequest(id: Request['id'], { method, params }: JsonObject): Request {
  const sent = paramsOf(params);
  const payload = payloadOfParams(sent);
  const showsLimits = sent.get('returnRateLimits') !== 'false';
  sent.delete('returnRateLimits');
  return { id, method: typeof method === 'string' ? method : '', sent, payload, showsLimits };
}
