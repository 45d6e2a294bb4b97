// The tables of docs/earn.md that are no examples: the accounts, the transfers of each event, and
// the checks of plan/apply and apply/redeem in their order, which is tried on every two of them
// that can fail together.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REJECTIONS } from '../../src/contract/rejections.ts';
import { AccountCode, CODE_NAMES, mayBeNegative } from '../../src/core/ledger/account-code.ts';
import type { Reject } from '../../src/core/reject.ts';
import { amount } from '../../src/core/units.ts';
import { type EarnStep, EarnVenue } from '../scenario/earn-venue.ts';
import { toUnits } from '../scenario/earn-words.ts';
import type { Cells } from '../scenario/scenario-file.ts';
import { LEGACY_MESSAGES } from '../support/shape.ts';
import { tableNamed } from './examples.ts';

const document = readFileSync(join(import.meta.dir, '../../docs/earn.md'), 'utf8');

const withoutCode = (cell: string): string => cell.replaceAll('`', '');

test('the accounts are those of the ledger', () => {
  const shown = tableNamed(document, 'accounts').map(([code, name, trial, , sign]) => ({
    code: Number(code),
    name: withoutCode(name!),
    trial,
    isNegative: sign === '−',
  }));
  const expected = Object.entries(AccountCode).map(([name, code]) => ({
    code: code as number,
    name,
    trial: CODE_NAMES[code],
    isNegative: mayBeNegative(code),
  }));
  expect(shown).toEqual(expected.sort((a, b) => a.code - b.code));
});

interface Scene {
  readonly setup: readonly string[];
  readonly steps: readonly EarnStep[];
}

const step = (when: string, who: string, command: string): EarnStep => ({ when, who, command });
const BOOSTED = 'booster 1 MMX for each USDT, 1.825 %';
const ADA = 'ada: 1000 USDT, 1000 MMX';
const ACME = ['bob: nothing', 'Acme is an enterprise with admin bob and member ada'];
const TERM = [`plan: fixed 3 days; 7.3 %; lock time 1 h; early redemption; ${BOOSTED}`, ADA];
/**
 * Goes on to a time before the event, so that what falls due until then is not taken for a part of
 * it.
 */
const wait = (when: string): EarnStep => step(when, 'time', 'passes');
const subscribed = step('day 0, 10:00', 'ada', 'subscribes 100 with 100 MMX');

/**
 * By the name of the event in the document: what has to happen for it; the last step is the event.
 */
const SCENES: Readonly<Record<string, Scene>> = {
  'subscribe, add': { setup: TERM, steps: [subscribed] },
  'fund the reserve': {
    setup: TERM,
    steps: [step('day 0, 10:00', 'operator', 'funds the reserve with 5')],
  },
  'close a day': {
    setup: ['plan: fixed 3 days; 7.3 %; paid every 7 days', ADA],
    steps: [step('day 0, 10:00', 'ada', 'subscribes 100'), wait('day 2, 00:00')],
  },
  pay: {
    setup: ['plan: flexible; 7.3 %; reserve 0', ADA, ...ACME],
    steps: [
      step('day 0, 09:00', 'bob', 'keeps 3.65 %'),
      step('day 0, 10:00', 'ada', 'subscribes 100'),
      wait('day 2, 09:00'),
      step('day 2, 10:00', 'operator', 'funds the reserve with 5'),
    ],
  },
  compound: {
    setup: ['plan: flexible; 7.3 %; compounding; reserve 0', ADA],
    steps: [
      step('day 0, 10:00', 'ada', 'subscribes 100'),
      wait('day 2, 09:00'),
      step('day 2, 10:00', 'operator', 'funds the reserve with 5'),
    ],
  },
  redeem: {
    setup: ['plan: flexible; 7.3 %; lock time 1 h', ADA],
    steps: [
      step('day 0, 10:00', 'ada', 'subscribes 100'),
      wait('day 2, 09:00'),
      step('day 2, 10:00', 'ada', 'redeems 40'),
    ],
  },
  'end a term early': {
    setup: [
      TERM[0]!.replace('7.3 %', '7.3 %; paid every 2 days').replace('3 days', '9 days'),
      ADA,
      ...ACME,
    ],
    steps: [
      step('day 0, 09:00', 'bob', 'keeps 3.65 %'),
      subscribed,
      wait('day 4, 09:00'),
      step('day 4, 10:00', 'ada', 'redeems 100'),
    ],
  },
  credit: {
    setup: TERM,
    steps: [subscribed, step('day 2, 10:00', 'ada', 'redeems 100'), wait('day 2, 11:00')],
  },
  'end a term': { setup: TERM, steps: [subscribed, wait('day 4, 00:00')] },
  'withdraw from a reserve': {
    setup: TERM,
    steps: [step('day 0, 10:00', 'operator', 'withdraws 5 of the reserve')],
  },
  'withdraw a margin': {
    setup: ['plan: flexible; 7.3 %', ADA, ...ACME],
    steps: [
      step('day 0, 09:00', 'bob', 'keeps 3.65 %'),
      step('day 0, 10:00', 'ada', 'subscribes 1000'),
      wait('day 2, 09:00'),
      step('day 2, 10:00', 'operator', 'withdraws 0.05 of Acme'),
    ],
  },
};

