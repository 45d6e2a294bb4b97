// An endpoint of Binance: the call of agio that it is another form of, its parameters and its
// handler. Access, limits, shedding and metrics are those of that call. The REST and the websocket
// API share the endpoints.
import type { ApiCall } from '../../contract/call.ts';
import type { JsonOut } from '../../contract/json.ts';
import { type ObjectField, object } from '../../contract/object.ts';
import { Problem } from '../../contract/problem.ts';
import type { TradingCaller } from '../../contract/trading/orders.ts';
import type { WriteSignature } from '../../core/command.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { CustomerWrite } from '../../core/once.ts';
import type { State } from '../../core/state.ts';
import type { Services } from '../../gateway/services.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import type { Captures, Done } from './captures.ts';
import type { ListenKeys } from './listen-keys.ts';
import type { Symbols } from './symbols.ts';

/** The parts that all endpoints share. */
export interface Shared {
  readonly services: Services;
  readonly symbols: Symbols;
  readonly captures: Captures;
  readonly listenKeys: ListenKeys;
}

/** One request of a caller. */
export class Context {
  readonly services: Services;
  readonly symbols: Symbols;
  readonly listenKeys: ListenKeys;
  readonly requestId: string;
  readonly #captures: Captures;
  readonly #key: LiveKey | null;
  #signature: WriteSignature | null;

  constructor(
    { services, symbols, captures, listenKeys }: Shared,
    requestId: string,
    key: LiveKey | null,
    signature: WriteSignature | null,
  ) {
    this.services = services;
    this.symbols = symbols;
    this.listenKeys = listenKeys;
    this.#captures = captures;
    this.requestId = requestId;
    this.#key = key;
    this.#signature = signature;
  }

  get state(): State {
    return this.services.engine.exchange.state;
  }

  get now(): number {
    return this.services.engine.now;
  }

  /** Throws Problem headersMissing for a call without a key. */
  get key(): LiveKey {
    if (this.#key === null) throw new Problem('headersMissing');
    return this.#key;
  }

  get uid(): number {
    return this.key.uid;
  }

  /** The caller of a write; its signature belongs to the first command alone. */
  takeCaller(): TradingCaller {
    const signature = this.#signature;
    this.#signature = null;
    // Binance rejects a client's id that an open order has, so every order is checked for it.
    return { uid: this.uid, signature, idempotency: null, strictClOrdId: true };
  }

  submit<C extends CustomerWrite>(command: C): Promise<Done<C>> {
    return this.#captures.submit(this.services, command, this.key);
  }

  /** Throws Problem unknownSymbol. */
  instrument(name: string): Instrument {
    const found = this.symbols.find(name);
    if (found !== undefined) return found;
    throw new Problem('unknownSymbol', {
      userMsg: 'No such pair. GET /binance/api/v3/exchangeInfo lists them.',
      details: { field: 'symbol', rule: 'listed', value: name },
    });
  }
}

export interface Endpoint<Q = unknown> {
  readonly call: ApiCall;
  readonly query: ObjectField<Q>;
  /** It needs a key and no signature. */
  readonly keyOnly: boolean;
  handle(context: Context, query: Q): JsonOut | Promise<JsonOut>;
}

export const endpoint = <Q>(
  call: ApiCall<never, never, never> | ApiCall,
  query: ObjectField<Q>,
  handle: (context: Context, query: Q) => JsonOut | Promise<JsonOut>,
  keyOnly = false,
): Endpoint => ({ call: call as ApiCall, query, handle, keyOnly }) as Endpoint;

export const NO_PARAMETERS = object({});
