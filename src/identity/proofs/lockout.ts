// Makes guessing hopeless without letting a stranger lock the owner out. Four counts in a bounded
// memory; each sees what the others cannot:
//
// 1. (user, address range): after five failures this pair waits 30 seconds, twice as long after
//    each further failure, 15 minutes at most. Other networks do not notice. A guesser in one
//    network has about a hundred tries a day.
// 2. (user): a guesser with many networks has five tries in each. After more than twenty failures
//    in all, an attempt from an unknown network is delayed by up to two seconds and also needs an
//    email code (`needsEmailCode`). It is never rejected, and a known network needs only the
//    password, so the owner is not locked out.
// 3. (address range): a network that fails with many users waits a minute at most, since other
//    people may share it.
// 4. (user, known browser): a browser in which the user has logged in (known-devices.ts) has a
//    count of its own in place of the other three. Its neighbors in the network cannot make it
//    wait, and a stolen cookie has as many tries as one network.
//
// An attempt counts as failed from its beginning until it succeeds, so parallel attempts do not get
// around the counts. Counts decay, and a restart forgets them; the gateway's address limits still
// hold then. Known networks survive a restart (known-networks.ts).

import { DecayingCounter, ROUNDING } from '../decaying-counter.ts';
import { addressRange } from '../ip.ts';
import { type Denial, deny, type Result, success } from '../result.ts';

/**
 * The kind of proof; each has its own failures. `password` comes with an email address, which a
 * stranger can choose; `passwordAgain` comes from a logged-in user.
 */
export type Proof = 'password' | 'passwordAgain' | 'totp';

/** The field of the request that has the proof. */
const FIELD: Readonly<Record<Proof, string>> = {
  password: 'password',
  passwordAgain: 'password',
  totp: 'googleAuthCode',
};

/** An attempt in progress. The first call of `succeed`, `fail` or `withdraw` ends it. */
export interface Attempt {
  /** How long to wait before the proof is checked. */
  readonly delayMs: number;
  /** True if a right proof also needs an email code; without one, `withdraw`. */
  readonly needsEmailCode: boolean;
  /**
   * The proof was right, and the email code too where one was needed: the network is known now.
   */
  succeed(): void;
  /** The proof was wrong. */
  fail(): void;
  /** The proof was not checked: undoes the attempt. */
  withdraw(): void;
}

/** The networks where users have succeeded recently. `user` is a proof and a name, as one text. */
export interface Networks {
  isKnown(user: string, range: string): boolean;
  note(user: string, range: string): void;
}

const MINUTE = 60_000;
const PAIR = { free: 5, decayMs: 15 * MINUTE, firstWaitMs: 30_000, longestWaitMs: 15 * MINUTE };
const RANGE = { free: 50, decayMs: 20_000, firstWaitMs: 10_000, longestWaitMs: MINUTE };
const USER = { free: 20, decayMs: 3 * MINUTE, delayMs: 100, longestDelayMs: 2_000 };
/** About 30 MB when full, mostly of names. */
const MAX_COUNTS = 100_000;

/** The longest email address. */
const MAX_USER = 254;

type Waits = typeof PAIR;

export class Lockout {
  readonly #now: () => number;
  readonly #counts: DecayingCounter;
  readonly #networks: Networks;

  /** `now` is a steady clock, ms; `maxCounts` bounds the memory. */
  constructor(now: () => number, networks: Networks, maxCounts: number = MAX_COUNTS) {
    this.#now = now;
    this.#networks = networks;
    this.#counts = new DecayingCounter(now, maxCounts);
  }

  /** The number of counts in memory. */
  get size(): number {
    return this.#counts.size;
  }

  /** Forgets all counts, as a restart does. */
  reset(): void {
    this.#counts.clear();
  }

  /** True if this user has succeeded from this network recently; otherwise a login is news. */
  knows(proof: Proof, user: string, ip: string | null): boolean {
    return this.#networks.isKnown(nameOf(proof, user), addressRange(ip));
  }

  /** Makes a network known for a user who has proved in another way that they are there. */
  noteKnown(proof: Proof, user: string, ip: string | null): void {
    this.#networks.note(nameOf(proof, user), addressRange(ip));
  }