/** Transfers that come with the event and are events of their own. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  pay: ['fund the reserve'],
  compound: ['fund the reserve'],
  'end a term': ['close a day', 'pay'],
};

type Pair = readonly [from: string, to: string];

function playScene({ setup, steps }: Scene): Pair[] {
  const venue = new EarnVenue(setup);
  for (const each of steps.slice(0, -1)) venue.step(each);
  const before = venue.transfers.length;
  venue.step(steps.at(-1)!);
  const named = (account: string): string => {
    const [owner, code] = account.split(': ') as [string, string];
    const kind = { plan: 'plan', venue: 'venue', Acme: 'enterprise' }[owner] ?? 'customer';
    return `${kind}: ${code}`;
  };
  return venue.transfers.slice(before).map(({ from, to }) => [named(from), named(to)]);
}

describe('the transfers of an event', () => {
  const documented = new Map<string, Pair[]>();
  let event = '';
  for (const [name, from, to] of tableNamed(document, 'transfers')) {
    if (name !== '') event = name!;
    documented.set(event, [...(documented.get(event) ?? []), [from!, to!]]);
  }

  test('the tables have all events', () => {
    expect([...documented.keys()]).toEqual(Object.keys(SCENES));
  });

  for (const [name, scene] of Object.entries(SCENES)) {
    test(name, () => {
      const beside = (BESIDE[name] ?? []).flatMap((other) => documented.get(other)!);
      const own = playScene(scene).filter(
        ([from, to]) => !beside.some((pair) => pair[0] === from && pair[1] === to),
      );
      expect(own).toEqual(documented.get(name)!);
    });
  }
});

/** The conditions of a subscription; each fault of the table changes some. */
interface World {
  readonly planType: 'flexible' | 'customized 10 to 100 days';
  readonly open: boolean;
  readonly hasBooster: boolean;
  readonly canRenew: boolean;
  readonly requiresKyc: boolean;
  readonly bounds: readonly [least: string, most: string];
  readonly capacity: string | null;
  readonly funds: string;
  readonly coins: string;
  readonly money: string;
  readonly lockDay: number;
  readonly autoRenew: boolean;
  readonly boosterAmount: string | null;
  readonly named: 'none' | 'unknown' | 'foreign' | 'otherPlan' | 'term' | 'gone';
}

