// The limits of the gateway. Rates: by address for public calls, by key and by user for private
// ones, by user for changes in the user center; failed signatures by address, and by address and
// key. And the number of long reads that an account has at the same time.
import type { RateLimit, RateLimitName, RateLimits } from '../../config.ts';
import type { Source } from '../../contract/answer.ts';
import type { rateLimit } from '../../contract/operator/answers.ts';
import { MAX_PAGE_ROWS } from '../../contract/paging.ts';
import { Problem } from '../../contract/problem.ts';
import type { CustomerWrite } from '../../core/once.ts';
import { writesOf } from '../../engine/backlog.ts';
import { type Key, RateLimiter } from './rate-limit.ts';

/** The headers of the applied rate limit: its terms, and what is left of it. */
export interface RateHeaders {
  readonly policy: string;
  readonly state: string;
}

interface BucketOf {
  readonly limiter: RateLimiter;
  readonly key: Key;
}

/** The buckets that a request took from: one, or that of its key and that of its user. */
export class Allowance {
  readonly #one: BucketOf;
  readonly #other: BucketOf;

  constructor(one: BucketOf, other = one) {
    this.#one = one;
    this.#other = other;
  }

  /** The headers at `now`, of the bucket with the fewest requests left. */
  headers(now: number): RateHeaders {
    const remainingOf = ({ limiter, key }: BucketOf) => limiter.remaining(key, now);
    const isOtherTighter = remainingOf(this.#other) < remainingOf(this.#one);
    const { limiter, key } = isOtherTighter ? this.#other : this.#one;
    return { policy: limiter.policyHeader, state: limiter.header(key, now) };
  }
}

/**
 * A limit as the operator reads it: its sustained requests in a window, those that pass without a
 * pause, and how many were rejected since the start. The three terms are null where it is off.
 */
export type LimitReport = Source<typeof rateLimit> & { readonly name: LimitName };

/** Requests of one caller that one node has let pass. */
export interface Usage {
  readonly limiter: string;
  /** An address, an API key, or a uid. */
  readonly key: string;
  readonly count: number;
}

/** In the order of the documents: the name in headers, the setting, and what is counted. */
const LIMITS = [
  ['public', 'public', 'address'],
  ['private', 'private', 'API key, or user with a session'],
  ['order', 'order', 'API key, or user with a session'],
  ['user', 'user', 'user'],
  ['user-order', 'userOrder', 'user'],
  ['account', 'account', 'user'],
  ['failed-auth', 'failedAuth', 'API key and address'],
  ['failed-address', 'failedAddress', 'address'],
] as const satisfies readonly (readonly [string, RateLimitName, string])[];
type LimitName = (typeof LIMITS)[number][0];

const BY_UID: ReadonlySet<string> = new Set(
  LIMITS.filter(([, , countedBy]) => countedBy === 'user').map(([name]) => name),
);

/** Units of work (core/work.ts) that a write includes; as many more cost another write. */
export const UNITS_PER_WRITE = 10;
/** A user waits for no command longer than this, however much work it was. */
const MAX_DEBT_MS = 10_000;

/** Longer than any key; a text that a stranger sends in its place stays while it counts. */
const MAX_KEY = 64;

/** A long read has many pages, and other reads wait for the views meanwhile. */
const MAX_LONG_READS = 2;
/** A caller that reads more slowly than this loses the place. */
const LONG_READ_MS = 600_000;

/** The holder of a key, or of a session, for which `key` is null. */
export interface AccountCaller {
  readonly key: { readonly apiKey: string } | null;
  readonly uid: number;
}

/** The calls that a read costs beyond the one that it was admitted as. */
export const moreCalls = (rows: number): number => Math.max(0, Math.ceil(rows / MAX_PAGE_ROWS) - 1);

/** Index entries that are counted or skipped in the time of reading 1,000 rows. */
const ENTRIES_OF_CALL = 20_000;

/** The same for a page: the server counts all entries of its list, and skips those before it. */
export function moreCallsOfPage(total: number, page: number, pageSize: number): number {
  const skipped = (page - 1) * pageSize;
  return Math.floor((total + (skipped < total ? skipped : 0)) / ENTRIES_OF_CALL);
}

export class Limits {
  /** null where the limit is off. */
  readonly #limiters: Readonly<Record<LimitName, RateLimiter | null>>;
  readonly #configured: RateLimits;
  readonly #rejected = new Map<RateLimiter, number>();
  /** By uid: when each long read in progress began. */
  readonly #longReads = new Map<number, Set<{ readonly at: number }>>();

