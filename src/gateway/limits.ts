// The limiters of the gateway: per address for public calls, per key or person for private ones, per person for changes in the
// user centre, and per address and key for signatures that fail, so that guessing never locks out the key's owner elsewhere. Each counts what it has refused.
import type { RateLimit, RateLimits } from '../config.ts';
import { Problem } from '../contract/problem.ts';
import { RateLimiter, retryAfterHeader, type Take } from './rate-limit.ts';

export interface Passed {
  readonly limiter: RateLimiter;
  readonly take: Take;
}

/** A limiter as the operator reads it; the three figures are null where it is off. */
export interface LimitReport {
  readonly name: LimitName;
  readonly countedBy: string;
  readonly status: 'on' | 'off';
  /** Requests per window that are sustained. */
  readonly quota: number | null;
  readonly windowSeconds: number | null;
  /** Requests that may come at once. */
  readonly burst: number | null;
  /** Requests that were refused since the start. */
  readonly refused: number;
}

type LimitName = 'public' | 'private' | 'order' | 'account' | 'failed-auth';

const COUNTED_BY: Readonly<Record<LimitName, string>> = {
  public: 'address',
  private: 'API key, or person with a session',
  order: 'API key, or person with a session',
  account: 'person',
  'failed-auth': 'API key and address',
};

export class Limits {
  readonly #public: RateLimiter | null;
  readonly #private: RateLimiter | null;
  readonly #order: RateLimiter | null;
  readonly #account: RateLimiter | null;
  readonly #failedAuth: RateLimiter | null;
  readonly #configured: Readonly<Record<LimitName, RateLimit | null>>;
  readonly #refused = new Map<RateLimiter, number>();

  constructor(limits: RateLimits) {
    this.#public = limiter('public', limits.public);
    this.#private = limiter('private', limits.private);
    this.#order = limiter('order', limits.order);
    this.#account = limiter('account', limits.account);
    this.#failedAuth = limiter('failed-auth', limits.failedAuth);
    const { public: open, private: own, order, account, failedAuth } = limits;
    this.#configured = { public: open, private: own, order, account, 'failed-auth': failedAuth };
  }

  /** Whether signatures have failed of late, so that `failedAuth` needs asking. */
  get hasFailures(): boolean {
    return this.#failedAuth !== null && this.#failedAuth.size > 0;
  }

  publicCall(address: string, now: number): Passed | null {
    return this.#pass(this.#public, address, now);
  }

  /** `who` is the API key, or `uid:7` for a session. */
  privateCall(who: string, write: boolean, now: number): Passed | null {
    return this.#pass(write ? this.#order : this.#private, who, now);
  }

  /**
   * What strangers ask of the user centre, with an allowance of its own: reading prices, which one
   * page does several times a second, must not use up the login of everybody behind an address.
   */
  strangersCall(address: string, now: number): Passed | null {
    return this.#pass(this.#public, `${address} user centre`, now);
  }

  /** A change in the user centre, by `uid:7`: each is synced to disk, and logged for ever. */
  accountCall(who: string, now: number): Passed | null {
    return this.#pass(this.#account, who, now);
  }

  /** Throws rateLimited when this address has failed too often with this key. */
  checkFailures(who: string, now: number): void {
    const take = this.#failedAuth?.peek(who, now);
    if (take !== undefined && !take.allowed) throw this.#limited(this.#failedAuth!, take);
  }

  countFailure(who: string, now: number): void {
    this.#failedAuth?.take(who, now);
  }

  /** Every limiter, in the order of the documents. */
  report(): readonly LimitReport[] {
    return [
      this.#reportOf('public', this.#public),
      this.#reportOf('private', this.#private),
      this.#reportOf('order', this.#order),
      this.#reportOf('account', this.#account),
      this.#reportOf('failed-auth', this.#failedAuth),
    ];
  }

  #reportOf(name: LimitName, limiter: RateLimiter | null): LimitReport {
    const configured = this.#configured[name];
    return {
      name,
      countedBy: COUNTED_BY[name],
      status: configured === null ? 'off' : 'on',
      quota: configured?.quota ?? null,
      windowSeconds: configured?.window ?? null,
      burst: configured?.burst ?? null,
      refused: limiter === null ? 0 : (this.#refused.get(limiter) ?? 0),
    };
  }

  /** Takes one, or throws rateLimited; null where there is no limit. */
  #pass(limiter: RateLimiter | null, key: string, now: number): Passed | null {
    if (limiter === null) return null;
    const take = limiter.take(key, now);
    if (!take.allowed) throw this.#limited(limiter, take);
    return { limiter, take };
  }

  #limited(limiter: RateLimiter, take: Take): Problem {
    this.#refused.set(limiter, (this.#refused.get(limiter) ?? 0) + 1);
    return limited(limiter, take);
  }
}

function limiter(name: string, limit: RateLimit | null): RateLimiter | null {
  if (limit === null) return null;
  const { quota, window, burst } = limit;
  return new RateLimiter({ name, quota, windowSeconds: window, burst });
}

function limited(limiter: RateLimiter, take: Take): Problem {
  return new Problem('rateLimited', {
    headers: {
      'Retry-After': retryAfterHeader(take),
      RateLimit: limiter.header(take),
      'RateLimit-Policy': limiter.policyHeader,
    },
  });
}
