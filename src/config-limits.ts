// The rate limits of a node: their defaults, and how they are read and printed.
import { type Kind, type Mode, wholeNumber } from './config-kinds.ts';

/** `quota` requests per `window` seconds; `burst` of them may come without a pause. */
const PARTS = {
  quota: wholeNumber(1, 1_000_000_000),
  window: wholeNumber(1, 86_400),
  burst: wholeNumber(1, 1_000_000_000),
};
const PART_NAMES = Object.keys(PARTS) as readonly (keyof typeof PARTS)[];
export type RateLimit = Readonly<Record<keyof typeof PARTS, number>>;

/**
 * Generous in the sandbox, for tests and bots on a laptop. In production as at large venues: enough
 * for a person and a market maker, little for a flood. A user has twice what a key has, so one bot
 * that runs wild leaves room for the others.
 */
const DEFAULTS = {
  public: { sandbox: '5000/1/10000', production: '20/1/40' },
  private: { sandbox: '5000/1/10000', production: '20/1/60' },
  order: { sandbox: '5000/1/10000', production: '50/1/100' },
  user: { sandbox: '20000/1/40000', production: '40/1/120' },
  userOrder: { sandbox: '20000/1/40000', production: '100/1/200' },
  account: { sandbox: '5000/1/10000', production: '20/60/20' },
  failedAuth: { sandbox: '60000/60/10000', production: '10/60/20' },
  failedAddress: { sandbox: '120000/60/20000', production: '60/60/120' },
};
export type RateLimitName = keyof typeof DEFAULTS;
const NAMES = Object.keys(DEFAULTS) as readonly RateLimitName[];
/** null: not limited, in the sandbox only. */
export type RateLimits = Readonly<Record<RateLimitName, RateLimit | null>>;

/** Limits that are left out keep the default of the mode. */
export const rateLimits: Kind<RateLimits> = {
  argument: 'LIMITS',
  accepts:
    'NAME=QUOTA/WINDOW/BURST, separated by commas (order=50/1/100), with the names ' +
    `${NAMES.join(', ')} and the window in seconds; in the sandbox also NAME=off or off`,
  read(raw, mode) {
    const given = raw === 'off' ? NAMES.map((name) => [name, raw] as const) : pairsOf(raw);
    if (!given?.every(([name]) => NAMES.some((known) => known === name))) return undefined;
    const defaults = NAMES.map((name) => [name, DEFAULTS[name][mode]] as const);
    const limits = [...defaults, ...given].map(
      ([name, limit]) => [name, readLimit(limit)] as const,
    );
    const isValid = limits.every(([, limit]) => limit !== undefined);
    return isValid ? (Object.fromEntries(limits) as unknown as RateLimits) : undefined;
  },
};

export const defaultLimits = (mode: Mode): RateLimits => rateLimits.read({}, mode)!;

/** `public=20/1/40`, `private=off` */
export const limitTexts = (limits: RateLimits): string[] =>
  NAMES.map((name) => `${name}=${Object.values(limits[name] ?? ['off']).join('/')}`);

/** The members of an object, or of a text in which each name may appear once. */
function pairsOf(raw: unknown): (readonly [name: string, limit: unknown])[] | undefined {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return Object.entries(raw);
  if (typeof raw !== 'string') return undefined;
  const pairs = raw.split(',').map((item) => item.trim().split('=') as [string, string]);
  const isDistinct = new Set(pairs.map(([name]) => name)).size === pairs.length;
  return isDistinct && pairs.every(({ length }) => length === 2) ? pairs : undefined;
}

/** Reads `50/1/100`, an object of these parts, or `off`. */
function readLimit(raw: unknown): RateLimit | null | undefined {
  if (raw === 'off') return null;
  const given: Record<string, unknown> =
    typeof raw === 'string'
      ? Object.fromEntries(raw.split('/').map((part, at) => [PART_NAMES[at] ?? at, part]))
      : { ...(raw as object) };
  const limit = PART_NAMES.map((name) => [name, PARTS[name](given[name])] as const);
  const hasOthers = Object.keys(given).length > PART_NAMES.length;
  const isValid = !hasOthers && limit.every(([, part]) => part !== undefined);
  return isValid ? (Object.fromEntries(limit) as RateLimit) : undefined;
}
