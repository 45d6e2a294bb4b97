// Whole nodes through many lives, from one seed: requests over a network that loses and doubles,
// onto a disk that fails, with a wall clock that steps. Nodes are killed, lose power, views or
// snapshots, and find a flipped bit in their journal. All invariants hold after every command,
// every start finds a known state, and each answered request has happened once, and nothing else.
import { afterAll, expect } from 'bun:test';
import { rmSync } from 'node:fs';
import type { CoreEvent } from '../../src/core/event.ts';
import { CloseReason, ExecType } from '../../src/core/fix.ts';
import { FileJournalReader } from '../../src/journal/file-journal-reader.ts';
import { JournalError } from '../../src/journal/journal.ts';
import { JournalAudit } from '../harness/journal-audit.ts';
import { operatorPost, type Target } from '../harness/sender.ts';
import { Prng } from '../support/prng.ts';
import { Callers } from './callers.ts';
import { OPERATOR_TOKEN } from './cluster-node.ts';
import { MARKET, PLANS } from './foundation.ts';
import { type DiskOperation, SimulatedCrash } from './simulated-disk.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { type Foundation, found, SimulatedVenue } from './simulated-venue.ts';
import { testWorlds } from './worlds.ts';

const DEFAULT_SEEDS = 30;
const FOUNDATION_SEED = 1;
const OPERATIONS: readonly DiskOperation[] = ['write', 'datasync', 'create', 'rename'];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const HABITS = {
  ...{ market: MARKET, plans: PLANS },
  weights: {
    ...{ order: 12, cancel: 5, massCancel: 1, armSwitch: 1, subscribe: 3, redeem: 1, amend: 3 },
    ...{ balances: 1, lookup: 1 },
  },
  ...{ keyedOneIn: 2, tries: 4, creditOnceOneIn: 1e9, maxOpen: Number.POSITIVE_INFINITY },
};

/** Counted over all seeds. */
const happened = {
  stopped: 0,
  killed: 0,
  powerLost: 0,
  rotNoticed: 0,
  rotHarmless: 0,
  requestsDoubled: 0,
  requestsLost: 0,
  answersLost: 0,
  callsAcknowledged: 0,
  callsRejected: 0,
  callsUnknown: 0,
  replaysAnswered: 0,
  batchesOfMany: 0,
  trades: 0,
  stopsTriggered: 0,
  ordersAmended: 0,
  ordersExpired: 0,
  pairsDecided: 0,
  exitsPlaced: 0,
  interestAccrued: 0,
  commandsInSlices: 0,
  endsBetweenSlices: 0,
};

class Simulation {
  readonly #random: Prng;
  readonly #time: SimulatedTime;
  readonly #venue: SimulatedVenue;
  readonly #network: SimulatedNetwork;
  readonly #callers: Callers<Target>;