const SOUND: World = {
  planType: 'customized 10 to 100 days',
  open: true,
  hasBooster: true,
  canRenew: true,
  requiresKyc: false,
  bounds: ['10', '10000'],
  capacity: null,
  funds: '5000',
  coins: '5000',
  money: '1000',
  lockDay: 30,
  autoRenew: false,
  boosterAmount: '1000',
  named: 'none',
};
const FLEXIBLE = { planType: 'flexible', hasBooster: false, lockDay: 0, canRenew: false } as const;

/** In the order of the table. */
const APPLY_FAULTS: readonly Partial<World>[] = [
  { open: false },
  { money: '0' },
  { lockDay: 0, planType: SOUND.planType },
  { autoRenew: true, canRenew: false },
  { named: 'unknown' },
  { named: 'foreign' },
  { named: 'otherPlan' },
  { named: 'term', planType: SOUND.planType },
  { named: 'gone', ...FLEXIBLE, boosterAmount: null },
  { boosterAmount: '0' },
  { ...FLEXIBLE, boosterAmount: '1000' },
  { hasBooster: false, boosterAmount: '1000', planType: SOUND.planType },
  { hasBooster: true, boosterAmount: '1' },
  { requiresKyc: true },
  { bounds: ['6000', '10000'] },
  { bounds: ['10', '100'] },
  { lockDay: 9 },
  { lockDay: 101 },
  { capacity: '500' },
  { funds: '500' },
  { coins: '500' },
];

/** Both faults together; null if one excludes the other. */
function bothOf(a: Partial<World>, b: Partial<World>): World | null {
  const isAtOdds = Object.entries(a).some(
    ([name, value]) => name in b && b[name as keyof World] !== value,
  );
  return isAtOdds ? null : { ...SOUND, ...a, ...b };
}

function applyIn(world: World): Reject | null {
  const { planType, hasBooster, money, lockDay, boosterAmount, autoRenew, named } = world;
  const booster = hasBooster ? '; booster 1 MMX for each USDT, 1 %' : '';
  const venue = new EarnVenue([
    `plan: ${planType}; 5 %${booster}; lock time 24 h`,
    'plan: flexible; 5 %',
    `ada: 3000 USDT, 3000 MMX`,
    'bob: 3000 USDT, 3000 MMX',
  ]);
  const days = planType === 'flexible' ? '' : ' for 30 days';
  const earlier: Readonly<Record<World['named'], readonly EarnStep[]>> = {
    none: [],
    unknown: [],
    foreign: [step('day 0, 01:00', 'bob', `subscribes 100${days}`)],
    otherPlan: [step('day 0, 01:00', 'ada', 'subscribes 100 in plan 2')],
    term: [step('day 0, 01:00', 'ada', `subscribes 100${days}`)],
    gone: [
      step('day 0, 01:00', 'ada', 'subscribes 100'),
      step('day 0, 02:00', 'ada', 'redeems 100'),
    ],
  };
  for (const each of earlier[named]) venue.step(each);
  arrange(venue, world);
  const outcome = venue.apply({
    type: 'subscribePlan',
    uid: 1,
    signature: null,
    idempotency: null,
    planId: 1,
    amount: toUnits(money),
    lockDay,
    autoRenew,
    boosterAmount: boosterAmount === null ? null : toUnits(boosterAmount),
    applyId: { none: 0, unknown: 77 }[named as 'none'] ?? 1,
  });
  return outcome.ok ? null : outcome.reject;
}

/** Gives the plan the terms of the world, and Ada the balances. */
function arrange(venue: EarnVenue, world: World): void {
  const { version: _, fromDay: __, ...now } = venue.state.earn.plans[1]!.versions[0]!;
  venue.must({
    type: 'amendPlan',
    planId: 1,
    ...now,
    userAmountMin: toUnits(world.bounds[0]),
    userAmountMax: toUnits(world.bounds[1]),
    poolCapacity: world.capacity === null ? null : toUnits(world.capacity),
    requiresKyc: world.requiresKyc,
    supportAutoRenew: world.canRenew,
    open: world.open,
  });
  for (const [assetId, wanted] of [world.funds, world.coins].entries()) {
    const has = venue.state.ledger.balanceOf(1, assetId, AccountCode.available);
    const difference = BigInt(toUnits(wanted)) - BigInt(has);
    venue.must({
      type: 'transferFunds',
      direction: difference > 0n ? 'credit' : 'debit',
      uid: 1,
      assetId,
      amount: amount(difference > 0n ? difference : -difference),
      reference: `arranged ${assetId}`,
    });
  }
}