  /**
   * Begins an attempt. `user` is the typed email address, which may have no account, or `uid:7`
   * after the login; `device` is the name of a known browser. Rejection: tooManyAttempts.
   */
  begin(
    proof: Proof,
    user: string,
    ip: string | null,
    device: string | null = null,
  ): Result<Attempt> {
    const range = addressRange(ip);
    const noteNetwork = () => this.#networks.note(nameOf(proof, user), range);
    if (device !== null) {
      return this.#beginInKnownBrowser(proof, keyOf('device', proof, user, device), noteNetwork);
    }
    const ofPair = keyOf('pair', proof, user, range);
    const ofRange = keyOf('range', proof, range);
    const ofUser = keyOf('user', proof, user);
    const retryAfterMs = Math.max(this.#waitOf(ofPair, PAIR), this.#waitOf(ofRange, RANGE));
    if (retryAfterMs > 0) return tooManyAttempts(proof, retryAfterMs);
    const over = this.#counts.levelOf(ofUser, USER.decayMs) - USER.free;
    const suspicious = over >= 0 && !this.knows(proof, user, ip);
    const pair = this.#counts.add(ofPair, PAIR.decayMs);
    const takeBack = [
      this.#counts.add(ofRange, RANGE.decayMs),
      this.#counts.add(ofUser, USER.decayMs),
    ];
    const delayMs = Math.min(USER.longestDelayMs, USER.delayMs * (Math.floor(over) + 1));
    return success({
      delayMs: suspicious ? delayMs : 0,
      needsEmailCode: suspicious,
      ...once({
        // Only time lowers the other counts of range and user: a success in one account must not
        // erase the failures of the same network with others.
        succeed: () => {
          for (const undo of takeBack) undo();
          this.#counts.delete(ofPair);
          noteNetwork();
        },
        fail: () => {},
        withdraw: () => {
          for (const undo of [pair, ...takeBack]) undo();
        },
      }),
    });
  }

  /** An attempt in a known browser changes only the count of that browser. */
  #beginInKnownBrowser(proof: Proof, ofDevice: string, noteNetwork: () => void): Result<Attempt> {
    const retryAfterMs = this.#waitOf(ofDevice, PAIR);
    if (retryAfterMs > 0) return tooManyAttempts(proof, retryAfterMs);
    const withdraw = this.#counts.add(ofDevice, PAIR.decayMs);
    const succeed = () => {
      this.#counts.delete(ofDevice);
      noteNetwork();
    };
    const end = once({ succeed, fail: () => {}, withdraw });
    return success({ delayMs: 0, needsEmailCode: false, ...end });
  }

  /**
   * Each failure beyond the free ones doubles the wait, which begins with the last failure. The
   * level of that moment decides; a decay since then does not shorten the wait.
   */
  #waitOf(key: string, waits: Waits): number {
    const count = this.#counts.get(key);
    const level = Math.ceil((count?.level ?? 0) - ROUNDING);
    if (count === undefined || level < waits.free) return 0;
    const wait = Math.min(waits.longestWaitMs, waits.firstWaitMs * 2 ** (level - waits.free));
    return Math.max(0, wait - (this.#now() - count.at));
  }
}

/** A stranger chooses this text, and the memory is bounded in counts, not in bytes. */
const cut = (user: string): string => user.toLowerCase().slice(0, MAX_USER);

/** The name under which known networks are stored. */
const nameOf = (proof: Proof, user: string): string => `${proof}|${cut(user)}`;

/** The key of a count; JSON, so that no typed text can be the key of another count. */
const keyOf = (
  kind: 'pair' | 'range' | 'user' | 'device',
  proof: Proof,
  ...of: readonly string[]
): string => JSON.stringify([kind, proof, ...of.map(cut)]);

const tooManyAttempts = (proof: Proof, retryAfterMs: number): Denial =>
  deny('tooManyAttempts', FIELD[proof], {
    text: 'Too many failed attempts. Wait a little, then try again.',
    retryAfterMs,
  });

type AttemptEnd = Pick<Attempt, 'succeed' | 'fail' | 'withdraw'>;

/** Only the first call of the three has an effect. */
function once({ succeed, fail, withdraw }: AttemptEnd): AttemptEnd {
  let ended = false;
  const first = (end: () => void) => () => {
    if (ended) return;
    ended = true;
    end();
  };
  return { succeed: first(succeed), fail: first(fail), withdraw: first(withdraw) };
}
