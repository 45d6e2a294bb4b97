// The hosts of one cluster, in the option `hosts`: calls and streams go to one of them, and to the
// next one when that one fails. Without the option, `hostname` is the only one. It also remembers
// what the exchange may have executed, and which state it has shown.
import type { Dict, Str } from 'ccxt';
import {
  BadRequest,
  DDoSProtection,
  Exchange,
  ExchangeNotAvailable,
  InvalidNonce,
  NetworkError,
  RateLimitExceeded,
} from 'ccxt';
import { SETTLING } from '../sdk/generated/codes.ts';
import { Nodes } from '../sdk/nodes.ts';
import { isFailure } from '../sdk/write-outcome.ts';

/** Tries of a call with several hosts; together they last longer than a failover. */
const RETRIES = 10;
const RETRY_DELAY_MS = 500;
/** ccxt counts these rejections as errors of the network. */
const ANSWERS = [DDoSProtection, InvalidNonce, RateLimitExceeded];
const HOST = /^[^\s/:?#@]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/;

export abstract class AgioHosts extends Exchange {
  /** The value of the option that `#nodes` was made of. */
  #given: unknown;
  #nodes: Nodes | null = null;
  /** The highest position of the journal in any answer or private message. */
  #lastSeq = 0;
  /** Idempotency-Keys of writes under way that a failed try may have executed. */
  readonly #unclear = new Set<unknown>();

  /**
   * null without the option. Throws BadRequest for an unusable one. A method, because ccxt's
   * constructor reads every getter.
   */
  #hosts(): Nodes | null {
    const { hosts } = this.options as Dict;
    if (hosts !== this.#given) {
      this.#nodes = hosts === undefined ? null : new Nodes(this.#requireHosts(hosts));
      this.#given = hosts;
    }
    return this.#nodes;
  }

  /** None without the option. */
  protected allHosts(): readonly string[] {
    return this.#hosts()?.all ?? [];
  }

  #requireHosts(hosts: unknown): readonly string[] {
    const reject = (reason: string): never => {
      throw new BadRequest(`${this.id} options.hosts: ${reason}`);
    };
    if (!Array.isArray(hosts) || hosts.length === 0) return reject('give a list of at least one');
    for (const [i, host] of hosts.entries()) {
      if (typeof host !== 'string' || !HOST.test(host)) {
        reject(`${JSON.stringify(host)} is not a host such as 'node-1.example.com:8443'`);
      }
      if (hosts.indexOf(host) < i) reject(`"${host}" is in the list twice`);
    }
    const { rest, ws } = this.urls.api;
    for (const url of [rest, ws]) {
      if (!url.includes('{hostname}')) reject(`"${url}" in urls.api has no {hostname}`);
    }
    return hosts;
  }

  override implodeHostname(url: string): string {
    return this.urlOf(url, this.#hosts()?.current ?? this.hostname!);
  }

  /** A template of `urls.api` for a host. */
  protected urlOf(template: string, hostname: string): string {
    return this.implodeParams(template, { hostname });
  }

  /** The host of this URL failed. */
  protected leaveHost(url: string): void {
    const { rest, ws } = this.urls.api;
    const isOn = (host: string) =>
      [rest, ws].some((template: string) => url.startsWith(`${this.urlOf(template, host)}/`));
    const host = this.#hosts()?.all.find(isOn);
    if (host !== undefined) this.#hosts()!.leave(host);
  }

  override async fetch(url: string, method = 'GET', headers?: Dict, body?: Str) {
    try {
      return await super.fetch(url, method, headers, body);
    } catch (error) {
      const failed =
        error instanceof NetworkError && !ANSWERS.some((kind) => error instanceof kind);
      if (failed) {
        this.leaveHost(url);
        const key = headers?.['Idempotency-Key'];
        if (key !== undefined) this.#unclear.add(key);
      }
      throw error;
    }
  }

  /** How often ccxt repeats a failed call. Several hosts need a repeat to use the next one. */
  protected retries(params: Dict, path: string): Dict {
    const several = this.#hosts() !== null;
    const name = 'maxRetriesOnFailure';
    const [retries] = this.handleOptionAndParams(params, path, name, several ? RETRIES : 0);
    if (!several) return { [name]: retries };
    const delay = `${name}Delay`;
    const [ms] = this.handleOptionAndParams(params, path, delay, RETRY_DELAY_MS);
    return { [name]: retries, [delay]: ms };
  }

  protected noteSeq(seq: unknown): void {
    this.#lastSeq = Math.max(this.#lastSeq, Number(seq ?? 0));
  }

  /** A host may be some ms behind the one that was used before: a private read waits for it. */
  protected minSeq(): Dict {
    const needed = this.#hosts() !== null && this.#lastSeq > 0;
    return needed ? { 'X-Agio-Min-Seq': String(this.#lastSeq) } : {};
  }

  /** A server that failed does not know what became of the call; another host can repeat it. */
  protected throwIfFailed(status: number, code: string, feedback: string): void {
    const failed = isFailure({ code: Number(code), status });
    if (failed && this.#hosts() !== null) throw new ExchangeNotAvailable(feedback);
  }

  /** A rejection must not hide that an earlier try of the same write may have been executed. */
  protected throwIfUnclear(key: unknown, code: string, feedback: string): void {
    if (!this.#unclear.has(key) || SETTLING.has(Number(code))) return;
    throw new NetworkError(`${feedback}; an earlier try may have been carried out`);
  }

  /** The write has ended. */
  protected forgetKey(key: unknown): void {
    this.#unclear.delete(key);
  }
}
