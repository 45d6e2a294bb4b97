// Guessing is made hopeless without giving anyone the means to lock an owner out.
//
// Four counts, each for what the others cannot see, in a bounded memory:
//
// 1. (user, address range): after five failures the pair waits, 30 seconds first, twice as long
//    after each further one (less what has faded), 15 minutes at most. Only the pair: other networks do
//    not notice. Guessing from one network has about a hundred tries a day.
// 2. (user): a guesser with many networks has five tries in each. When a user has had more than
//    twenty failures from everywhere, an attempt from a network where this user has not succeeded
//    before is delayed, up to two seconds, and needs an e-mail code as well (`needsEmailCode`). It
//    is never refused: the right password with that code gets in, and so does the right password
//    alone from a network that is known. So guessing from many networks gains nothing without the
//    mailbox, and the owner is not locked out.
// 3. (address range): one network that fails with many users (one password tried on everybody)
//    waits, a minute at most, since other people may share it.
// 4. (user, known browser): a browser in which the user has logged in (known-devices.ts) has a count
//    of its own in place of the three others. Neighbors in its network cannot make it wait, and a stolen
//    cookie has as many tries as one network.
//
// An attempt counts as failed from when it begins until it is known to have succeeded, so that a
// thousand at once are no way around the counts. Counts fade with time. They are in memory only: a
// restart forgets them, and the address limits of the gateway hold whatever is here. Networks where a
// user has succeeded are remembered across restarts (known-networks.ts). When the
// memory is full the count that changed longest ago is forgotten; to push one out takes as many
// failures as the memory has places, each of which costs a password hash or a right password.
import { addressRange } from '../address-range.ts';
import { DecayingCounter, ROUNDING } from '../decaying-counter.ts';

/**
 * What is being proved. Failures of one do not count for another: `password` is typed with an address, which a stranger
 * chooses, and `passwordAgain` by somebody who has logged in.
 */
export type Proof = 'password' | 'passwordAgain' | 'totp';

/** An attempt that may go on. Exactly one of `succeed`, `fail` and `withdraw` ends it. */
export interface Attempt {
  readonly ok: true;
  /** Wait this long before the proof is looked at. */
  readonly delayMs: number;
  /** Ask for an e-mail code as well, once the proof is found right; without one, `withdraw`. */
  readonly needsEmailCode: boolean;
  /** The proof was right, and so was the e-mail code if one was needed: the network is known now. */
  succeed(): void;
  /** The proof was wrong. */
  fail(): void;
  /** The proof was not looked at, for want of capacity: as if the attempt had not been. */
  withdraw(): void;
}

export interface Waiting {
  readonly ok: false;
  readonly retryAfterMs: number;
}

/** Where users have succeeded lately. `user` is a proof and a name, as one text. */
export interface Networks {
  isKnown(user: string, range: string): boolean;
  note(user: string, range: string): void;
}

const MINUTE = 60_000;
const PAIR = { free: 5, fadeMs: 15 * MINUTE, firstWaitMs: 30_000, longestWaitMs: 15 * MINUTE };
const RANGE = { free: 50, fadeMs: 20_000, firstWaitMs: 10_000, longestWaitMs: MINUTE };
const USER = { free: 20, fadeMs: 3 * MINUTE, delayMs: 100, longestDelayMs: 2_000 };
/** About 30 MB when full, mostly of names. */
const MAX_COUNTS = 100_000;

/** The longest e-mail address. */
const MAX_USER = 254;

type Waits = typeof PAIR;

export class Lockout {
  readonly #now: () => number;
  readonly #counts: DecayingCounter;
  readonly #networks: Networks;

  /** `now` is the wall clock, ms; `maxCounts` bounds the memory. */
  constructor(now: () => number, networks: Networks, maxCounts: number = MAX_COUNTS) {
    this.#now = now;
    this.#networks = networks;
    this.#counts = new DecayingCounter(now, maxCounts);
  }

  /** Counts that are held now, at most the bound. */
  get size(): number {
    return this.#counts.size;
  }

  /** Whether this user has succeeded from this network lately: else a login is news to its owner. */
  knows(proof: Proof, user: string, ip: string | null): boolean {
    return this.#networks.isKnown(nameOf(proof, user), addressRange(ip));
  }

  /** Makes a network known to a user who has shown otherwise that they are there. */
  noteKnown(proof: Proof, user: string, ip: string | null): void {
    this.#networks.note(nameOf(proof, user), addressRange(ip));
  }

