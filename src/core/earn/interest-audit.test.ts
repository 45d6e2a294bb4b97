// The audit of interest accepts what the core tells, and refuses any history in which a day was
// lost, doubled or changed.
import { describe, expect, test } from 'bun:test';
import { InvariantError } from '../assert.ts';
import { DAY_MS } from '../calendar.ts';
import type { CoreEvent, InterestAccrued } from '../event.ts';
import { Exchange } from '../exchange.ts';
import { amount } from '../units.ts';
import { InterestAudit } from './interest-audit.ts';
import { PlanType } from './plan.ts';

const START = Date.UTC(2026, 0, 1, 9);
const unsigned = { uid: 1, signature: null, idempotency: null } as const;
const TERMS = {
  planName: 'Fixed',
  minRate: 7_300_000,
  maxRate: 7_300_000,
  userAmountMin: amount(1),
  userAmountMax: amount(10n ** 20n),
  poolCapacity: null,
  redeemLockHours: 0,
  supportEarlyRedemption: true,
  supportAutoRenew: true,
  requiresKyc: false,
  label: '',
  booster: null,
  open: true,
} as const;
const FIXED = {
  planType: PlanType.fixed,
  assetId: 0,
  minLockDay: 10,
  maxLockDay: 10,
  rewardFrequency: 3,
  autoCompound: false,
} as const;

/** Thirty-five days of a fixed subscription that renews, redeemed early in its fourth term. */
function history(): { exchange: Exchange; events: CoreEvent[] } {
  const exchange = new Exchange();
  const events: CoreEvent[] = [];
  let time = START;
  const send = (command: Parameters<Exchange['apply']>[2]): void => {
    const outcome = exchange.apply(exchange.state.seq + 1, time, command);
    expect(outcome.ok).toBe(true);
    events.push(...exchange.events);
  };
  const funds = { direction: 'credit', uid: 1, assetId: 0, amount: amount(10n ** 15n) } as const;
  send({ type: 'createAsset', asset: 'USDT', scale: 8, fiat: false });
  send({ type: 'createUser', kyc: false });
  send({ type: 'transferFunds', ...funds, reference: 'a' });
  send({ type: 'createPlan', ...FIXED, ...TERMS });
  send({ type: 'fundReserve', planId: 1, amount: amount(10n ** 15n), reference: 'b' });
  const apply = { planId: 1, lockDay: 0, autoRenew: true, boosterAmount: null, applyId: 0 };
  send({ type: 'subscribePlan', ...unsigned, ...apply, amount: amount(1_234_567_891) });
  for (let day = 0; day < 35; day++) {
    time += DAY_MS;
    while (exchange.nextTimer <= time) send({ type: 'runTimers' });
  }
  send({ type: 'redeemPlan', ...unsigned, applyId: 1, amount: amount(1_234_567_891) });
  return { exchange, events };
}

function audit(events: readonly CoreEvent[], exchange: Exchange): InterestAudit {
  const found = new InterestAudit();
  found.see(events);
  found.finish(exchange.state);
  return found;
}

const isEntry = (event: CoreEvent): event is InterestAccrued => event.type === 'interestAccrued';

describe('the audit of interest', () => {
  test('accepts every term of a renewed and early redeemed subscription', () => {
    const { exchange, events } = history();
    const { entries, subscriptions } = audit(events, exchange);
    expect({ entries, subscriptions }).toEqual({ entries: 34, subscriptions: 1 });
  });

  test.each<[string, (entries: InterestAccrued[]) => CoreEvent[]]>([
    ['a lost day', (entries) => entries.filter((_, i) => i !== 12)],
    [
      'a doubled day',
      (entries) => entries.flatMap((entry, i) => (i === 12 ? [entry, entry] : [entry])),
    ],
    [
      'a unit too much',
      (entries) =>
        entries.map((entry, i) =>
          i === 12 ? { ...entry, interest: amount(BigInt(entry.interest) + 1n) } : entry,
        ),
    ],
    [
      'a unit moved to the next day',
      (entries) =>
        entries.map((entry, i) => {
          const moved = i === 12 ? -1n : i === 13 ? 1n : 0n;
          return { ...entry, interest: amount(BigInt(entry.interest) + moved) };
        }),
    ],
  ])('refuses %s', (_, change) => {
    const { exchange, events } = history();
    const changed = change(events.filter(isEntry));
    const others = events.filter((event) => !isEntry(event));
    // In their places: what is told of the subscription comes between the days.
    const first = others.findIndex((event) => event.type === 'subscriptionChanged');
    const byTime = [...others.slice(first + 1), ...changed].sort(
      (a, b) => a.transactTime - b.transactTime || Number(isEntry(b)) - Number(isEntry(a)),
    );
    expect(() => audit([...others.slice(0, first + 1), ...byTime], exchange)).toThrow(
      InvariantError,
    );
  });
});
