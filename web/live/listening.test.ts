// When channels are open, and what a feed shows where a stream and a call have both told something.
import { beforeEach, describe, expect, test } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import type { Endpoint } from '../../src/sdk/streams.ts';
import { type Channel, type News, news, readAgainOn, type Tell } from './channel.ts';
import { Listening } from './listening.ts';

/** A channel whose messages the test makes. */
class Source {
  readonly channel: Channel<string>;
  tell: Tell<string> = () => {};
  /** How often it was opened, and how many are open. */
  opened = 0;
  open = 0;
  fail: (error: Error) => void = () => {};

  constructor(name: string, endpoint: Endpoint) {
    this.channel = {
      name,
      endpoint,
      listen: (_streams, tell) => {
        this.tell = tell;
        this.opened++;
        this.open++;
        const { promise, reject } = Promise.withResolvers<void>();
        this.fail = reject;
        return { done: promise, close: () => this.open-- };
      },
    };
  }
}

let listening: Listening;
let shown: Record<string, unknown>;
let readAgain: string[];
let doubts: number;
let frames: (() => void)[];

const frame = (): void => {
  for (const act of frames.splice(0)) act();
};
const follow = (feed: string, follows: News<string>) =>
  listening.follow(feed, follows as News<unknown>, {
    write(update) {
      const next = update(shown[feed]);
      if (next !== undefined) shown[feed] = next;
    },
    readAgain: () => readAgain.push(feed),
  });
const asItIs = (source: Source) => news<string, string>(source.channel, (state) => state);

beforeEach(() => {
  shown = {};
  readAgain = [];
  doubts = 0;
  frames = [];
  listening = new Listening({
    streams: new AgioClient({ url: 'http://127.0.0.1:1' }).streams,
    nextFrame: (act) => frames.push(act),
    onDoubt: () => doubts++,
  });
  for (const endpoint of ['public', 'orders', 'account'] as const) {
    listening.noteState(endpoint, { state: 'live' });
  }
});

describe('what is shown', () => {
  test('is the newest message, once a frame', () => {
    const source = new Source('a', 'public');
    follow('feed', asItIs(source));
    expect(listening.isLive('feed')).toBe(false);
    source.tell('one', 1);
    source.tell('two', 2);
    expect(shown).toEqual({});
    frame();
    expect(shown).toEqual({ feed: 'two' });
    expect(listening.isLive('feed')).toBe(true);
  });

  test('an answer that is older than the stream gives way; a newer one is shown until the stream is there', () => {
    const source = new Source('a', 'public');
    follow('feed', asItIs(source));
    expect(listening.settle('feed', 'called', 3)).toBe('called');
    source.tell('streamed at 5', 5);
    expect(listening.settle('feed', 'called', 4)).toBe('streamed at 5');
    expect(listening.settle('feed', 'called', 5)).toBe('called');
    shown.feed = listening.settle('feed', 'called at 8', 8);
    source.tell('streamed at 7', 7);
    frame();
    expect(shown.feed).toBe('called at 8');
    source.tell('streamed at 8', 8);
    frame();
    expect(shown.feed).toBe('streamed at 8');
  });

  test('while the connection is down, an answer is the news', () => {
    const source = new Source('a', 'public');
    follow('feed', asItIs(source));
    source.tell('streamed', 9);
    listening.noteState('public', { state: 'waiting', reason: 'gone', retryMs: 1 });
    expect(listening.isLive('feed')).toBe(false);
    expect(listening.settle('feed', 'of a server that began anew', 2)).toBe(
      'of a server that began anew',
    );
  });

  test('a feed that the channel knows nothing of is read again, not for the first message', async () => {
    const source = new Source('a', 'orders');
    follow('history', readAgainOn(source.channel));
    source.tell('snapshot', 1);
    source.tell('update', 2);
    source.tell('update', 3);
    await Bun.sleep(20);
    expect(readAgain).toEqual(['history']);
  });
});

describe('a channel', () => {
  test('is one for all feeds that follow it, and knows what a later one has to show', () => {
    const source = new Source('a', 'orders');
    follow('first', asItIs(source));
    source.tell('state', 1);
    follow('second', asItIs(source));
    expect(source.opened).toBe(1);
    expect(shown.second).toBe('state');
  });

  test('stays a little when its page is left, so that the next page finds it', () => {
    const source = new Source('a', 'public');
    follow('feed', asItIs(source))();
    expect(source.open).toBe(1);
    follow('feed', asItIs(source));
    expect(source.opened).toBe(1);
  });

  test('that was refused is not live', async () => {
    const source = new Source('a', 'account');
    follow('feed', asItIs(source));
    source.tell('state', 1);
    source.fail(new Error('refused'));
    await Bun.sleep(0);
    expect(listening.isLive('feed')).toBe(false);
    expect(source.open).toBe(0);
  });

  test('is let go of in a tab that nobody looks at, and begun anew', () => {
    const source = new Source('a', 'public');
    follow('feed', asItIs(source));
    listening.setAwake(false);
    expect(source.open).toBe(0);
    listening.setAwake(true);
    expect([source.open, source.opened]).toEqual([1, 2]);
  });
});

describe('a person', () => {
  test('who leaves hears nothing more, and what is public goes on', async () => {
    const [own, market] = [new Source('own', 'account'), new Source('market', 'public')];
    const leave = follow('own', asItIs(own));
    follow('market', asItIs(market));
    own.tell('mine', 1);
    listening.beginAnew();
    leave();
    expect([own.open, market.open]).toEqual([0, 1]);
    expect(listening.isLive('own')).toBe(false);
    await Bun.sleep(300);
    expect(own.open).toBe(0);
  });

  test('who comes is listened for anew', async () => {
    const own = new Source('own', 'account');
    follow('own', asItIs(own));
    own.tell('of the one before', 1);
    listening.beginAnew();
    frame();
    expect(shown).toEqual({});
    await Bun.sleep(300);
    expect(own.open).toBe(1);
  });

  test('whose connection is lost is doubted; nobody is for what is public', () => {
    const lost = { state: 'waiting', reason: 'closed with 1008', retryMs: 1 } as const;
    listening.noteState('public', lost);
    expect(doubts).toBe(0);
    listening.noteState('orders', lost);
    expect(doubts).toBe(1);
  });
});
