// The market streams and the user data streams by listen key: /binance/ws and /binance/stream.
import { isObject } from '../../contract/fields.ts';
import {
  JsonNumber,
  type JsonObject,
  type JsonOut,
  type JsonValue,
  stringify,
} from '../../contract/json.ts';
import { parseText } from '../../contract/lossless-json.ts';
import { Problem } from '../../contract/problem.ts';
import { ofKey } from '../../gateway/auth/stream-gate.ts';
import { Module } from '../../identity/live-key.ts';
import { Close, type Connection, type SocketDialect } from '../../streams/connection.ts';
import type { Streams } from '../../streams/streams.ts';
import { BinanceProblem } from './binance-problem.ts';
import type { Venue } from './endpoint.ts';
import { LISTEN_KEY } from './listen-keys.ts';
import type { StreamHub } from './stream-hub.ts';

const MAX_MESSAGE = 16 * 1024;
/** A frame that closes a websocket has 123 bytes for its reason. */
const MAX_REASON = 120;

/** The path says the streams to begin with. */
interface Opening {
  readonly names: readonly string[];
  isCombined: boolean;
  /** The listen keys of its user data streams. */
  readonly listenKeys: Set<string>;
}

/** The streams that a path or a query names. */
export function namesIn(path: string, query: string): readonly string[] {
  const sent = /(?:^|&)streams=([^&]*)/.exec(query)?.[1] ?? path;
  return decodeURIComponentSafely(sent)
    .split('/')
    .filter((name) => name !== '');
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export class MarketSocket implements SocketDialect {
  readonly maxMessage = MAX_MESSAGE;
  readonly #venue: Venue;
  readonly #hub: StreamHub;
  readonly #streams: Streams;
  readonly #openings = new WeakMap<Connection, Opening>();
  /** Connections with a user data stream. */
  readonly #users = new Set<Connection>();

  constructor(venue: Venue, hub: StreamHub, streams: Streams) {
    this.#venue = venue;
    this.#hub = hub;
    this.#streams = streams;
    hub.onSecond = () => {
      for (const connection of [...this.#users]) this.#endExpired(connection);
    };
  }

  begin(connection: Connection, names: readonly string[], isCombined: boolean): void {
    this.#openings.set(connection, { names, isCombined, listenKeys: new Set() });
  }

  isUrgent(): boolean {
    return false;
  }

  /** A name that is no stream is ignored here, like at Binance. */
  opened(connection: Connection): void {
    const opening = this.#openings.get(connection)!;
    for (const name of opening.names) {
      try {
        this.#subscribe(connection, opening, name);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        connection.close(Close.policy, error.userMsg.slice(0, MAX_REASON));
        return;
      }
    }
  }

  closed(connection: Connection): void {
    this.#users.delete(connection);
  }

  /** The connection becomes one of the account. False if nobody has this listen key. */
  #subscribeUser(connection: Connection, opening: Opening, listenKey: string): boolean {
    const key = this.#venue.listenKeys.find(listenKey);
    if (key === undefined || key.isExpired(this.#venue.services.engine.wall())) return false;
    if (!key.admits(connection.address)) throw new Problem('addressRejected');
    if (!key.allows(Module.tradingRead)) throw new Problem('privilegeMissing');
    if (connection.login === null) this.#streams.logIn(connection, ofKey(key));
    if (connection.login?.key !== key) return false;
    // A new listen key replaces one that was closed: no event comes twice.
    this.#endExpired(connection);
    this.#hub.subscribeUser(connection, key.uid, listenKey, (event) =>
      this.#deliver(connection, listenKey, event),
    );
    opening.listenKeys.add(listenKey);
    this.#users.add(connection);
    return true;
  }

  #deliver(connection: Connection, listenKey: string, event: JsonOut): void {
    const text = stringify(event);
    const { isCombined } = this.#openings.get(connection)!;
    connection.send(isCombined ? `{"stream":"${listenKey}","data":${text}}` : text);
  }

  /** Ends the streams of a connection whose listen keys have expired, or were closed. */
  #endExpired(connection: Connection): void {
    const { listenKeys } = this.#openings.get(connection)!;
    for (const listenKey of listenKeys) {
      if (this.#venue.listenKeys.find(listenKey) !== undefined) continue;
      const expired = { e: 'listenKeyExpired', E: this.#venue.now, listenKey };
      this.#deliver(connection, listenKey, expired);
      this.#endUser(connection, listenKey);
    }
  }

  #endUser(connection: Connection, listenKey: string): void {
    const { listenKeys } = this.#openings.get(connection)!;
    this.#hub.unsubscribeUser(connection, listenKey);
    listenKeys.delete(listenKey);
    if (listenKeys.size === 0) this.#users.delete(connection);
  }

  receive(connection: Connection, message: string | Buffer): boolean {
    let id: JsonOut = null;
    try {
      const request = readMessage(message);
      id = idOf(request);
      connection.send(stringify({ result: this.#execute(connection, request), id }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const own = error instanceof BinanceProblem ? error : null;
      const answer = { code: own?.number ?? INVALID_REQUEST, msg: own?.words ?? error.userMsg };
      connection.send(stringify({ error: answer, id }));
    }
    return false;
  }

  #execute(connection: Connection, { method, params }: JsonObject): JsonOut {
    const opening = this.#openings.get(connection)!;
    switch (method) {
      case 'SUBSCRIBE':
        for (const name of namesOf(params)) {
          if (this.#subscribe(connection, opening, name)) continue;
          throw invalidRequest(`invalid stream ${name.slice(0, MAX_SHOWN)}.`);
        }
        return null;
      case 'UNSUBSCRIBE':
        for (const name of namesOf(params)) this.#unsubscribe(connection, name);
        return null;
      case 'LIST_SUBSCRIPTIONS':
        return this.#hub.namesOf(connection);
      case 'SET_PROPERTY':
        opening.isCombined = combinedOf(params);
        return null;
      case 'GET_PROPERTY':
        return opening.isCombined;
    }
    const known = 'SUBSCRIBE, UNSUBSCRIBE, LIST_SUBSCRIPTIONS, SET_PROPERTY, GET_PROPERTY';
    throw invalidRequest(`unknown method. Send one of ${known}.`);
  }

  /** False if there is no such stream. Throws Problem. */
  #subscribe(connection: Connection, opening: Opening, name: string): boolean {
    return LISTEN_KEY.test(name)
      ? this.#subscribeUser(connection, opening, name)
      : this.#hub.subscribe(connection, name, opening.isCombined);
  }

  #unsubscribe(connection: Connection, name: string): void {
    if (LISTEN_KEY.test(name)) this.#endUser(connection, name);
    else this.#hub.unsubscribe(connection, name);
  }
}

// The streams have error numbers of their own.
const INVALID_TYPE = 1;
const INVALID_REQUEST = 2;
const INVALID_JSON = 3;
const MAX_SHOWN = 80;

const invalidRequest = (about: string): BinanceProblem =>
  new BinanceProblem(INVALID_REQUEST, `Invalid request: ${about}`);

function readMessage(message: string | Buffer): JsonObject {
  let value: JsonValue;
  try {
    value = parseText(String(message));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new BinanceProblem(INVALID_JSON, `Invalid JSON: ${error.userMsg}`);
  }
  if (isObject(value)) return value;
  throw invalidRequest('a message is an object.');
}

const MAX_ID = 64;

/** The client's id of a request. */
export function idOf({ id }: JsonObject): string | number | null {
  if (typeof id === 'string' && id.length <= MAX_ID) return id;
  const number = id instanceof JsonNumber ? Number(id.source) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

function namesOf(params: JsonValue | undefined): readonly string[] {
  const isList = Array.isArray(params) && params.every((name) => typeof name === 'string');
  if (isList && params.length > 0) return params as string[];
  throw new BinanceProblem(INVALID_TYPE, 'Invalid value type: params is a list of streams.');
}

function combinedOf(params: JsonValue | undefined): boolean {
  const [property, value] = Array.isArray(params) ? params : [];
  if (property === 'combined' && typeof value === 'boolean') return value;
  const send = 'send ["combined", true] or ["combined", false].';
  throw new BinanceProblem(INVALID_TYPE, `Invalid value type: ${send}`);
}