  constructor(limits: RateLimits) {
    this.#configured = limits;
    this.#limiters = Object.fromEntries(
      LIMITS.map(([name, setting]) => [name, limiter(name, limits[setting])]),
    ) as Record<LimitName, RateLimiter | null>;
  }

  publicCall(address: string): Allowance | null {
    return this.#pass('public', address);
  }

  /**
   * Each key has its own allowance, and so have the sessions of a user, for whom `key` is null; all
   * of one user together have another, which more keys do not enlarge. `count`: a batch counts as
   * many writes as it has entries.
   */
  privateCall({ key, uid }: AccountCaller, write: boolean, count = 1): Allowance | null {
    const now = performance.now();
    const caller = callerKey({ key, uid });
    const one = this.#limiters[write ? 'order' : 'private'];
    const all = this.#limiters[write ? 'user-order' : 'user'];
    // Checked first, so that a call beyond one of the two limits takes from neither.
    if (all?.admits(uid, now, count) === false) throw this.#limited(all, uid, count);
    if (one?.take(caller, now, count) === false) throw this.#limited(one, caller, count);
    all?.take(uid, now, count);
    const ofUser = all === null ? null : { limiter: all, key: uid };
    if (one === null) return ofUser && new Allowance(ofUser);
    return new Allowance({ limiter: one, key: caller }, ofUser ?? undefined);
  }

  /**
   * An anonymous call of the user center. It has its own allowance: a page reads prices several
   * times a second, and this must not block logins from the same address.
   */
  anonymousUserCenterCall(address: string): Allowance | null {
    return this.#pass('public', `${address} user center`);
  }

  /**
   * Charges the user for the work of a command beyond that of the writes it was admitted as, also
   * where it was rejected. The user's next writes wait for it, or reads for that of a test.
   */
  chargeWork(
    command: CustomerWrite,
    work: number,
    name: 'user' | 'user-order' = 'user-order',
  ): void {
    const more = Math.ceil(work / UNITS_PER_WRITE) - writesOf(command);
    if (more <= 0) return;
    this.#limiters[name]?.spend(command.uid, more, MAX_DEBT_MS, performance.now());
  }

  /**
   * Charges an account or an address for the further pages of a read. They have been read by then,
   * so the charge can leave a debt.
   */
  chargeRead(caller: AccountCaller | string, calls: number): void {
    if (calls <= 0) return;
    const now = performance.now();
    const charge = (name: LimitName, key: Key): void =>
      this.#limiters[name]?.spend(key, calls, MAX_DEBT_MS, now);
    if (typeof caller === 'string') {
      charge('public', caller);
      return;
    }
    charge('private', callerKey(caller));
    charge('user', caller.uid);
  }

  /** A change in the user center: each is synced to disk and stays in the audit log. */
  accountCall(uid: number): Allowance | null {
    return this.#pass('account', uid);
  }

  /** True if any failure still counts; otherwise `checkFailures` has nothing to check. */
  hasFailures(): boolean {
    const { 'failed-auth': ofKey, 'failed-address': ofAddress } = this.#limiters;
    return !((ofKey?.isUnused() ?? true) && (ofAddress?.isUnused() ?? true));
  }

  /**
   * Throws rateLimited where this address failed too often with this key; for an unknown key, also
   * where it failed too often with any key.
   */
  checkFailures(address: string, apiKey: string, isKnown: boolean): void {
    this.#check('failed-auth', pairOf(address, apiKey));
    if (!isKnown) this.#check('failed-address', address);
  }

  /**
   * Throws rateLimited where the address failed too often. Known and unknown keys then have the
   * same answer, and the pair takes no memory.
   */
  countFailure(address: string, apiKey: string): void {
    this.#pass('failed-address', address);
    this.#limiters['failed-auth']?.take(pairOf(address, apiKey), performance.now());
  }