  /**
   * Begins an attempt, or says how long this caller has to wait. `user` is the e-mail address that
   * was typed (also one that nobody has: the answer must not differ) or `uid:7` after the login;
   * `device` is the name of one of the user's known browsers.
   */
  begin(
    proof: Proof,
    user: string,
    ip: string | null,
    device: string | null = null,
  ): Attempt | Waiting {
    const range = addressRange(ip);
    if (device !== null)
      return this.#beginKnown(keyOf('device', proof, user, device), () =>
        this.#networks.note(nameOf(proof, user), range),
      );
    const ofPair = keyOf('pair', proof, user, range);
    const ofRange = keyOf('range', proof, range);
    const ofUser = keyOf('user', proof, user);
    const retryAfterMs = Math.max(this.#waitOf(ofPair, PAIR), this.#waitOf(ofRange, RANGE));
    if (retryAfterMs > 0) return { ok: false, retryAfterMs };
    const over = this.#counts.levelOf(ofUser, USER.fadeMs) - USER.free;
    const suspicious = over >= 0 && !this.knows(proof, user, ip);
    const pair = this.#counts.add(ofPair, PAIR.fadeMs);
    const takeBack = [
      this.#counts.add(ofRange, RANGE.fadeMs),
      this.#counts.add(ofUser, USER.fadeMs),
    ];
    return {
      ok: true,
      delayMs: suspicious
        ? Math.min(USER.longestDelayMs, USER.delayMs * (Math.floor(over) + 1))
        : 0,
      needsEmailCode: suspicious,
      ...endingOnce({
        // The counts of range and user fade only by time: a success of someone's own account must
        // not wash away what the same network did to others.
        succeed: () => {
          for (const undo of takeBack) undo();
          this.#counts.forget(ofPair);
          this.#networks.note(nameOf(proof, user), range);
        },
        fail: () => {},
        withdraw: () => {
          for (const undo of [pair, ...takeBack]) undo();
        },
      }),
    };
  }

  /** An attempt in a known browser: its own count decides, and no other is changed. */
  #beginKnown(ofDevice: string, noteNetwork: () => void): Attempt | Waiting {
    const retryAfterMs = this.#waitOf(ofDevice, PAIR);
    if (retryAfterMs > 0) return { ok: false, retryAfterMs };
    const withdraw = this.#counts.add(ofDevice, PAIR.fadeMs);
    const succeed = () => {
      this.#counts.forget(ofDevice);
      noteNetwork();
    };
    return {
      ok: true,
      delayMs: 0,
      needsEmailCode: false,
      ...endingOnce({ succeed, fail: () => {}, withdraw }),
    };
  }

  /**
   * Each failure beyond the free ones doubles the wait, which begins with the last of them. It is
   * counted from the level of that moment: what fades meanwhile does not end the wait early.
   */
  #waitOf(key: string, waits: Waits): number {
    const count = this.#counts.get(key);
    const level = Math.ceil((count?.level ?? 0) - ROUNDING);
    if (count === undefined || level < waits.free) return 0;
    const wait = Math.min(waits.longestWaitMs, waits.firstWaitMs * 2 ** (level - waits.free));
    const elapsed = this.#now() - count.at;
    // A clock that was set back must not make anyone wait longer than the longest wait.
    return elapsed < 0 ? 0 : Math.max(0, wait - elapsed);
  }
}

/** Cut, because a stranger chooses it and the memory is bounded in counts, not in bytes. */
const cut = (user: string): string => user.toLowerCase().slice(0, MAX_USER);

/** Under which networks are remembered. */
const nameOf = (proof: Proof, user: string): string => `${proof}|${cut(user)}`;

/** What a count is of: no text that a stranger types for a user can be the key of another count. */
const keyOf = (
  kind: 'pair' | 'range' | 'user' | 'device',
  proof: Proof,
  ...of: readonly string[]
): string => JSON.stringify([kind, proof, ...of.map(cut)]);

type Endings = Pick<Attempt, 'succeed' | 'fail' | 'withdraw'>;

/** The first of the three that is called is the one that holds. */
function endingOnce(endings: Endings): Endings {
  let ended = false;
  const first = (ending: () => void) => () => {
    if (ended) return;
    ended = true;
    ending();
  };
  return {
    succeed: first(endings.succeed),
    fail: first(endings.fail),
    withdraw: first(endings.withdraw),
  };
}
