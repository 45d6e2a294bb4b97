// Rate limits: one GCRA (a token bucket stored as a single time) for each key, in a bounded map.
// A bucket of `burst` tokens refills at quota ÷ window. Each insertion removes a few full buckets,
// so memory follows the number of active callers, up to a cap, without timers.

/** Other nodes learn soon of a caller that took this part of a burst. */
const URGENT_PART = 0.05;

/** About 30 MB. */
const MAX_TRACKED_KEYS = 200_000;

interface RateLimitPolicy {
  /** Name in the headers: lowercase letters, digits and dashes. */
  readonly name: string;
  /** Requests per window that are sustained. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** Requests that pass without a pause; the quota by default. */
  readonly burst?: number;
}

/** The result of a take. All figures are integers. */
export interface Take {
  readonly allowed: boolean;
  /** The size of the bucket. */
  readonly limit: number;
  /** Requests that would still pass without a pause. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until this request would pass; 0 when it was allowed. */
  readonly retryAfterSeconds: number;
}

/** The bucket is full at the time `full` (ms); at `now`, full − now milliseconds are missing. */
interface Bucket {
  full: number;
}

/** An API key, an address, a pair of both, or a uid. */
type Key = string | number;

/** A limit over many keys. */
export class RateLimiter {
  readonly policyHeader: string;
  readonly #limit: number;
  /** Milliseconds that one request takes to refill. */
  readonly #interval: number;
  /** Milliseconds that an empty bucket takes to refill. */
  readonly #capacity: number;
  readonly #name: string;
  readonly #maxKeys: number;
  readonly #buckets = new Map<Key, Bucket>();
  /** From this time (ms) on every bucket is full. */
  #allFullAt = 0;
  /** Takes since the last `takeNews`; null where no other node counts the same keys. */
  #news: Map<Key, number> | null = null;
  #onUrgent: () => void = () => {};
  /** Goes round and round the map in insertion order, looking for buckets to forget. */
  #sweep: Iterator<[Key, Bucket]>;

