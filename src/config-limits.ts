// The rate limits that a node may have and their defaults, for a sandbox and for production.

/** `quota` requests per `window` seconds; `burst` of them may come without a pause. */
export interface RateLimit {
  readonly quota: number;
  readonly window: number;
  readonly burst: number;
}

export const RATE_LIMIT_NAMES = [
  'public',
  'private',
  'order',
  'user',
  'userOrder',
  'account',
  'failedAuth',
  'failedAddress',
] as const;
export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];
/** null: not limited, in the sandbox only. */
export type RateLimits = { readonly [name in RateLimitName]: RateLimit | null };
/** The limits in one source; a name that is left out keeps its default. */
export type RateLimitChoice = { readonly [name in RateLimitName]?: RateLimit | null };

/** Generous, so that tests and bots on a laptop do not reach a limit. */
const SANDBOX_LIMITS: RateLimits = {
  public: { quota: 5_000, window: 1, burst: 10_000 },
  private: { quota: 5_000, window: 1, burst: 10_000 },
  order: { quota: 5_000, window: 1, burst: 10_000 },
  user: { quota: 20_000, window: 1, burst: 40_000 },
  userOrder: { quota: 20_000, window: 1, burst: 40_000 },
  account: { quota: 5_000, window: 1, burst: 10_000 },
  failedAuth: { quota: 60_000, window: 60, burst: 10_000 },
  failedAddress: { quota: 120_000, window: 60, burst: 20_000 },
};

/**
 * In the range of the large venues: enough for a person and a market maker, little for a flood. A
 * user has twice what a key has, so that one bot that runs wild leaves room for the others.
 */
const PRODUCTION_LIMITS: RateLimits = {
  public: { quota: 20, window: 1, burst: 40 },
  private: { quota: 20, window: 1, burst: 60 },
  order: { quota: 50, window: 1, burst: 100 },
  user: { quota: 40, window: 1, burst: 120 },
  userOrder: { quota: 100, window: 1, burst: 200 },
  account: { quota: 20, window: 60, burst: 20 },
  failedAuth: { quota: 10, window: 60, burst: 20 },
  failedAddress: { quota: 60, window: 60, burst: 120 },
};

export const DEFAULT_LIMITS: Readonly<Record<'sandbox' | 'production', RateLimits>> = {
  sandbox: SANDBOX_LIMITS,
  production: PRODUCTION_LIMITS,
};
