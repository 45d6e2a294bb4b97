// The limiters of the gateway: per address for public calls, per key for private ones, and per address and key for
// signatures that fail, so that guessing never locks out the key's owner elsewhere.
import type { RateLimit, RateLimits } from '../config.ts';
import { Problem } from '../contract/problem.ts';
import { RateLimiter, retryAfterHeader, type Take } from './rate-limit.ts';

export interface Passed {
  readonly limiter: RateLimiter;
  readonly take: Take;
}

export class Limits {
  readonly #public: RateLimiter | null;
  readonly #private: RateLimiter | null;
  readonly #order: RateLimiter | null;
  readonly #failedAuth: RateLimiter | null;

  constructor(limits: RateLimits) {
    this.#public = limiter('public', limits.public);
    this.#private = limiter('private', limits.private);
    this.#order = limiter('order', limits.order);
    this.#failedAuth = limiter('failed-auth', limits.failedAuth);
  }

  /** Whether signatures have failed of late, so that `failedAuth` needs asking. */
  get hasFailures(): boolean {
    return this.#failedAuth !== null && this.#failedAuth.size > 0;
  }

  publicCall(address: string, now: number): Passed | null {
    return pass(this.#public, address, now);
  }

  privateCall(apiKey: string, write: boolean, now: number): Passed | null {
    return pass(write ? this.#order : this.#private, apiKey, now);
  }

  /** Throws rateLimited when this address has failed too often with this key. */
  checkFailures(who: string, now: number): void {
    const take = this.#failedAuth?.peek(who, now);
    if (take !== undefined && !take.allowed) throw limited(this.#failedAuth!, take);
  }

  countFailure(who: string, now: number): void {
    this.#failedAuth?.take(who, now);
  }
}

function limiter(name: string, limit: RateLimit | null): RateLimiter | null {
  if (limit === null) return null;
  const { quota, window, burst } = limit;
  return new RateLimiter({ name, quota, windowSeconds: window, burst });
}

/** Takes one, or throws rateLimited; null where there is no limit. */
function pass(limiter: RateLimiter | null, key: string, now: number): Passed | null {
  if (limiter === null) return null;
  const take = limiter.take(key, now);
  if (!take.allowed) throw limited(limiter, take);
  return { limiter, take };
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