  constructor(seed: number, time: SimulatedTime, foundation: Foundation) {
    this.#random = new Prng(seed);
    this.#time = time;
    this.#venue = new SimulatedVenue(time, this.#random, foundation);
    this.#network = new SimulatedNetwork(time, this.#random, this.#venue);
    const random = this.#random;
    this.#callers = new Callers({
      ...{ time, random, habits: HABITS, keys: foundation.keys, startSeq: foundation.seq },
      world: {
        nodes: [{ name: 'venue' }],
        operatorToken: OPERATOR_TOKEN,
        send: (_, target, init) => this.#network.send(target, init),
        // Without a place in the journal, or about a signature, it may be for the second copy.
        isRejection: ({ status, seq, text }) =>
          status < 500 && seq > 0 && !text.includes('ignature'),
        hasLateCopies: false,
        // Clocks of callers are a little off.
        timestamp: () => Date.now() + random.between(-2000, 2000),
      },
      pause: () => random.below(random.oneIn(3) ? 100 : 5),
    });
  }

  async run(): Promise<void> {
    for (let lives = this.#random.between(2, 5); lives > 0; lives--) {
      this.#threaten();
      if (await this.#isBorn()) await this.#live();
      await this.#betweenLives();
    }
    this.#network.faulty = false;
    this.#venue.onSlice = null;
    await this.#venue.start();
    this.#venue.checkHash();
    await this.#call(3, () => true);
    expect(this.#venue.failures).toEqual([]);
    await this.#compareFollower();
    await this.#venue.stop();
    await this.#judge();
    const { doubled, lost, unanswered } = this.#network.troubles;
    happened.requestsDoubled += doubled;
    happened.requestsLost += lost;
    happened.answersLost += unanswered;
  }

  /** The digest of every byte on the disk. */
  digest(): string {
    const hasher = new Bun.CryptoHasher('sha256');
    for (const [name, bytes] of this.#venue.disk.image()) hasher.update(name).update(bytes);
    return hasher.digest('hex');
  }

  remove(): void {
    this.#venue.remove();
  }

  /** Decides how the next life will end, if it does not end well. */
  #threaten(): void {
    const { disk } = this.#venue;
    if (this.#random.oneIn(3)) disk.crashAfter(this.#random.below(150));
    if (this.#random.oneIn(4)) disk.failAny(this.#random, OPERATIONS, 60);
    this.#venue.onSlice = this.#random.oneIn(2) ? () => this.#crashBetweenSlices() : null;
  }

  /** The power goes before the next slice of an order is on the disk, or soon after it. */
  #crashBetweenSlices(): void {
    happened.endsBetweenSlices++;
    this.#venue.onSlice = null;
    this.#venue.disk.crashAfter(this.#random.below(3));
  }

  /** Starts a node, which may only fail by the fault that was put in its way. */
  async #isBorn(): Promise<boolean> {
    try {
      await this.#venue.start();
    } catch (error) {
      if (!isFault(error)) throw error;
      await this.#venue.end('power');
      return false;
    }
    this.#venue.checkHash();
    return true;
  }

  async #live(): Promise<void> {
    const random = this.#random;
    const venue = this.#venue;
    const calls = this.#call(random.between(2, 12), () => venue.alive);
    const stepping = this.#stepClocks();
    const how = random.pick(['stop', 'kill', 'power'] as const);
    if (how !== 'stop' || random.oneIn(2)) await this.#time.sleep(random.below(1500));
    else await calls;
    if (how === 'stop' && venue.alive) {
      happened.stopped++;
      await venue.stop().catch((error) => {
        requireFault(error);
        return venue.end('power');
      });
    } else {
      const ending = how === 'kill' && !venue.disk.gone ? 'kill' : 'power';
      happened[ending === 'kill' ? 'killed' : 'powerLost']++;
      await venue.end(ending);
    }
    for (const failure of venue.failures) requireFault(failure);
    await Promise.all([calls, stepping]);
  }

  #call(calls: number, go: () => boolean): Promise<void> {
    const snapshot = operatorPost(OPERATOR_TOKEN, {});
    return this.#callers.call(calls, go, () =>
      this.#random.oneIn(6)
        ? this.#network.send('/operator/v1/snapshot', snapshot)
        : this.#callers.operator.credit(),
    );
  }

  /** Somebody sets the wall clock, while requests are under way. */
  async #stepClocks(): Promise<void> {
    for (let steps = this.#random.below(4); steps > 0; steps--) {
      await this.#time.sleep(this.#random.below(400));
      this.#time.stepWallClock(
        this.#random.pick([-5 * MINUTE, -1000, 1000, 5 * MINUTE, 60 * MINUTE]),
      );
    }
  }

  async #betweenLives(): Promise<void> {
    const random = this.#random;
    this.#venue.onSlice = null;
    if (random.oneIn(5)) this.#venue.lose('views');
    if (random.oneIn(5)) this.#venue.lose('snapshots');
    if (random.oneIn(2)) await this.#rot();
    // Nothing is under way, so that no Idempotency-Key is forgotten before its request was
    // answered.
    if (random.oneIn(2)) this.#time.stepWallClock(random.between(1, 3) * DAY);
  }

  /**
   * Flips one bit of the journal until the files are restored. A node rejects to start, or nothing
   * depends on that bit, or it stands at an earlier known state because the last record is gone.
   */
  async #rot(): Promise<void> {
    const { disk } = this.#venue;
    const before = disk.image();
    const [name, bytes] = this.#random.pick([...before]);
    disk.flipBit(name, this.#random.below(bytes.length * 8));
    try {
      await this.#venue.start();
      this.#venue.checkHash();
      happened.rotHarmless++;
    } catch (error) {
      if (!(error instanceof JournalError) || error.kind !== 'corrupt') throw error;
      happened.rotNoticed++;
    }
    await this.#venue.end('kill');
    disk.restore(before);
  }

  /** The follower's state is the leader's at that seq. */
  async #compareFollower(): Promise<void> {
    const { seq, stateHash } = await this.#venue.node.services.node.snapshot();
    expect(stateHash).toBe(this.#venue.hashes.get(seq)!);
  }

  /** Compares the journal with the answers to the callers, through known states. */
  async #judge(): Promise<void> {
    const { hashes, disk } = this.#venue;
    const audit = new JournalAudit({ hashes, onEvents: countEvents });
    const reader = new FileJournalReader(disk.mount());
    expect(await audit.applyAll(reader, this.#callers.calls)).toEqual([]);
    this.#callers.judge(audit, this.#venue.auditDetails());
    happened.batchesOfMany += audit.recordsOfMany;
    happened.commandsInSlices += audit.inSlices;
    happened.callsAcknowledged += this.#callers.count('acknowledged');
    happened.callsRejected += this.#callers.count('rejected');
    happened.callsUnknown += this.#callers.count('unknown');
    happened.replaysAnswered += this.#callers.calls.filter(
      ({ outcome, seq }) => outcome === 'acknowledged' && seq === null,
    ).length;
  }
}

function countEvents(events: readonly CoreEvent[]): void {
  for (const event of events) {
    if (event.type === 'trade') happened.trades++;
    if (event.type === 'interestAccrued') happened.interestAccrued++;
    if (event.type !== 'executionReport') continue;
    const { execType, reason, parentOrderId } = event;
    if (execType === ExecType.triggered) happened.stopsTriggered++;
    if (execType === ExecType.replaced) happened.ordersAmended++;
    if (execType === ExecType.new && parentOrderId !== 0) happened.exitsPlaced++;
    if (reason === CloseReason.expired) happened.ordersExpired++;
    if (reason === CloseReason.oco) happened.pairsDecided++;
  }
}

const isFault = (error: unknown): boolean =>
  error instanceof SimulatedCrash ||
  (error instanceof JournalError && error.kind === 'io') ||
  (error instanceof Error && error.cause !== undefined && isFault(error.cause));

function requireFault(error: unknown): void {
  if (!isFault(error)) throw error;
}

const foundations = testWorlds({
  promise: 'no crash, no fault and no clock makes a node forget, repeat or invent anything',
  seeds: DEFAULT_SEEDS,
  found: (time) => found(time, new Prng(FOUNDATION_SEED)),
  simulate: (seed, time, foundation) => new Simulation(seed, time, foundation),
  requireTrouble() {
    const few = Object.entries(happened).filter(([, count]) => count < DEFAULT_SEEDS / 8);
    expect(few).toEqual([]);
  },
});

afterAll(() => {
  for (const { directory } of foundations) rmSync(directory, { recursive: true, force: true });
});
