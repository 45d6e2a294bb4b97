// A prediction of the model about a command, and its comparison with the core. The model counts in
// bigint only; comparing also checks that the core's amounts are in their one canonical form.
import type {
  CoreEvent,
  EarnMoved,
  ExecutionReport,
  FundsTransferred,
  InstrumentChanged,
  InterestAccrued,
  RedemptionChanged,
  SubscriptionChanged,
  Trade,
  VenueTransferred,
} from '../../src/core/event.ts';
import type { OrderExtras } from '../../src/core/order-extras.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { RejectName } from '../../src/core/reject.ts';
import type { Amount, Lots, Ticks } from '../../src/core/units.ts';

/** The same fields with bigints; a new field must be predicted. */
type Exact<T> = {
  readonly [K in keyof T]: T[K] extends Ticks | Lots | Amount
    ? bigint
    : T[K] extends OrderExtras
      ? Exact<T[K]>
      : T[K];
};

export type ExpectedReport = Exact<ExecutionReport>;
type ExpectedTrade = Exact<Trade>;
export type ExpectedSubscription = Exact<SubscriptionChanged>;
export type ExpectedEvent =
  | ExpectedReport
  | ExpectedTrade
  | Exact<FundsTransferred>
  | Exact<VenueTransferred>
  | Exact<InstrumentChanged>
  | ExpectedSubscription
  | Exact<InterestAccrued>
  | Exact<RedemptionChanged>
  | Exact<EarnMoved>;

export type ExpectedOutcome =
  | { readonly ok: true; readonly result: object; readonly replayed: boolean }
  | {
      readonly ok: false;
      readonly name: RejectName;
      /** The field that is wrong; undefined: the model does not say. */
      readonly field?: string;
      readonly replayed: boolean;
    };

export type Rejection = Extract<ExpectedOutcome, { ok: false }>;

export const yes = (result: object): ExpectedOutcome => ({ ok: true, result, replayed: false });
export const no = (name: RejectName, field?: string): Rejection =>
  field === undefined
    ? { ok: false, name, replayed: false }
    : { ok: false, name, field, replayed: false };

/** Where an actual value differs from the expected one, or null. */
export function difference(expected: unknown, actual: unknown, path: string): string | null {
  if (typeof expected === 'bigint') return differenceOfIntegers(expected, actual, path);
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(expected, actual)
      ? null
      : `${path}: expected ${show(expected)}, got ${show(actual)}`;
  }
  if (typeof actual !== 'object' || actual === null) return `${path}: expected an object`;
  const theirs = actual as Readonly<Record<string, unknown>>;
  const ours = expected as Readonly<Record<string, unknown>>;
  for (const key in ours) {
    const found = difference(ours[key], theirs[key], `${path}.${key}`);
    if (found !== null) return found;
  }
  for (const key in theirs) if (!(key in ours)) return `${path}.${key}: not expected`;
  return null;
}

function differenceOfIntegers(expected: bigint, actual: unknown, path: string): string | null {
  if (typeof actual !== 'number' && typeof actual !== 'bigint') return `${path}: not an integer`;
  if (Object.is(actual, -0)) return `${path}: minus zero`;
  const small = Number.isSafeInteger(Number(expected));
  if ((typeof actual === 'number') !== small) return `${path}: ${actual} is not in canonical form`;
  return BigInt(actual) === expected ? null : `${path}: expected ${expected}, got ${actual}`;
}

export function differenceOfOutcomes(expected: ExpectedOutcome, actual: Outcome): string | null {
  if (expected.ok) {
    if (!actual.ok) return `outcome: expected to be accepted, got ${actual.reject.name}`;
    if ('outcomes' in expected.result) return differenceOfEntries(expected, actual);
    return difference(expected, actual, 'outcome');
  }
  if (actual.ok) return `outcome: expected ${expected.name}, got accepted`;
  const { name, field } = actual.reject;
  const named = expected.field === undefined ? {} : { field };
  const seen = { ok: false, name, ...named, replayed: actual.replayed };
  return difference(expected, seen, 'outcome');
}

/** The first entry of a batch whose outcome differs. */
function differenceOfEntries(
  expected: Extract<ExpectedOutcome, { ok: true }>,
  actual: Extract<Outcome, { ok: true }>,
): string | null {
  const { outcomes: ours } = expected.result as { outcomes: readonly ExpectedOutcome[] };
  const theirs = 'outcomes' in actual.result ? actual.result.outcomes : [];
  if (ours.length !== theirs.length) return `outcomes: expected ${ours.length}`;
  if (actual.replayed !== expected.replayed)
    return `outcome.replayed: expected ${expected.replayed}`;
  for (const [i, outcome] of ours.entries()) {
    const found = differenceOfOutcomes(outcome, theirs[i]);
    if (found !== null) return `entry ${i}: ${found}`;
  }
  return null;
}

export function differenceOfEvents(
  expected: readonly ExpectedEvent[],
  actual: readonly CoreEvent[],
): string | null {
  for (let i = 0; i < Math.min(expected.length, actual.length); i++) {
    const found = difference(expected[i], actual[i], `events[${i}]`);
    if (found !== null) return found;
  }
  if (expected.length === actual.length) return null;
  return `events: expected ${expected.length}, got ${actual.length}`;
}

/** A value as one line of text, with exact integers. */
export function show(value: unknown): string {
  return (
    JSON.stringify(value, (_key, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v)) ??
    'undefined'
  );
}
