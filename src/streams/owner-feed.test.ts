// What an account’s channels tell, batch by batch: each change once, on the channel that it belongs
// to.
import { expect, test } from 'bun:test';
import { Savings, UNIT_A_DAY } from '../../test/support/savings.ts';
import { type ChannelUpdate, isOwn, OwnerFeed } from './owner-feed.ts';

test('each batch tells its own changes, and none of those before it', () => {
  const savings = new Savings();
  const { state } = savings.exchange;
  const planId = savings.offer();
  savings.fund(planId, 1_000);
  const feed = new OwnerFeed(1);
  for (const channel of ['orders', 'balances', 'subscriptions', 'interest'] as const) {
    feed.begin(channel, state);
  }
  /** The channels that tell something of what was done, and how many rows each. */
  const told = (work: () => void): Record<string, number> => {
    const from = savings.log.length;
    work();
    expect(savings.log.length).toBe(from + 1);
    for (const event of savings.events) if (isOwn(event) && event.uid === 1) feed.receive(event);
    const rows = ({ data }: ChannelUpdate): number => JSON.parse(data).length;
    return Object.fromEntries(feed.flush(state).map((one) => [one.channel, rows(one)]));
  };
  expect(told(() => savings.subscribe(planId, 2 * UNIT_A_DAY))).toEqual({
    balances: 1,
    subscriptions: 1,
  });
  expect(told(() => savings.buy(1, 1, 1))).toEqual({ orders: 1, balances: 1 });
  expect(told(() => savings.buy(1, 2, 1))).toEqual({ orders: 1, balances: 1 });
  savings.passMidnight(2);
  expect(told(() => savings.must({ type: 'runTimers' }))).toEqual({
    balances: 1,
    subscriptions: 1,
    interest: 1,
  });
  expect(told(() => savings.cancel(1, 1))).toEqual({ orders: 1, balances: 1 });
  expect(told(() => savings.addUser())).toEqual({});
});
