// Compares the events of earn. Interest and redemptions have an order; what becomes of different
// subscriptions and lines of a statement within one command has none, so these are compared as
// collections.
import type { CoreEvent } from '../../src/core/event.ts';
import { difference, type ExpectedEvent, show } from './expectation.ts';

const ORDERED = ['interestAccrued', 'redemptionChanged'] as const;
const COLLECTED = ['earnMoved', 'fundsTransferred', 'venueTransferred'] as const;

type Told = CoreEvent | ExpectedEvent;

const ofType = (events: readonly Told[], type: Told['type']): Told[] =>
  events.filter((event) => event.type === type);

/** Amounts in either form as the same text. */
const textOf = (event: object): string =>
  JSON.stringify(event, (_key, value: unknown) =>
    typeof value === 'bigint'
      ? Number.isSafeInteger(Number(value))
        ? Number(value)
        : `${value}`
      : value,
  );

const sorted = (events: readonly object[]): object[] =>
  events
    .map((event) => ({ event, text: textOf(Object.entries(event).sort()) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ event }) => event);

/** Compares the events of one command, and finds any that are not of earn. */
export function faultOfEarnEvents(
  expected: readonly ExpectedEvent[],
  actual: readonly CoreEvent[],
): string | null {
  for (const type of ORDERED) {
    const found = faultOfList(ofType(expected, type), ofType(actual, type), type);
    if (found !== null) return found;
  }
  for (const type of COLLECTED) {
    const found = faultOfList(sorted(ofType(expected, type)), sorted(ofType(actual, type)), type);
    if (found !== null) return found;
  }
  const known: readonly string[] = [...ORDERED, ...COLLECTED, 'subscriptionChanged'];
  const other = actual.find(({ type }) => !known.includes(type));
  if (other !== undefined) return `events: ${show(other)} is not of earn`;
  return faultOfList(lastOfEach(expected), lastOfEach(actual), 'subscriptionChanged');
}

function faultOfList(
  expected: readonly object[],
  actual: readonly object[],
  type: string,
): string | null {
  for (let i = 0; i < Math.min(expected.length, actual.length); i++) {
    const found = difference(expected[i], actual[i], `${type}[${i}]`);
    if (found === null) continue;
    return `${found}\n    expected ${show(expected[i])}\n    got      ${show(actual[i])}`;
  }
  if (expected.length === actual.length) return null;
  const [more, word] =
    expected.length > actual.length ? [expected, 'missing'] : [actual, 'not expected'];
  const first = Math.min(expected.length, actual.length);
  const counts = `expected ${expected.length}, got ${actual.length}`;
  return `${type}: ${counts}; ${word}: ${show(more[first])}`;
}

/**
 * Compares events across slices: entries of each subscription in order, other lines as collections,
 * and the last state of each subscription, at any time.
 */
export function faultOfSums(
  expected: readonly ExpectedEvent[],
  actual: readonly CoreEvent[],
): string | null {
  for (const type of [...ORDERED, ...COLLECTED]) {
    const found = faultOfList(
      sorted(ofType(expected, type).map(timeless)),
      sorted(ofType(actual, type).map(timeless)),
      type,
    );
    if (found !== null) return found;
  }
  const [ours, theirs] = [expected, actual].map((events) => lastOfEach(events).map(timeless));
  return faultOfList(ours, theirs, 'subscriptionChanged');
}

/** Without the fields that grow by day: a credit may come before or after a day's close. */
function timeless(event: Told): object {
  const { transactTime: _, ...rest } = event;
  if (rest.type !== 'subscriptionChanged') return rest;
  const { principal, earned, marginEarned, redeeming, rate, ...lasting } = rest;
  return lasting.lockDay === 0 ? lasting : { ...lasting, rate };
}

/** How each term of each subscription was last told of: what is told on the way there is free. */
function lastOfEach(events: readonly Told[]): Told[] {
  const last = new Map<number, Told>();
  for (const event of events) {
    if (event.type !== 'subscriptionChanged') continue;
    last.set(event.applyId * 1_000_000 + event.startDay, event);
  }
  return [...last].sort(([a], [b]) => a - b).map(([, event]) => event);
}
