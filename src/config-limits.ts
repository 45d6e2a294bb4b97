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

export function wholeNumber(least: number, most: number): (raw: unknown) => number | undefined {
  return (raw) => {
    const isText = typeof raw === 'string' && /^(0|[1-9]\d{0,14})$/.test(raw);
    const n = isText ? Number(raw) : raw;
    return typeof n === 'number' && Number.isSafeInteger(n) && n >= least && n <= most
      ? n
      : undefined;
  };
}

const LARGEST_QUOTA = 1_000_000_000;
const LONGEST_WINDOW = 86_400;

export function rateLimits(raw: unknown): RateLimitChoice | undefined {
  if (raw === 'off') {
    return Object.fromEntries(RATE_LIMIT_NAMES.map((name) => [name, null]));
  }
  const pairs = typeof raw === 'string' ? pairsOf(raw) : raw;
  if (typeof pairs !== 'object' || pairs === null || Array.isArray(pairs)) return undefined;
  const choice: { -readonly [name in RateLimitName]?: RateLimit | null } = {};
  for (const [key, value] of Object.entries(pairs)) {
    const name = RATE_LIMIT_NAMES.find((known) => known === key);
    const limit = value === 'off' ? null : rateLimit(value);
    if (name === undefined || limit === undefined) return undefined;
    choice[name] = limit;
  }
  return choice;
}

function pairsOf(text: string): Record<string, string> | undefined {
  const pairs = new Map<string, string>();
  for (const item of text.split(',')) {
    const [name = '', value, ...rest] = item.trim().split('=');
    if (value === undefined || rest.length > 0 || pairs.has(name)) return undefined;
    pairs.set(name, value);
  }
  return Object.fromEntries(pairs);
}

function rateLimit(raw: unknown): RateLimit | undefined {
  const parts = typeof raw === 'string' ? raw.split('/') : undefined;
  if (parts !== undefined && parts.length !== 3) return undefined;
  const source = parts ? { quota: parts[0], window: parts[1], burst: parts[2] } : raw;
  if (typeof source !== 'object' || source === null) return undefined;
  if (Object.keys(source).some((key) => !['quota', 'window', 'burst'].includes(key))) {
    return undefined;
  }
  const { quota, window, burst } = source as Record<string, unknown>;
  const limit = {
    quota: wholeNumber(1, LARGEST_QUOTA)(quota),
    window: wholeNumber(1, LONGEST_WINDOW)(window),
    burst: wholeNumber(1, LARGEST_QUOTA)(burst),
  };
  return Object.values(limit).every((n) => n !== undefined) ? (limit as RateLimit) : undefined;
}

export function limitsText(limits: RateLimits): string {
  const text = (limit: RateLimit | null) =>
    limit === null ? 'off' : `${limit.quota}/${limit.window}/${limit.burst}`;
  return RATE_LIMIT_NAMES.map((name) => `${name}=${text(limits[name])}`).join(', ');
}
