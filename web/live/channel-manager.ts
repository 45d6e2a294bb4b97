// Opens a channel while a feed on the page follows it, and closes it a little later; a hidden tab
// closes all. It updates a feed once a frame at most, and never with a state that is older than its
// last answer.
import type { Endpoint, StreamState, Streams } from '../../src/sdk/index.ts';
import type { Channel, FeedUpdates, OpenChannel } from './channel.ts';

/** The cache of one feed. */
export interface FeedCache {
  /** Replaces the data; an undefined result changes nothing. */
  readonly update: (derive: (current: unknown) => unknown) => void;
  /** Reads the feed again. */
  readonly reread: () => void;
}

/** The page around the channels; replaced in tests. */
export interface Environment {
  readonly streams: Streams;
  /** Calls `act` before the next frame is drawn. */
  readonly nextFrame: (act: () => void) => void;
  /** A private connection was lost, so the session may have ended. */
  readonly checkSession: () => void;
}

/** A channel stays open this long, because the next page mostly needs the same ones. */
const LINGER_MS = 5_000;
/** A rejected channel is opened again after this time. */
const RETRY_MS = 15_000;
/** The time for old connections to close. */
const REOPEN_MS = 250;
const REREAD_MS = 1_000;

/** A feed that follows a channel. */
class Follower {
  readonly channel: SharedChannel;
  readonly #updates: FeedUpdates<unknown>;
  readonly #cache: FeedCache;
  readonly #nextFrame: Environment['nextFrame'];
  /** The components that show the feed. */
  users = 0;
  linger: ReturnType<typeof setTimeout> | undefined;
  /** The journal position of the last answer of a call; 0 if unknown. */
  #answered = 0;
  #scheduled = false;
  #lastRead = Number.NEGATIVE_INFINITY;

  constructor(
    channel: SharedChannel,
    updates: FeedUpdates<unknown>,
    cache: FeedCache,
    nextFrame: Environment['nextFrame'],
  ) {
    this.channel = channel;
    this.#updates = updates;
    this.#cache = cache;
    this.#nextFrame = nextFrame;
  }

  /** Called after each message; `isFirst` after the first one. */
  receive(isFirst: boolean): void {
    if (this.#scheduled) return;
    if (this.#updates.derive === undefined) {
      // The first message is a snapshot: a change before it may be missing in the last answer.
      if (!isFirst || this.#isAnswerOld()) this.#scheduleReread();
      return;
    }
    if (isFirst) this.#answered = 0;
    this.#scheduled = true;
    this.#nextFrame(() => {
      this.#scheduled = false;
      this.show();
    });
  }

  show(): void {
    const { latest } = this.channel;
    if (latest === null || latest.seq < this.#answered) return;
    this.#cache.update((current) => this.#updates.derive?.(latest.state, current));
  }

  #isAnswerOld(): boolean {
    const { latest } = this.channel;
    return latest !== null && this.#answered > 0 && this.#answered < latest.seq;
  }

  #scheduleReread(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const wait = Math.max(0, this.#lastRead + REREAD_MS - performance.now());
    setTimeout(() => {
      this.#scheduled = false;
      this.#lastRead = performance.now();
      this.#cache.reread();
    }, wait);
  }

  /** After a lost connection, because a restarted server may count from the start. */
  forgetAnswer(): void {
    this.#answered = 0;
  }

  /** The data to show after a call answered with the state at `seq`. */
  settle(answer: unknown, seq: number): unknown {
    const { latest, isLive } = this.channel;
    if (this.#updates.derive === undefined) {
      this.#answered = seq;
      // A message arrived while the call was on its way.
      if (this.#isAnswerOld()) this.#scheduleReread();
      return answer;
    }
    if (latest === null || !isLive) return answer;
    if (seq < latest.seq) return this.#updates.derive(latest.state, answer) ?? answer;
    this.#answered = seq;
    return answer;
  }
}

/** An open channel, shared by its followers. */
class SharedChannel {
  readonly followers = new Set<Follower>();
  readonly channel: Channel<unknown>;
  /** The state after the last message; null before the first. */
  latest: { readonly state: unknown; readonly seq: number } | null = null;
  readonly #manager: ChannelManager;
  #opened: OpenChannel | null = null;
  #reopening: ReturnType<typeof setTimeout> | undefined;

  constructor(channel: Channel<unknown>, manager: ChannelManager) {
    this.channel = channel;
    this.#manager = manager;
  }

  get isLive(): boolean {
    return this.latest !== null && this.#manager.isConnected(this.channel.endpoint);
  }

