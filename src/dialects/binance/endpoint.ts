// An endpoint of Binance: the call of agio that it is another form of, its parameters and its
// handler. Access, limits, shedding and metrics are those of that call. The REST and the websocket
// API share the endpoints.
import type { ApiCall } from '../../contract/call.ts';
import type { JsonOut } from '../../contract/json.ts';
import { Problem } from '../../contract/problem.ts';
import type { TradingCaller } from '../../contract/trading/orders.ts';
import type { WriteSignature } from '../../core/command.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { CustomerWrite } from '../../core/once.ts';
import type { State } from '../../core/state.ts';
import { submit } from '../../gateway/door.ts';
import type { Services } from '../../gateway/services.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import type { AnswerTo, ViewQuery } from '../../views/views.ts';
import { Captures, type Done } from './captures.ts';
import type { ListenKeys } from './listen-keys.ts';
import { type ParameterList, takes, type Values } from './parameters.ts';
import { Symbols } from './symbols.ts';

/** The parts that all endpoints and streams share. */
export class Venue {
  readonly services: Services;
  readonly listenKeys: ListenKeys;
  readonly symbols: Symbols;
  readonly captures: Captures;
  readonly state: State;

  constructor(services: Services, listenKeys: ListenKeys) {
    this.services = services;
    this.listenKeys = listenKeys;
    this.state = services.engine.exchange.state;
    this.symbols = new Symbols(this.state);
    this.captures = new Captures(services.engine);
  }

  /** Business time, ms. */
  get now(): number {
    return this.services.engine.now;
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

  /** The rows of a view at the position of the core. */
  read<Q extends ViewQuery>(query: Q): Promise<AnswerTo<Q>> {
    const { views, engine } = this.services;
    return views.query(query, engine.seq);
  }
}

/** For an answer that shows nothing of the reports. */
const NOTHING: Pick<Done, 'reports' | 'trades'> = { reports: new Map(), trades: [] };

/** One request of a caller. */
export class Context {
  readonly venue: Venue;
  readonly #key: LiveKey | null;
  #signature: WriteSignature | null;
  readonly #ip: () => string;

  constructor(
    venue: Venue,
    ip: () => string,
    key: LiveKey | null,
    signature: WriteSignature | null = null,
  ) {
    this.venue = venue;
    this.#ip = ip;
    this.#key = key;
    this.#signature = signature;
  }

  get services(): Services {
    return this.venue.services;
  }

  /** Throws Problem headersMissing for a call without a key. */
  get key(): LiveKey {
    if (this.#key === null) throw new Problem('headersMissing');
    return this.#key;
  }

  get uid(): number {
    return this.key.uid;
  }

  /** The signature of the request itself; null for a request of a session. */
  get signature(): WriteSignature | null {
    return this.#signature;
  }

  /** The caller of a write; its signature belongs to the first command alone. */
  takeCaller(): TradingCaller {
    // The signature of a write works once, if the key wants it.
    const signature = this.key.replayGuard ? this.#signature : null;
    this.#signature = null;
    // Binance rejects a client's id that an open order has, so every order is checked for it.
    return { uid: this.uid, signature, idempotency: null, strictClOrdId: true };
  }

  /** Charges the caller for more pages than the one that the request was admitted for. */
  chargeRead(calls: number): void {
    const key = this.#key;
    const caller = key === null ? rateKeyOf(this.#ip()) : { key, uid: key.uid };
    this.services.limits.chargeRead(caller, calls);
  }

  /** Enters a command; without `reports`, its answer has none. Rejects with an EngineError. */
  submit<C extends CustomerWrite>(command: C, reports = true): Promise<Done<C>> {
    if (reports) return this.venue.captures.submit(this.services, command, this.key);
    return submit(this.services, command, this.key).then((done) => ({ ...done, ...NOTHING }));
  }
}

interface Options {
  /** It needs a key and no signature. */
  readonly keyOnly?: boolean;
  /** Parameters that mean something else here. */
  readonly others?: Parameters<typeof takes>[1];
  /** As a call has it; that of the call unless given. */
  readonly maxRows?: number | null;
}

export interface Endpoint {
  readonly call: ApiCall;
  readonly parameters: ParameterList;
  readonly keyOnly: boolean;
  readonly maxRows: number | null;
  handle(context: Context, query: unknown): JsonOut | Promise<JsonOut>;
}

/** `list` has the parameters, as `takes` reads them. */
export const endpoint = <L extends string>(
  call: ApiCall<never, never, never> | ApiCall,
  list: L,
  handle: (context: Context, query: Values<L>) => JsonOut | Promise<JsonOut>,
  { keyOnly = false, others = {}, maxRows = call.maxRows }: Options = {},
): Endpoint => ({
  call: call as ApiCall,
  parameters: takes(list, others),
  keyOnly,
  maxRows,
  handle: handle as Endpoint['handle'],
});