/** The form of a row of the document. */
function shownAs({ name, field }: Reject): Cells {
  const { code, msg } = REJECTIONS[name];
  return [String(code), msg, field ?? '–'];
}

describe('the checks of plan/apply', () => {
  const rows = tableNamed(document, 'apply').map((row) => row.slice(0, 3));

  test('nothing is rejected where nothing is wrong', () => {
    expect(applyIn(SOUND)).toBeNull();
    expect(applyIn({ ...SOUND, ...FLEXIBLE, boosterAmount: null })).toBeNull();
  });

  test('each fault alone has its row', () => {
    const faults = APPLY_FAULTS.map((fault) => shownAs(applyIn({ ...SOUND, ...fault })!));
    expect(faults).toEqual(rows);
  });

  test('of two faults, the rejection names the one whose row comes first', () => {
    let pairs = 0;
    for (const [first, fault] of APPLY_FAULTS.entries()) {
      for (const [second, other] of APPLY_FAULTS.entries()) {
        const both = second > first ? bothOf(fault, other) : null;
        if (both === null) continue;
        pairs++;
        const told = shownAs(applyIn(both)!);
        expect({ first, second, told }).toEqual({ first, second, told: rows[first]! });
      }
    }
    expect(pairs).toBeGreaterThan(100);
  });
});

describe('the checks of apply/redeem', () => {
  const rows = tableNamed(document, 'redeem').map((row) => row.slice(0, 3));

  /** Ada holds a term as subscription 1; one of Bob's has only interest left. */
  function rejected(plan: string, uid: number, applyId: number, money: string): Cells {
    const venue = new EarnVenue([
      `plan: ${plan}`,
      'plan: flexible; 36.5 %; reserve 0',
      'ada: 1000 USDT',
      'bob: 1000 USDT',
    ]);
    venue.step(step('day 0, 10:00', 'ada', 'subscribes 100'));
    venue.step(step('day 0, 10:00', 'bob', 'subscribes 100 in plan 2'));
    venue.step(step('day 2, 10:00', 'bob', 'redeems 100 of subscription 2'));
    const outcome = venue.apply({
      type: 'redeemPlan',
      uid,
      signature: null,
      idempotency: null,
      applyId,
      amount: toUnits(money),
    });
    return outcome.ok ? [] : shownAs(outcome.reject);
  }

  test('come in the order of the table', () => {
    const open = 'fixed 30 days; 5 %; early redemption';
    const locked = 'fixed 30 days; 5 %';
    expect([
      // With an unknown subscription; with somebody else's that cannot be redeemed.
      rejected(open, 1, 77, '0'),
      rejected(open, 1, 77, '500'),
      rejected(locked, 2, 1, '500'),
      rejected(open, 2, 2, '500'),
      rejected(locked, 1, 1, '500'),
      rejected(open, 1, 1, '500'),
      rejected(open, 1, 1, '50'),
    ]).toEqual(rows);
    expect(rejected(open, 1, 1, '100')).toEqual([]);
  });
});

test('every error of the list has a row, and its msg', () => {
  const rows = ['apply', 'redeem', 'others'].flatMap((name) => tableNamed(document, name));
  for (const [code, msg] of rows)
    expect<unknown>([code, msg]).toEqual([code, LEGACY_MESSAGES[Number(code)]]);
  const known = new Set(rows.map(([code]) => code!));
  expect([...known].sort()).toEqual(Object.keys(LEGACY_MESSAGES));
});
