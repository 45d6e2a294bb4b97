// The market streams and the user data streams by listen key: /binance/ws and /binance/stream.
import { isObject } from '../../contract/fields.ts';
import { JsonNumber, type JsonOut, type JsonValue, stringify } from '../../contract/json.ts';
import { parseText } from '../../contract/lossless-json.ts';
import { Problem } from '../../contract/problem.ts';
import { ofKey } from '../../gateway/auth/stream-gate.ts';
import { Module } from '../../identity/live-key.ts';
import {
  Close,
  type Connection,
  type Login,
  type SocketDialect,
} from '../../streams/connection.ts';
import type { Venue } from './endpoint.ts';
import { LISTEN_KEY } from './listen-keys.ts';
import type { StreamHub } from './stream-hub.ts';

const MAX_MESSAGE = 16 * 1024;
/** The path says the streams to begin with. */
interface Opening {
  readonly names: readonly string[];
  isCombined: boolean;
  /** The listen key of its user data stream. */
  listenKey: string | null;
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
  readonly #openings = new WeakMap<Connection, Opening>();
  /** Connections with a user data stream. */
  readonly #users = new Set<Connection>();

  constructor(venue: Venue, hub: StreamHub) {
    this.#venue = venue;
    this.#hub = hub;
    hub.onSecond = () => this.#endExpired();
  }

  /** The login of the listen key among the names; null without one. Throws Problem. */
  loginOf(names: readonly string[], address: string): Login | null {
    const name = names.find((each) => LISTEN_KEY.test(each));
    const key = name === undefined ? undefined : this.#venue.listenKeys.find(name);
    if (key === undefined) return null;
    if (!key.admits(address)) throw new Problem('addressRejected');
    if (!key.allows(Module.tradingRead)) throw new Problem('privilegeMissing');
    return ofKey(key, false);
  }

  begin(connection: Connection, names: readonly string[], isCombined: boolean): void {
    this.#openings.set(connection, { names, isCombined, listenKey: null });
  }

  isUrgent(): boolean {
    return false;
  }

  /** As at Binance, a name that is no stream is ignored here. */
  opened(connection: Connection): void {
    const opening = this.#openings.get(connection)!;
    for (const name of opening.names) {
      try {
        if (LISTEN_KEY.test(name)) this.#subscribeUser(connection, opening, name);
        else this.#hub.subscribe(connection, name, opening.isCombined);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        connection.close(Close.policy, 'too many streams');
        return;
      }
    }
  }

  closed(connection: Connection): void {
    this.#users.delete(connection);
  }

  #subscribeUser(connection: Connection, opening: Opening, listenKey: string): boolean {
    const key = this.#venue.listenKeys.find(listenKey);
    if (key === undefined || connection.login?.key !== key) return false;
    opening.listenKey = listenKey;
    this.#users.add(connection);
    this.#hub.subscribeUser(connection, key.uid, listenKey, (event) =>
      this.#deliver(connection, opening, event),
    );
    return true;
  }

  #deliver(connection: Connection, { isCombined, listenKey }: Opening, event: JsonOut): void {
    const text = stringify(event);
    connection.send(isCombined ? `{"stream":"${listenKey}","data":${text}}` : text);
  }

  /** A stream whose listen key has expired, or was closed, ends. */
  #endExpired(): void {
    for (const connection of [...this.#users]) {
      const opening = this.#openings.get(connection)!;
      const listenKey = opening.listenKey!;
      if (this.#venue.listenKeys.find(listenKey) !== undefined) continue;
      this.#deliver(connection, opening, { e: 'listenKeyExpired', E: this.#venue.now, listenKey });
      this.#hub.unsubscribeUser(connection, listenKey);
      this.#users.delete(connection);
    }
  }

  receive(connection: Connection, message: string | Buffer): boolean {
    let id: JsonOut = null;
    try {
      const request = readMessage(message);
      id = idOf(request);
      const result = this.#carryOut(connection, request);
      connection.send(stringify({ result, id }));
    } catch (error) {
      connection.send(stringify({ error: errorOf(error), id }));
    }
    return false;
  }

  #carryOut(connection: Connection, request: Readonly<Record<string, JsonValue>>): JsonOut {
    const opening = this.#openings.get(connection)!;
    switch (request.method) {
      case 'SUBSCRIBE':
        for (const name of namesOf(request.params)) this.#subscribe(connection, opening, name);
        return null;
      case 'UNSUBSCRIBE':
        for (const name of namesOf(request.params)) this.#unsubscribe(connection, name);
        return null;
      case 'LIST_SUBSCRIPTIONS':
        return this.#hub.namesOf(connection);
      case 'SET_PROPERTY':
        opening.isCombined = combinedOf(request.params);
        return null;
      case 'GET_PROPERTY':
        return opening.isCombined;
    }
    const known = 'SUBSCRIBE, UNSUBSCRIBE, LIST_SUBSCRIPTIONS, SET_PROPERTY, GET_PROPERTY';
    throw new Invalid(2, `Invalid request: unknown method. Send one of ${known}.`);
  }

  #subscribe(connection: Connection, opening: Opening, name: string): void {
    const isKnown = LISTEN_KEY.test(name)
      ? this.#subscribeUser(connection, opening, name)
      : this.#hub.subscribe(connection, name, opening.isCombined);
    if (!isKnown) throw new Invalid(2, `Invalid request: invalid stream ${name.slice(0, 80)}.`);
  }

  #unsubscribe(connection: Connection, name: string): void {
    if (!LISTEN_KEY.test(name)) this.#hub.unsubscribe(connection, name);
    else {
      this.#hub.unsubscribeUser(connection, name);
      this.#users.delete(connection);
    }
  }
}

/** An error of the streams, in their own numbers. */
class Invalid extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function errorOf(error: unknown): JsonOut {
  if (error instanceof Invalid) return { code: error.code, msg: error.message };
  if (error instanceof Problem) return { code: 2, msg: error.userMsg };
  throw error;
}

function readMessage(message: string | Buffer): Readonly<Record<string, JsonValue>> {
  let value: JsonValue;
  try {
    value = parseText(String(message));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Invalid(3, `Invalid JSON: ${error.userMsg}`);
  }
  if (isObject(value)) return value;
  throw new Invalid(2, 'Invalid request: a message is an object.');
}

const MAX_ID = 64;

/** The client's id of a request. */
export function idOf({ id }: Readonly<Record<string, JsonValue>>): string | number | null {
  if (typeof id === 'string' && id.length <= MAX_ID) return id;
  const number = id instanceof JsonNumber ? Number(id.source) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

function namesOf(params: JsonValue | undefined): string[] {
  const isList = Array.isArray(params) && params.every((name) => typeof name === 'string');
  if (isList && params.length > 0) return params as string[];
  throw new Invalid(1, 'Invalid value type: params is a list of streams.');
}

function combinedOf(params: JsonValue | undefined): boolean {
  if (Array.isArray(params) && params[0] === 'combined' && typeof params[1] === 'boolean') {
    return params[1];
  }
  throw new Invalid(1, 'Invalid value type: send ["combined", true] or ["combined", false].');
}
