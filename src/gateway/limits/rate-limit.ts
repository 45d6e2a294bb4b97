// Rate limits: one GCRA (a token bucket stored as a single time) for each key, in a bounded map.
// A bucket of `burst` tokens refills at quota ÷ window. Each insertion removes a few full buckets,
// so memory follows the number of active callers, up to a cap, without timers. All times are ms of
// a steady clock, since a step of the wall clock would block callers for the size of the step.

/** Other nodes learn soon of a caller that took this part of a burst. */
const URGENT_PART = 0.05;

/** About 30 MB. */
const MAX_TRACKED_KEYS = 200_000;
/** Keys that other nodes have not heard of, about 3 MB. Without a leader nobody hears of any. */
const MAX_NEWS = 20_000;

interface RateLimitPolicy {
  /** Name in the headers: lowercase letters, digits and dashes. */
  readonly name: string;
  /** Requests per window that are sustained. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** Requests that pass without a pause; the quota by default. */
  readonly burst?: number;
}

/** The bucket is full at the time `full`; at `now`, full − now milliseconds are missing. */
interface Bucket {
  full: number;
}

/** An API key, an address, a pair of both, or a uid. */
export type Key = string | number;

/** A limit over many keys. */
export class RateLimiter {
  readonly policyHeader: string;
  /** Requests in a full bucket. */
  readonly #burst: number;
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
    this.#burst = burst;
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

  /** True if every bucket is full: nothing has been taken that still counts. */
  isUnused(): boolean {
    if (this.#buckets.size === 0) return true;
    if (performance.now() < this.#allFullAt) return false;
    this.#buckets.clear();
    this.#sweep = this.#buckets.entries();
    return true;
  }

  /**
   * Takes `count` requests out of the bucket of `key`; false where it lacks them. More than a
   * bucket holds come out of a full one, and leave a debt.
   */
  take(key: Key, now: number, count = 1): boolean {
    const bucket = this.#buckets.get(key);
    const missing = missingOf(bucket, now);
    if (!this.#holds(missing, count)) return false;
    this.#set(key, bucket, now + missing + count * this.#interval, now);
    this.#note(key, count);
    return true;
  }

  /**
   * Takes `count` requests, also out of an empty bucket, but no more than refill in `maxDebtMs`
   * after it is empty.
   */
  spend(key: Key, count: number, maxDebtMs: number, now: number): void {
    const bucket = this.#buckets.get(key);
    const missing = missingOf(bucket, now);
    const room = Math.floor((this.#capacity + maxDebtMs - missing) / this.#interval + ROUNDING);
    const taken = Math.min(count, room);
    if (taken <= 0) return;
    this.#set(key, bucket, now + missing + taken * this.#interval, now);
    this.#note(key, taken);
  }

  /** True if `take` would succeed, to check several limits before taking from any. */
  admits(key: Key, now: number, count = 1): boolean {
    return this.#holds(missingOf(this.#buckets.get(key), now), count);
  }

  #holds(missing: number, count: number): boolean {
    const needed = Math.min(count * this.#interval, this.#capacity);
    return missing + needed <= this.#capacity + ROUNDING;
  }

  #note(key: Key, count: number): void {
    if (this.#news === null) return;
    const before = this.#news.get(key) ?? 0;
    if (before === 0 && this.#news.size >= MAX_NEWS) return;
    this.#news.set(key, before + count);
    const urgent = Math.ceil(this.#burst * URGENT_PART);
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
    this.#set(key, bucket, now + missingOf(bucket, now) + count * this.#interval, now);
  }

  /** Requests that would pass without a pause. */
  remaining(key: Key, now: number): number {
    const left = this.#capacity - missingOf(this.#buckets.get(key), now) + ROUNDING;
    return Math.max(0, Math.floor(left / this.#interval));
  }

  /** Requests that have not been refilled yet. */
  used(key: Key, now: number): number {
    return this.#burst - this.remaining(key, now);
  }

  /** Seconds until `count` requests would pass; 0 where they would now. */
  waitSeconds(key: Key, now: number, count = 1): number {
    const missing = missingOf(this.#buckets.get(key), now);
    if (this.#holds(missing, count)) return 0;
    const needed = Math.min(count * this.#interval, this.#capacity);
    return Math.max(1, seconds(missing + needed - this.#capacity));
  }

  /** The value of a `RateLimit` header. */
  header(key: Key, now: number): string {
    const reset = seconds(missingOf(this.#buckets.get(key), now));
    return `"${this.#name}";r=${this.remaining(key, now)};t=${reset}`;
  }

  #set(key: Key, bucket: Bucket | undefined, full: number, now: number): void {
    if (full > this.#allFullAt) this.#allFullAt = full;
    if (bucket !== undefined) {
      bucket.full = full;
      return;
    }
    const crowded = this.#buckets.size >= this.#maxKeys;
    this.#forget(crowded ? CROWDED_PROBES : CALM_PROBES, now, crowded);
    this.#buckets.set(key, { full });
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

/** The milliseconds that a bucket lacks; a bucket that is not there is full. */
const missingOf = (bucket: Bucket | undefined, now: number): number =>
  bucket === undefined || bucket.full <= now ? 0 : bucket.full - now;

function seconds(milliseconds: number): number {
  return milliseconds <= ROUNDING ? 0 : Math.ceil((milliseconds - ROUNDING) / 1000);
}
