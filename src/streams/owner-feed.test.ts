// The updates of an account’s channels, batch by batch: each change once, on its channel.
import { expect, test } from 'bun:test';
import { Savings, UNIT_A_DAY } from '../../test/support/savings.ts';
import { type ChannelUpdate, isOwn, OwnerFeed } from './owner-feed.ts';

test('each batch has its own changes, and none of earlier ones', () => {
  const savings = new Savings();
  const { state } = savings.exchange;
  const planId = savings.offer();
  savings.fund(planId, 1_000);
  const feed = new OwnerFeed(1);
  for (const channel of ['orders', 'balances', 'subscriptions', 'interest'] as const) {
    feed.begin(channel, state);
  }
  /** The channels that changed, with the number of rows. */
  const changes = (work: () => void): Record<string, number> => {
    const from = savings.log.length;
    work();
    expect(savings.log.length).toBe(from + 1);
    for (const event of savings.events) if (isOwn(event) && event.uid === 1) feed.receive(event);
    const rows = ({ data }: ChannelUpdate): number => JSON.parse(data).length;
    return Object.fromEntries(feed.flush(state).map((one) => [one.channel, rows(one)]));
  };
  expect(changes(() => savings.subscribe(planId, 2 * UNIT_A_DAY))).toEqual({
    balances: 1,
    subscriptions: 1,
  });
  expect(changes(() => savings.buy(1, 1, 1))).toEqual({ orders: 1, balances: 1 });
  expect(changes(() => savings.buy(1, 2, 1))).toEqual({ orders: 1, balances: 1 });
  savings.passMidnight(2);
  expect(changes(() => savings.must({ type: 'runTimers' }))).toEqual({
    balances: 1,
    subscriptions: 1,
    interest: 1,
  });
  expect(changes(() => savings.cancel(1, 1))).toEqual({ orders: 1, balances: 1 });
  expect(changes(() => savings.addUser())).toEqual({});
});
