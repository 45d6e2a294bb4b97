// The updates of an account’s channels, batch by batch: each change once, on its channel.
import { expect, test } from 'bun:test';
import { Savings, UNIT_A_DAY } from '../../test/support/savings.ts';
import { Venue } from '../../test/support/venue.ts';
import type { State } from '../core/state.ts';
import { MESSAGE_ROWS } from './limits.ts';
import { type ChannelUpdate, isOwn, OwnerFeed } from './owner-feed.ts';

function messagesOf(feed: OwnerFeed, state: State): ChannelUpdate[] {
  const messages: ChannelUpdate[] = [];
  for (let next = feed.next(state); next !== null; next = feed.next(state)) messages.push(next);
  expect(feed.waiting).toBe(0);
  return messages;
}

const rowsOf = ({ data }: ChannelUpdate): { execId: number }[] => JSON.parse(data);

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
    for (const event of savings.events) {
      if (isOwn(event) && event.uid === 1) feed.receive(event, state.seq);
    }
    const updates = messagesOf(feed, state);
    for (const { seq } of updates) expect(seq).toBe(state.seq);
    return Object.fromEntries(updates.map((one) => [one.channel, rowsOf(one).length]));
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

test('a message has a bounded number of rows, and all changes up to its seq are sent', () => {
  const venue = new Venue();
  const { state } = venue.exchange;
  const feed = new OwnerFeed(1);
  feed.begin('orders', state);
  const execIds: number[] = [];
  const receive = (): void => {
    for (const event of venue.events) {
      if (!isOwn(event) || event.uid !== 1 || event.type !== 'executionReport') continue;
      feed.receive(event, venue.seq);
      execIds.push(event.execId);
    }
  };
  const fills = 2 * MESSAGE_ROWS + 9;
  for (let i = 0; i < fills; i++) venue.sell(2, 100, 1);
  venue.buy(1, 50, 1);
  receive();
  const first = venue.seq;
  venue.buy(1, 100, fills);
  receive();
  const large = venue.seq;
  for (let i = 0; i < 2; i++) {
    venue.buy(1, 60, 1);
    receive();
  }
  expect(feed.sentSeq(venue.seq)).toBe(first - 1);
  const messages = messagesOf(feed, state);
  expect(messages.flatMap(rowsOf).map(({ execId }) => execId)).toEqual(execIds);
  expect(messages.map((message) => [rowsOf(message).length, message.seq])).toEqual([
    [1, large - 1],
    [MESSAGE_ROWS, large - 1],
    [MESSAGE_ROWS, large - 1],
    [execIds.length - 2 * MESSAGE_ROWS - 1, venue.seq],
  ]);
  expect(feed.sentSeq(venue.seq)).toBe(venue.seq);
});

test('subscriptions and their interest come in such messages too', () => {
  const savings = new Savings();
  const { state } = savings.exchange;
  for (let i = 0; i <= MESSAGE_ROWS; i++) {
    const planId = savings.offer();
    savings.fund(planId, 1_000);
    savings.subscribe(planId, 2 * UNIT_A_DAY);
  }
  const feed = new OwnerFeed(1);
  for (const channel of ['subscriptions', 'interest'] as const) feed.begin(channel, state);
  savings.passMidnight(2);
  savings.must({ type: 'runTimers' });
  for (const event of savings.events) {
    if (isOwn(event) && event.uid === 1) feed.receive(event, state.seq);
  }
  const found = messagesOf(feed, state).map((one) => [one.channel, rowsOf(one).length, one.seq]);
  expect(found).toEqual(
    (['interest', 'subscriptions'] as const).flatMap((channel) => [
      [channel, MESSAGE_ROWS, state.seq - 1],
      [channel, 1, state.seq],
    ]),
  );
});