  /** `maxKeys` bounds the map. Throws RangeError for a policy that cannot be kept. */
  constructor(policy: RateLimitPolicy, maxKeys: number = MAX_TRACKED_KEYS) {
    const { name, quota, windowSeconds, burst = quota } = policy;
    this.#name = name;
    this.#limit = burst;
    this.#interval = (windowSeconds * 1000) / quota;
    this.#capacity = this.#interval * burst;
    this.#maxKeys = maxKeys;
    check(POLICY_NAME.test(name), 'a name of lowercase letters, digits and dashes');
    check(Number.isSafeInteger(quota) && quota >= 1, 'a positive integer as quota');
    check(Number.isSafeInteger(burst) && burst >= 1, 'a positive integer as burst');
    check(Number.isFinite(windowSeconds) && windowSeconds > 0, 'a positive window');
    check(this.#interval >= MIN_INTERVAL_MS, 'at most 100,000 requests a second');
    check(Number.isSafeInteger(maxKeys) && maxKeys >= 1, 'a positive cap on its keys');
    this.#sweep = this.#buckets.entries();
    // The bucket is what a client can observe: `burst` requests, full again after `w`. So q is
    // never below the r of the other header, whatever burst and window were configured.
    this.policyHeader = `"${name}";q=${burst};w=${seconds(this.#capacity)}`;
  }

  /** Keys that are held now, at most the cap. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Whether every bucket is full at `now`: nothing has been taken that still counts. */
  isUnused(now: number): boolean {
    if (this.#buckets.size === 0) return true;
    if (now < this.#allFullAt) return false;
    this.#buckets.clear();
    this.#sweep = this.#buckets.entries();
    return true;
  }

  /**
   * Takes `count` requests out of the bucket of `key`, if it holds them. More than a bucket holds
   * come out of a full one, and leave a debt. `now`: ms of a steady clock.
   */
  take(key: Key, now: number, count = 1): Take {
    const cost = count * this.#interval;
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      this.#insert(key, now + cost, now);
      this.#note(key, count);
      return this.#answer(true, cost);
    }
    const missing = this.#missing(bucket, now);
    const needed = Math.min(cost, this.#capacity);
    if (missing + needed > this.#capacity + ROUNDING) return this.#answer(false, missing, needed);
    bucket.full = now + missing + cost;
    if (bucket.full > this.#allFullAt) this.#allFullAt = bucket.full;
    this.#note(key, count);
    return this.#answer(true, missing + cost);
  }

  #note(key: Key, count: number): void {
    if (this.#news === null) return;
    const before = this.#news.get(key) ?? 0;
    this.#news.set(key, before + count);
    const urgent = Math.ceil(this.#limit * URGENT_PART);
    if (before < urgent && before + count >= urgent) this.#onUrgent();
  }

  /** From now on other nodes count the same keys; `onUrgent` asks for `takeNews` soon. */
  share(onUrgent: () => void): void {
    this.#news ??= new Map();
    this.#onUrgent = onUrgent;
  }

  /** The takes since the last call, for the other nodes. */
  takeNews(): (readonly [key: Key, count: number])[] {
    const news = [...(this.#news ?? [])];
    this.#news?.clear();
    return news;
  }

  /**
   * Takes what another node has let pass, also out of an empty bucket: the debt keeps the rate of
   * all nodes together at that of the policy.
   */
  charge(key: Key, count: number, now: number): void {
    const bucket = this.#buckets.get(key);
    const full = Math.max(bucket?.full ?? 0, now) + count * this.#interval;
    if (bucket === undefined) {
      this.#insert(key, full, now);
    } else {
      bucket.full = full;
      if (full > this.#allFullAt) this.#allFullAt = full;
    }
  }

  /** The result of `take` without taking, to check several limits before consuming any. */
  peek(key: Key, now: number): Take {
    const bucket = this.#buckets.get(key);
    const missing = bucket === undefined ? 0 : this.#missing(bucket, now);
    return this.#answer(missing + this.#interval <= this.#capacity + ROUNDING, missing);
  }

  /** The value of a `RateLimit` header. */
  header(take: Take): string {
    return `"${this.#name}";r=${take.remaining};t=${take.resetSeconds}`;
  }

  #missing(bucket: Bucket, now: number): number {
    const missing = bucket.full - now;
    if (missing <= 0) return 0;
    // More than the bucket holds is missing only after the clock went back: that locks nobody out.
    return missing > this.#capacity ? this.#capacity : missing;
  }

  /** `needed`: the milliseconds that the request takes to refill. */
  #answer(allowed: boolean, missing: number, needed = this.#interval): Take {
    const interval = this.#interval;
    const left = this.#capacity - missing + ROUNDING;
    return {
      allowed,
      limit: this.#limit,
      remaining: left < interval ? 0 : Math.floor(left / interval),
      resetSeconds: seconds(missing),
      retryAfterSeconds: allowed ? 0 : Math.max(1, seconds(needed - left)),
    };
  }

  #insert(key: Key, full: number, now: number): void {
    const crowded = this.#buckets.size >= this.#maxKeys;
    this.#forget(crowded ? CROWDED_PROBES : CALM_PROBES, now, crowded);
    this.#buckets.set(key, { full });
    if (full > this.#allFullAt) this.#allFullAt = full;
  }

  /**
   * Looks at the next few buckets and drops the full ones, which say nothing. When one must go and
   * none is full, the fullest of those goes: its caller gains the least.
   */
  #forget(probes: number, now: number, mustDrop: boolean): void {
    let dropped = false;
    let fullest: Key | undefined;
    let fullestTime = Number.POSITIVE_INFINITY;
    for (let i = 0; i < probes; i++) {
      let next = this.#sweep.next();
      if (next.done === true) {
        this.#sweep = this.#buckets.entries();
        next = this.#sweep.next();
        if (next.done === true) return;
      }
      const [key, bucket] = next.value;
      if (bucket.full <= now) {
        this.#buckets.delete(key);
        dropped = true;
      } else if (bucket.full < fullestTime) {
        fullestTime = bucket.full;
        fullest = key;
      }
    }
    if (mustDrop && !dropped && fullest !== undefined) this.#buckets.delete(fullest);
  }
}

const POLICY_NAME = /^[a-z][a-z0-9-]*$/;
/** Two for each insertion clear the map faster than it grows. */
const CALM_PROBES = 2;
/** Enough to find a full bucket in nearly every case, and still O(1). */
const CROWDED_PROBES = 8;
/** Milliseconds of grace, since intervals such as 1000/3 ms are not exact in a double. */
const ROUNDING = 0.001;
/** Keeps a request well above the rounding of a time in milliseconds. */
const MIN_INTERVAL_MS = 0.01;

function check(condition: boolean, rule: string): void {
  if (!condition) throw new RangeError(`A rate limit has ${rule}.`);
}

function seconds(milliseconds: number): number {
  return milliseconds <= ROUNDING ? 0 : Math.ceil((milliseconds - ROUNDING) / 1000);
}