  open(): void {
    clearTimeout(this.#reopening);
    if (this.#opened !== null || !this.#manager.isAwake) return;
    const opened = this.channel.open(this.#manager.streams, (state, seq) => {
      const isFirst = this.latest === null;
      this.latest = { state, seq };
      for (const follower of this.followers) follower.receive(isFirst);
      if (isFirst) this.#manager.emitLiveness();
    });
    this.#opened = opened;
    const ended = (): void => {
      if (this.#opened !== opened) return;
      this.close();
      this.openIn(RETRY_MS);
    };
    opened.done.then(ended, ended);
  }

  /** Opens it later, if a component still shows it then. */
  openIn(ms: number): void {
    clearTimeout(this.#reopening);
    this.#reopening = setTimeout(() => {
      if ([...this.followers].some(({ users }) => users > 0)) this.open();
    }, ms);
  }

  close(): void {
    clearTimeout(this.#reopening);
    const opened = this.#opened;
    this.#opened = null;
    this.latest = null;
    opened?.close();
    this.#manager.emitLiveness();
  }
}

export class ChannelManager {
  readonly #environment: Environment;
  readonly #channels = new Map<string, SharedChannel>();
  readonly #followers = new Map<string, Follower>();
  readonly #connected = new Set<Endpoint>();
  readonly #watchers = new Set<() => void>();
  #isAwake = true;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get streams(): Streams {
    return this.#environment.streams;
  }
  /** True if the tab is in use. */
  get isAwake(): boolean {
    return this.#isAwake;
  }

  isConnected(endpoint: Endpoint): boolean {
    return this.#connected.has(endpoint);
  }

  /** True if a channel keeps the feed up to date at this moment. */
  isLive(feed: string): boolean {
    return this.#followers.get(feed)?.channel.isLive ?? false;
  }

  /** Calls `watcher` whenever `isLive` may have changed. Returns a function that ends it. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  emitLiveness(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Follows the feed's channel until the returned function is called. */
  follow(feed: string, updates: FeedUpdates<unknown>, cache: FeedCache): () => void {
    const follower = this.#followers.get(feed) ?? this.#addFollower(feed, updates, cache);
    clearTimeout(follower.linger);
    follower.users++;
    follower.channel.open();
    return () => {
      if (--follower.users > 0) return;
      follower.linger = setTimeout(() => this.#removeFollower(feed, follower), LINGER_MS);
    };
  }

  #addFollower(feed: string, updates: FeedUpdates<unknown>, cache: FeedCache): Follower {
    const { channel } = updates;
    let shared = this.#channels.get(channel.name);
    if (shared === undefined) {
      shared = new SharedChannel(channel, this);
      this.#channels.set(channel.name, shared);
    }
    const follower = new Follower(shared, updates, cache, this.#environment.nextFrame);
    this.#followers.set(feed, follower);
    shared.followers.add(follower);
    follower.show();
    return follower;
  }

  #removeFollower(feed: string, follower: Follower): void {
    const { channel: shared } = follower;
    this.#followers.delete(feed);
    shared.followers.delete(follower);
    if (shared.followers.size > 0) return;
    this.#channels.delete(shared.channel.name);
    shared.close();
  }

  /** The data of a feed after a call: the answer, or the channel's state if that is newer. */
  settle<T>(feed: string, answer: T, seq: number): T {
    const follower = this.#followers.get(feed);
    return follower === undefined ? answer : (follower.settle(answer, seq) as T);
  }

  setConnectionState(endpoint: Endpoint, { state }: StreamState): void {
    if (state === 'live') this.#connected.add(endpoint);
    else this.#disconnect(endpoint);
    this.emitLiveness();
    if (state === 'waiting' && endpoint !== 'public') this.#environment.checkSession();
  }

  #disconnect(endpoint: Endpoint): void {
    this.#connected.delete(endpoint);
    for (const follower of this.#followers.values()) {
      if (follower.channel.channel.endpoint === endpoint) follower.forgetAnswer();
    }
  }

  /** Closes the channels of the logged-in user. */
  closePrivate(): void {
    for (const shared of this.#private()) shared.close();
  }

  /** Reopens the private channels for the current session; public data is shown again. */
  reopenPrivate(): void {
    this.closePrivate();
    for (const shared of this.#private()) shared.openIn(REOPEN_MS);
    for (const follower of this.#followers.values()) follower.show();
  }

  #private(): SharedChannel[] {
    return [...this.#channels.values()].filter(({ channel }) => channel.endpoint !== 'public');
  }

  /** Closes all channels of a hidden tab, and opens them again. */
  setAwake(isAwake: boolean): void {
    if (isAwake === this.#isAwake) return;
    this.#isAwake = isAwake;
    for (const shared of this.#channels.values()) {
      if (isAwake) shared.open();
      else shared.close();
    }
  }
}
