// The channels that this page listens to, while a feed on it needs them. A channel is opened with the first feed that follows it
// and closed a little after the last one is gone; in a tab that nobody has looked at for a while none is open. News go to the
// cache of the feeds, at most once a frame, and never behind what a call has answered meanwhile.
import type { Endpoint, StreamState, Streams } from '../../src/sdk/index.ts';
import type { Channel, Listened, News } from './channel.ts';

/** Of one feed: where its news go. */
export interface Place {
  /** Replaces what is shown; what is undefined changes nothing. */
  readonly write: (update: (shown: unknown) => unknown) => void;
  /** Reads the feed again. */
  readonly readAgain: () => void;
}

/** What the page is to the listening; replaced in tests. */
export interface Surroundings {
  readonly streams: Streams;
  /** Calls `act` before the next frame is drawn. */
  readonly nextFrame: (act: () => void) => void;
  /** The server says that the login has ended, or the connection of a login is gone: who is it? */
  readonly onDoubt: () => void;
}

/** Pages that follow each other mostly need the same. */
const LINGER_MS = 5_000;
/** A channel that was refused is tried again. */
const AGAIN_MS = 15_000;
/** While old connections are taken down. */
const REOPEN_MS = 250;
const READ_AGAIN_MS = 1_000;

/** A feed that follows a channel. */
class Follower {
  readonly channel: Tuned;
  readonly #follows: News<unknown>;
  readonly #place: Place;
  readonly #nextFrame: Surroundings['nextFrame'];
  /** Components that show it. */
  users = 0;
  linger: ReturnType<typeof setTimeout> | undefined;
  /** The place in the journal of what is shown, where a call has answered it. */
  #answered = 0;
  #scheduled = false;
  #lastRead = Number.NEGATIVE_INFINITY;

  constructor(channel: Tuned, follows: News<unknown>, place: Place, surroundings: Surroundings) {
    this.channel = channel;
    this.#follows = follows;
    this.#place = place;
    this.#nextFrame = surroundings.nextFrame;
  }

  /** `began`: nothing was known before. */
  receive(began: boolean): void {
    if (this.#scheduled) return;
    if (this.#follows.show === undefined) {
      if (!began) this.#readSoon();
      return;
    }
    if (began) this.#answered = 0;
    this.#scheduled = true;
    this.#nextFrame(() => {
      this.#scheduled = false;
      this.showNow();
    });
  }

  showNow(): void {
    const { known } = this.channel;
    if (known === null || known.seq < this.#answered) return;
    this.#place.write((shown) => this.#follows.show?.(known.state, shown));
  }

  #readSoon(): void {
    this.#scheduled = true;
    const wait = Math.max(0, this.#lastRead + READ_AGAIN_MS - performance.now());
    setTimeout(() => {
      this.#scheduled = false;
      this.#lastRead = performance.now();
      this.#place.readAgain();
    }, wait);
  }

  /** The connection is gone; a server that began anew counts from the start. */
  forgetAnswers(): void {
    this.#answered = 0;
  }

  /** What is shown after a call has answered `answer`, the state at `seq`. */
  settle(answer: unknown, seq: number): unknown {
    const { known } = this.channel;
    if (known === null || !this.channel.live) return answer;
    if (seq < known.seq) return this.#follows.show?.(known.state, answer) ?? answer;
    this.#answered = seq;
    return answer;
  }
}

/** A channel that is listened to, for all its followers. */
class Tuned {
  readonly followers = new Set<Follower>();
  readonly channel: Channel<unknown>;
  /** What the last message left; null before the first. */
  known: { readonly state: unknown; readonly seq: number } | null = null;
  readonly #listening: Listening;
  #listened: Listened | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(channel: Channel<unknown>, listening: Listening) {
    this.channel = channel;
    this.#listening = listening;
  }

  get live(): boolean {
    return this.known !== null && this.#listening.isUp(this.channel.endpoint);
  }

  open(): void {
    clearTimeout(this.#again);
    if (this.#listened !== null || !this.#listening.awake) return;
    const listened = this.channel.listen(this.#listening.streams, (state, seq) => {
      const began = this.known === null;
      this.known = { state, seq };
      for (const follower of this.followers) follower.receive(began);
      if (began) this.#listening.tellLiveness();
    });
    this.#listened = listened;
    const ended = (): void => {
      if (this.#listened !== listened) return;
      this.close();
      this.openIn(AGAIN_MS);
    };
    listened.done.then(ended, ended);
  }

  /** Opens it later, if it is still on the page then. */
  openIn(ms: number): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      if ([...this.followers].some(({ users }) => users > 0)) this.open();
    }, ms);
  }

  close(): void {
    clearTimeout(this.#again);
    const listened = this.#listened;
    this.#listened = null;
    this.known = null;
    listened?.close();
    this.#listening.tellLiveness();
  }
}

