// More that is due than one command looks after: all of it is done, in order, each once, and
// customers' commands come in between.
import { describe, expect, test } from 'bun:test';
import { FIXED, Savings, UNIT_A_DAY } from '../../../test/support/savings.ts';
import type { CoreEvent } from '../event.ts';
import { checkInvariants } from '../invariants.ts';
import { accepted, IN_PROGRESS, type Outcome } from '../outcome.ts';
import { restore, snapshot } from '../snapshot.ts';
import { add, amount } from '../units.ts';
import { SWITCH, unitsOf } from '../work.ts';
import { MAX_SUBSCRIPTIONS } from './subscriptions.ts';
import { EARN_SLICE } from './timers.ts';

const MANY = 600;
const APPLY_IDS = Array.from({ length: MANY }, (_, i) => i + 1);

/** More terms than two slices take; each earns a unit a day. */
function crowded(terms = {}): Savings {
  const savings = new Savings();
  savings.offer({ ...FIXED, ...terms });
  for (let i = 0; i < MANY; i++) savings.subscribe(1, UNIT_A_DAY);
  return savings;
}

/** Does what is due, to the end. */
function run(savings: Savings) {
  const done = savings.runTimers();
  checkInvariants(savings.exchange.state);
  return done;
}

/** The subscriptions to which this happened, in order. */
const whose = (events: readonly CoreEvent[], what: string): number[] =>
  events.flatMap((event) =>
    (event.type === 'earnMoved' ? event.kind === what : event.type === what) && 'applyId' in event
      ? event.applyId
      : [],
  );

describe('a day of more subscriptions than a slice', () => {
  test('is closed for each of them once, in order, a slice a command', () => {
    const savings = crowded();
    savings.fund(1, 1_000_000);
    savings.passMidnight();
    // The day of subscribing earns nothing, and is closed like any other: with the step to the next
    // day 601 things.
    expect(run(savings).commands).toBe(3);
    savings.passMidnight();
    const before = savings.available;
    savings.must({ type: 'runTimers' });
    expect(savings.earn.closedUpTo).toBe(EARN_SLICE);
    expect(savings.available).toBe(add(before, amount(EARN_SLICE)));
    const first = savings.events;
    const { commands, events } = run(savings);
    expect(commands).toBe(2);
    expect(whose([...first, ...events], 'interestAccrued')).toEqual(APPLY_IDS);
    expect(whose([...first, ...events], 'interest')).toEqual(APPLY_IDS);
    expect(savings.available).toBe(add(before, amount(MANY)));
  });
});

describe('interest that is overdue for more subscriptions than a slice', () => {
  test('is paid to each once, in the order of waiting, as far as the reserve goes', () => {
    const savings = crowded();
    savings.passMidnight(2);
    expect(whose(run(savings).events, 'interest')).toEqual([]);
    const before = savings.available;
    savings.fund(1, 100);
    expect(whose(run(savings).events, 'interest')).toEqual(APPLY_IDS.slice(0, 100));
    // The five hundred others, and the step that finds nobody left.
    savings.fund(1, MANY - 100);
    const { commands, events } = run(savings);
    expect(commands).toBe(3);
    expect(whose(events, 'interest')).toEqual(APPLY_IDS.slice(100));
    expect(savings.available).toBe(add(before, amount(MANY)));
    savings.fund(1, 1_000);
    expect(run(savings)).toEqual({ commands: 0, events: [] });
    expect(savings.available).toBe(add(before, amount(MANY)));
  });
});

describe('more redemptions at one time than a slice', () => {
  test('are credited each once, in order', () => {
    const savings = crowded({ redeemLockHours: 1 });
    const before = savings.available;
    for (const applyId of APPLY_IDS) savings.redeem(savings.earn.subscriptions.find(applyId)!);
    expect(savings.available).toBe(before);
    savings.time += 3_600_000;
    savings.must({ type: 'runTimers' });
    expect(savings.available).toBe(add(before, amount(EARN_SLICE * UNIT_A_DAY)));
    const first = savings.events;
    const { commands, events } = run(savings);
    expect(commands).toBe(2);
    expect(whose([...first, ...events], 'redemption')).toEqual(APPLY_IDS);
    expect(savings.available).toBe(add(before, amount(MANY * UNIT_A_DAY)));
    expect(savings.earn.subscriptions.size).toBe(0);
  });
});

describe('auto-renew of the most subscriptions of a customer after a month without service', () => {
  const DAYS = 30;
  const switchAll = (savings: Savings) =>
    savings.send({
      ...{ type: 'setAutoRenew', uid: 1, applyId: 0, autoRenew: true },
      ...{ signature: null, idempotency: null },
    });
  const stateOf = ({ earn, available }: Savings) => ({
    available,
    subscriptions: [...earn.subscriptions.ofUser(1)].map(
      ({ applyId, nextDay, earned, paid, autoRenew }) => [
        applyId,
        nextDay,
        earned,
        paid,
        autoRenew,
      ],
    ),
  });
  function begin(): Savings {
    const savings = new Savings({ users: 2 });
    savings.offer({ ...FIXED, minLockDay: 90, maxLockDay: 90, supportAutoRenew: true });
    savings.fund(1, 10_000_000);
    for (let i = 0; i < MAX_SUBSCRIPTIONS; i++) savings.subscribe(1, UNIT_A_DAY);
    savings.passMidnight(DAYS);
    return savings;
  }

  test('goes on in later commands, with others in between, and costs what it switches', () => {
    const [late, early] = [begin(), begin()];
    early.runTimers();
    const whole = switchAll(early);
    const outcome: Outcome = accepted({ subscriptions: MAX_SUBSCRIPTIONS });
    expect<unknown>(whole).toEqual(outcome);
    const price = unitsOf(MAX_SUBSCRIPTIONS * SWITCH);
    expect(early.exchange.work).toBe(price);

    expect(switchAll(late)).toBe(IN_PROGRESS);
    const { seq, exchange } = late;
    expect(exchange.events.length).toBeLessThan(4 * EARN_SLICE);
    // The same account waits, another one does not.
    expect(late.apply(1, UNIT_A_DAY)).toBe(IN_PROGRESS);
    for (let commands = 1; ; commands++) {
      expect(late.apply(1, UNIT_A_DAY, { uid: 2 }).ok).toBe(true);
      if (commands % 40 === 1) {
        expect(restore(snapshot(exchange.state)).stateHash()).toBe(exchange.state.stateHash());
      }
      late.must({ type: 'runTimers' });
      const [done] = exchange.completed;
      if (done === undefined) {
        expect(exchange.events.length).toBeLessThan(2 * 4 * EARN_SLICE);
        continue;
      }
      expect(done).toEqual({ seq, outcome, work: price });
      expect(commands).toBeGreaterThan(10);
      break;
    }
    late.runTimers();
    checkInvariants(exchange.state);
    expect(stateOf(late)).toEqual(stateOf(early));
  });
});
