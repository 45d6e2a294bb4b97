// Sends a call and reads its answer: a signature over the exact bytes, a clock that never repeats,
// exact digits in both directions, and rejections as ccxt exceptions.
import { createHmac } from 'node:crypto';
import type { Dict, Int, Num, Str } from 'ccxt';
import ccxt, { ExchangeError, InvalidOrder, NotSupported, Precise } from 'ccxt';
import { parseAsText } from '../sdk/exact-json.ts';
import { DESCRIPTION } from './description.ts';
import { FOLDERS, POST_WITH_QUERY } from './generated/calls.ts';
import { AgioHosts } from './hosts.ts';

/** The request of a unified call's window, with the remaining parameters. */
export interface PageRequest {
  readonly request: Dict;
  /** Maximum of pages to read; 1 without `paginate`. */
  readonly pages: number;
}

/** Names of a call's window parameters. */
export interface WindowNames {
  readonly start: string;
  readonly end: string;
  readonly size: string;
}

/** Parameters by which ccxt chooses among markets, accounts and lists; here is one of each. */
export const CHOICES = [
  'defaultType',
  'subType',
  'defaultSubType',
  'marginMode',
  'defaultMarginMode',
  'portfolioMargin',
  'hedged',
  'reduceOnly',
  'trigger',
  'stop',
  'createMarketBuyOrderRequiresPrice',
];
/** The choices that are not those of a spot account. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  type: ['margin', 'swap', 'future', 'option', 'delivery', 'funding'],
  marginMode: ['cross', 'isolated'],
};

const MAX_PAGE = 1000;
const MAX_PAGES = 10;

export class AgioApi extends AgioHosts {
  #lastNonce = 0;

  override describe(): Dict {
    return this.deepExtend(super.describe(), DESCRIPTION);
  }

  /** Epoch ms of the server's clock, never the same twice: a signature works once. */
  override nonce(): number {
    const now = this.milliseconds() - this.safeInteger(this.options, 'timeDifference', 0)!;
    this.#lastNonce = Math.max(now, this.#lastNonce + 1);
    return this.#lastNonce;
  }

  /** HMAC-SHA256 of the text with the secret, in lowercase hex. */
  protected signature(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('hex');
  }

  override sign(
    path: string,
    api: readonly string[] = ['spot', 'public'],
    method = 'GET',
    params: Dict = {},
    headers?: Dict,
    body?: Str,
  ): Dict {
    const target = `${FOLDERS[api.join('/')]}${this.implodeParams(path, params)}`;
    const sent = this.exactNumbers(
      this.omit(params, ['idempotencyKey', ...this.extractParams(path)]),
    );
    const inQuery = method === 'GET' || POST_WITH_QUERY.includes(path);
    const query = inQuery ? this.urlencode(sent) : '';
    const payload = method === 'GET' ? undefined : this.json(inQuery ? {} : sent);
    const host = this.implodeHostname(this.urls.api.rest);
    const url = `${host}${target}${query === '' ? '' : `?${query}`}`;
    if (api[1] === 'public') return { url, method, body, headers };
    this.checkRequiredCredentials();
    const timestamp = String(this.nonce());
    const idempotencyKey = this.safeString(params, 'idempotencyKey');
    return {
      url,
      method,
      body: payload,
      headers: {
        ...headers,
        'EXCHANGE-API-KEY': this.apiKey,
        'EXCHANGE-API-TIMESTAMP': timestamp,
        'EXCHANGE-API-SIGN': this.signature(timestamp + method + target + query + (payload ?? '')),
        ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...(method === 'GET' ? this.minSeq() : {}),
      },
    };
  }

  /**
   * ccxt repeats a failed request up to `maxRetriesOnFailure` times. A write with a lost answer may
   * have been carried out, so all tries of a call share an Idempotency-Key and the exchange carries
   * it out once.
   */
  override async fetch2(
    path: string,
    api: readonly string[] = ['spot', 'public'],
    method = 'GET',
    params: Dict = {},
    headers?: Dict,
    body?: Str,
    config: Dict = {},
  ) {
    const own = this.withoutChoices(params);
    const retries = this.retries(own, path);
    const isRepeated = method === 'POST' && retries.maxRetriesOnFailure > 0;
    const once = isRepeated ? { idempotencyKey: this.uuid() } : {};
    const sent: Dict = { ...retries, ...once, ...own };
    try {
      return await super.fetch2(path, api, method, sent, headers, body, config);
    } finally {
      this.forgetKey(sent.idempotencyKey);
    }
  }

  /** Throws NotSupported for a choice that would be answered with something else. */
  protected withoutChoices(params: Dict): Dict {
    for (const [name, values] of Object.entries(FOREIGN)) {
      if (!values.includes(params[name])) continue;
      throw new NotSupported(`${this.id} has only spot markets, not ${name} ${params[name]}`);
    }
    return this.omit(params, params.type === 'spot' ? [...CHOICES, 'type'] : CHOICES);
  }

  /** Writes fractions as their digits, without an exponent. */
  protected exactNumbers(params: Dict): Dict {
    const exact = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map((item: Dict) => this.exactNumbers(item));
      const isFraction = typeof value === 'number' && !Number.isSafeInteger(value);
      return isFraction ? this.numberToString(value) : value;
    };
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, exact(value)]));
  }

  /** Reads numbers as strings of their digits. */
  override parseJson(text: string) {
    if (!this.isJsonEncodedObject(text)) return undefined;
    try {
      return parseAsText(text);
    } catch {
      return undefined;
    }
  }

  override handleErrors(
    status: number,
    _reason: string,
    _url: string,
    _method: string,
    headers: Dict,
    body: string,
    response: Dict | undefined,
    request: Dict = {},
  ): undefined {
    this.noteSeq(headers['X-Agio-Seq']);
    const code = this.safeString(response, 'code');
    // An answer that is not from the exchange, such as a proxy's page, is handled by its status.
    if (code === undefined || code === '0') return undefined;
    const feedback = `${this.id} ${body}`;
    const cause = this.safeString2(response, 'errorCode', 'code')!;
    this.throwIfFailed(status, cause, feedback);
    this.throwIfUnclear(request['Idempotency-Key'], cause, feedback);
    this.throwBroadlyMatchedException(
      this.exceptions.broad,
      this.safeString(response, 'userMsg'),
      feedback,
    );
    this.throwExactlyMatchedException(this.exceptions.exact, cause, feedback);
    throw new ExchangeError(feedback);
  }

  /** Rounds to the nearest increment, a half up. ccxt's own method uses a double. */
  override priceToPrecision(symbol: Str, price: Num | string): string {
    const tick = this.numberToString(this.market(symbol).precision.price);
    const half = Precise.stringDiv(tick, '2');
    const rounded = Precise.stringAdd(this.numberToString(price), half);
    const { TRUNCATE, TICK_SIZE } = ccxt;
    const nearest = this.decimalToPrecision(rounded, TRUNCATE, tick, TICK_SIZE, this.paddingMode);
    if (nearest !== '0') return nearest;
    throw new InvalidOrder(`${this.id} price of ${symbol} must be at least ${tick}`);
  }

  /**
   * The request for `since` to `params.until`; removes `paginate` and `paginationCalls` from
   * `params`.
   */
  protected pageRequest(names: WindowNames, since: Int, limit: Int, params: Dict): PageRequest {
    const paginate = this.safeBool(params, 'paginate', false) === true;
    const calls = this.safeInteger(params, 'paginationCalls', MAX_PAGES)!;
    const until = this.safeInteger(params, 'until');
    const rest = this.omit(params, ['paginate', 'paginationCalls', 'until']);
    // The exchange lists the newest first and `since` asks for the oldest, so it reads a full page.
    const size = paginate || since !== undefined ? MAX_PAGE : limit;
    const request: Dict = {};
    if (since !== undefined) request[names.start] = since;
    if (until !== undefined) request[names.end] = until;
    if (size !== undefined) request[names.size] = Math.min(size, MAX_PAGE);
    return { request: { ...request, ...rest }, pages: paginate ? calls : 1 };
  }

  /**
   * Reads pages, newest first; `cursor` is the parameter that continues below the last row's `id`.
   */
  protected async readPages(
    { request, pages }: PageRequest,
    cursor: { readonly parameter: string; readonly id: string },
    read: (request: Dict) => Promise<Dict[]>,
  ): Promise<Dict[]> {
    let rows: Dict[] = [];
    let more: Dict = {};
    for (let page = 0; page < pages; page++) {
      const next = await read({ ...request, ...more });
      rows = [...rows, ...next];
      if (next.length < MAX_PAGE) break;
      more = { [cursor.parameter]: this.safeString(next.at(-1), cursor.id) };
    }
    return rows;
  }
}