  /** Requests that are missing from the allowance of a caller; 0 where there is no limit. */
  used(name: LimitName, key: Key): number {
    return this.#limiters[name]?.used(key, performance.now()) ?? 0;
  }

  /** Takes a place for a long read; the returned function releases it. Throws rateLimited. */
  beginLongRead(uid: number): () => void {
    const now = performance.now();
    const own = this.#longReads.get(uid) ?? new Set();
    for (const one of own) if (one.at + LONG_READ_MS < now) own.delete(one);
    if (own.size >= MAX_LONG_READS) {
      throw new Problem('rateLimited', {
        userMsg:
          `An account can have ${MAX_LONG_READS} long reads at a time: statements as CSV, and ` +
          `lists of more than ${MAX_PAGE_ROWS} open orders. Read one to its end first.`,
        details: { rule: 'maximum', limit: MAX_LONG_READS },
        headers: { 'Retry-After': '1' },
      });
    }
    const place = { at: now };
    own.add(place);
    this.#longReads.set(uid, own);
    return () => {
      own.delete(place);
      if (own.size === 0 && this.#longReads.get(uid) === own) this.#longReads.delete(uid);
    };
  }

  /** From now on other nodes count the same callers; `onUrgent` asks for `takeNews` soon. */
  share(onUrgent: () => void): void {
    for (const limiter of Object.values(this.#limiters)) limiter?.share(onUrgent);
  }

  /** The requests that have passed here since the last call, for the other nodes. */
  takeNews(): Usage[] {
    return LIMITS.flatMap(([name]) =>
      (this.#limiters[name]?.takeNews() ?? []).map(([key, count]) => ({
        limiter: name,
        key: String(key),
        count,
      })),
    );
  }

  /** Counts what another node has let pass; a limit that this node does not have is ignored. */
  charge(taken: readonly Usage[]): void {
    const now = performance.now();
    for (const { limiter, key, count } of taken) {
      const isUid = BY_UID.has(limiter);
      this.#limiters[limiter as LimitName]?.charge(isUid ? Number(key) : key, count, now);
    }
  }

  /** Every limiter, in the order of the documents. */
  report(): readonly LimitReport[] {
    return LIMITS.map(([name, setting, countedBy]) => {
      const configured = this.#configured[setting];
      const limiter = this.#limiters[name];
      return {
        name,
        countedBy,
        status: configured === null ? 'off' : 'on',
        quota: configured?.quota ?? null,
        windowSeconds: configured?.window ?? null,
        burst: configured?.burst ?? null,
        rejected: limiter === null ? 0 : (this.#rejected.get(limiter) ?? 0),
      };
    });
  }

  /** Takes one, or throws rateLimited; null where there is no limit. */
  #pass(name: LimitName, key: Key): Allowance | null {
    const limiter = this.#limiters[name];
    if (limiter === null) return null;
    if (!limiter.take(key, performance.now())) throw this.#limited(limiter, key);
    return new Allowance({ limiter, key });
  }

  #check(name: LimitName, key: string): void {
    const limiter = this.#limiters[name];
    if (limiter?.admits(key, performance.now()) === false) throw this.#limited(limiter, key);
  }

  #limited(limiter: RateLimiter, key: Key, count = 1): Problem {
    this.#rejected.set(limiter, (this.#rejected.get(limiter) ?? 0) + 1);
    const now = performance.now();
    return new Problem('rateLimited', {
      headers: {
        'Retry-After': String(Math.max(1, limiter.waitSeconds(key, now, count))),
        RateLimit: limiter.header(key, now),
        'RateLimit-Policy': limiter.policyHeader,
      },
    });
  }
}

const callerKey = ({ key, uid }: AccountCaller): string =>
  key === null ? `uid:${uid}` : key.apiKey;

const pairOf = (address: string, apiKey: string): string =>
  `${address} ${apiKey.slice(0, MAX_KEY)}`;

function limiter(name: string, limit: RateLimit | null): RateLimiter | null {
  if (limit === null) return null;
  const { quota, window, burst } = limit;
  return new RateLimiter({ name, quota, windowSeconds: window, burst });
}
