// When channels are open, and what a feed shows if both a stream and a call have answered.
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import type { Endpoint } from '../../src/sdk/streams.ts';
import { type Channel, type Emit, type FeedUpdates, rereadOn, updatesFrom } from './channel.ts';
import { ChannelManager } from './channel-manager.ts';

/** A channel whose messages come from the test. */
class Source {
  readonly channel: Channel<string>;
  emit: Emit<string> = () => {};
  /** Counts of all opened channels, and of those still open. */
  opened = 0;
  open = 0;
  fail: (error: Error) => void = () => {};

  constructor(name: string, endpoint: Endpoint) {
    this.channel = {
      name,
      endpoint,
      open: (_streams, emit) => {
        this.emit = emit;
        this.opened++;
        this.open++;
        const { promise, reject } = Promise.withResolvers<void>();
        this.fail = reject;
        return { done: promise, close: () => this.open-- };
      },
    };
  }
}

let manager: ChannelManager;
let shown: Record<string, unknown>;
let reread: string[];
let checks: number;
let frames: (() => void)[];

const frame = (): void => {
  for (const act of frames.splice(0)) act();
};
const follow = (feed: string, follows: FeedUpdates<string>) =>
  manager.follow(feed, follows as FeedUpdates<unknown>, {
    update(derive) {
      const next = derive(shown[feed]);
      if (next !== undefined) shown[feed] = next;
    },
    reread: () => reread.push(feed),
  });
const unchanged = (source: Source) => updatesFrom<string, string>(source.channel, (state) => state);

beforeEach(() => {
  jest.useFakeTimers();
  shown = {};
  reread = [];
  checks = 0;
  frames = [];
  manager = new ChannelManager({
    streams: new AgioClient({ url: 'http://127.0.0.1:1' }).streams,
    nextFrame: (act) => frames.push(act),
    checkSession: () => checks++,
  });
  for (const endpoint of ['public', 'orders', 'account'] as const) {
    manager.setConnectionState(endpoint, { state: 'live' });
  }
});

afterEach(() => {
  jest.useRealTimers();
});

describe('a feed', () => {
  test('shows the newest message, once a frame', () => {
    const source = new Source('a', 'public');
    follow('feed', unchanged(source));
    expect(manager.isLive('feed')).toBe(false);
    source.emit('one', 1);
    source.emit('two', 2);
    expect(shown).toEqual({});
    frame();
    expect(shown).toEqual({ feed: 'two' });
    expect(manager.isLive('feed')).toBe(true);
  });

  test('shows the newer one of an answer and the stream', () => {
    const source = new Source('a', 'public');
    follow('feed', unchanged(source));
    expect(manager.settle('feed', 'called', 3)).toBe('called');
    source.emit('streamed at 5', 5);
    expect(manager.settle('feed', 'called', 4)).toBe('streamed at 5');
    expect(manager.settle('feed', 'called', 5)).toBe('called');
    shown.feed = manager.settle('feed', 'called at 8', 8);
    source.emit('streamed at 7', 7);
    frame();
    expect(shown.feed).toBe('called at 8');
    source.emit('streamed at 8', 8);
    frame();
    expect(shown.feed).toBe('streamed at 8');
  });

  test('shows each answer while the connection is down', () => {
    const source = new Source('a', 'public');
    follow('feed', unchanged(source));
    source.emit('streamed', 9);
    manager.setConnectionState('public', { state: 'waiting', reason: 'gone', retryMs: 1 });
    expect(manager.isLive('feed')).toBe(false);
    expect(manager.settle('feed', 'of a restarted server', 2)).toBe('of a restarted server');
  });

  test('without derive is read again after each message but the first', () => {
    const source = new Source('a', 'orders');
    follow('history', rereadOn(source.channel));
    source.emit('snapshot', 1);
    source.emit('update', 2);
    source.emit('update', 3);
    jest.advanceTimersByTime(20);
    expect(reread).toEqual(['history']);
  });

  test('without derive is read again if its answer is older than the channel', () => {
    const source = new Source('a', 'orders');
    follow('history', rereadOn(source.channel));
    expect(manager.settle('history', 'before the snapshot', 4)).toBe('before the snapshot');
    source.emit('snapshot', 5);
    jest.advanceTimersByTime(20);
    expect(reread).toEqual(['history']);
    manager.settle('history', 'as new as the snapshot', 5);
    jest.advanceTimersByTime(20);
    expect(reread).toEqual(['history']);
  });

  test('without derive is read again if a message overtakes its answer', () => {
    const source = new Source('a', 'orders');
    follow('history', rereadOn(source.channel));
    source.emit('snapshot', 5);
    manager.settle('history', 'asked before the snapshot', 4);
    jest.advanceTimersByTime(20);
    expect(reread).toEqual(['history']);
  });
});

describe('a channel', () => {
  test('is shared by its feeds, and a later one gets its state', () => {
    const source = new Source('a', 'orders');
    follow('first', unchanged(source));
    source.emit('state', 1);
    follow('second', unchanged(source));
    expect(source.opened).toBe(1);
    expect(shown.second).toBe('state');
  });

  test('stays open for the next page', () => {
    const source = new Source('a', 'public');
    follow('feed', unchanged(source))();
    expect(source.open).toBe(1);
    follow('feed', unchanged(source));
    expect(source.opened).toBe(1);
  });

  test('that was rejected is not live', async () => {
    const source = new Source('a', 'account');
    follow('feed', unchanged(source));
    source.emit('state', 1);
    source.fail(new Error('refused'));
    await Promise.resolve();
    expect(manager.isLive('feed')).toBe(false);
    expect(source.open).toBe(0);
  });

  test('is closed in a hidden tab, and opened again', () => {
    const source = new Source('a', 'public');
    follow('feed', unchanged(source));
    manager.setAwake(false);
    expect(source.open).toBe(0);
    manager.setAwake(true);
    expect([source.open, source.opened]).toEqual([1, 2]);
  });
});

describe('a session', () => {
  test('that ends closes only the private channels', () => {
    const [own, market] = [new Source('own', 'account'), new Source('market', 'public')];
    const leave = follow('own', unchanged(own));
    follow('market', unchanged(market));
    own.emit('mine', 1);
    manager.reopenPrivate();
    leave();
    expect([own.open, market.open]).toEqual([0, 1]);
    expect(manager.isLive('own')).toBe(false);
    jest.advanceTimersByTime(300);
    expect(own.open).toBe(0);
  });

  test('that starts opens the private channels again', () => {
    const own = new Source('own', 'account');
    follow('own', unchanged(own));
    own.emit('of the previous user', 1);
    manager.reopenPrivate();
    frame();
    expect(shown).toEqual({});
    jest.advanceTimersByTime(300);
    expect(own.open).toBe(1);
  });

  test('is checked after a lost private connection, not after a public one', () => {
    const lost = { state: 'waiting', reason: 'closed with 1008', retryMs: 1 } as const;
    manager.setConnectionState('public', lost);
    expect(checks).toBe(0);
    manager.setConnectionState('orders', lost);
    expect(checks).toBe(1);
  });
});