export class Listening {
  readonly #surroundings: Surroundings;
  readonly #channels = new Map<string, Tuned>();
  readonly #followers = new Map<string, Follower>();
  readonly #up = new Set<Endpoint>();
  readonly #watchers = new Set<() => void>();
  #awake = true;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  get streams(): Streams {
    return this.#surroundings.streams;
  }
  /** Whether somebody looks at the page. */
  get awake(): boolean {
    return this.#awake;
  }

  isUp(endpoint: Endpoint): boolean {
    return this.#up.has(endpoint);
  }

  /** Whether the news of a feed come by themselves just now. */
  isLive(feed: string): boolean {
    return this.#followers.get(feed)?.channel.live ?? false;
  }

  /** Calls `watcher` whenever `isLive` of any feed may have changed; returns what ends that. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  tellLiveness(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** The feed is on the page until the returned function is called. */
  follow(feed: string, follows: News<unknown>, place: Place): () => void {
    const follower = this.#followers.get(feed) ?? this.#begin(feed, follows, place);
    clearTimeout(follower.linger);
    follower.users++;
    follower.channel.open();
    return () => {
      if (--follower.users > 0) return;
      follower.linger = setTimeout(() => this.#end(feed, follower), LINGER_MS);
    };
  }

  #begin(feed: string, follows: News<unknown>, place: Place): Follower {
    const { channel } = follows;
    let tuned = this.#channels.get(channel.name);
    if (tuned === undefined) {
      tuned = new Tuned(channel, this);
      this.#channels.set(channel.name, tuned);
    }
    const follower = new Follower(tuned, follows, place, this.#surroundings);
    this.#followers.set(feed, follower);
    tuned.followers.add(follower);
    follower.showNow();
    return follower;
  }

  #end(feed: string, follower: Follower): void {
    const { channel: tuned } = follower;
    this.#followers.delete(feed);
    tuned.followers.delete(follower);
    if (tuned.followers.size > 0) return;
    this.#channels.delete(tuned.channel.name);
    tuned.close();
  }

  /** What a feed shows after a call has answered: the answer, or what came later by the stream. */
  settle<T>(feed: string, answer: T, seq: number): T {
    const follower = this.#followers.get(feed);
    return follower === undefined ? answer : (follower.settle(answer, seq) as T);
  }

  noteState(endpoint: Endpoint, { state }: StreamState): void {
    if (state === 'live') this.#up.add(endpoint);
    else this.#lose(endpoint);
    this.tellLiveness();
    if (state === 'waiting' && endpoint !== 'public') this.#surroundings.onDoubt();
  }

  #lose(endpoint: Endpoint): void {
    this.#up.delete(endpoint);
    for (const follower of this.#followers.values()) {
      if (follower.channel.channel.endpoint === endpoint) follower.forgetAnswers();
    }
  }

  /** Nothing of who is logged in comes any more. */
  hangUp(): void {
    for (const tuned of this.#private()) tuned.close();
  }

  /** For who is logged in now, it begins anew; what everybody may know is shown again. */
  beginAnew(): void {
    this.hangUp();
    for (const tuned of this.#private()) tuned.openIn(REOPEN_MS);
    for (const follower of this.#followers.values()) follower.showNow();
  }

  #private(): Tuned[] {
    return [...this.#channels.values()].filter(({ channel }) => channel.endpoint !== 'public');
  }

  /** Lets go of everything, and takes it up again. */
  setAwake(awake: boolean): void {
    if (awake === this.#awake) return;
    this.#awake = awake;
    for (const tuned of this.#channels.values()) {
      if (awake) tuned.open();
      else tuned.close();
    }
  }
}
