// Earn rounds: days pass over some thousand subscriptions while customers apply, add and redeem; a
// SIGKILL at a random moment ends each round. After the restart every acknowledged write is there
// exactly once, every other one after its repetition, and every day has earned exactly once.
import { masterKeysOf, snapshotKeysOf } from '../../src/cli/data-directory.ts';
import { DAY_MS, dayOf } from '../../src/core/calendar.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { applyRecord } from '../../src/engine/recovery.ts';
import { readNewestSnapshot, snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { openJournalReader } from '../../src/journal/open-journal.ts';
import { Prng } from '../support/prng.ts';
import { BusinessClock } from './business-clock.ts';
import { EarnCheck } from './earn-check.ts';
import { EarnLoad } from './earn-load.ts';
import { type EarnPlans, offerPlans } from './earn-plans.ts';
import { OperatorClient } from './operator-client.ts';
import { type CrashOptions, type CrashReport, LOAD_MS } from './rounds.ts';
import { Savings } from './savings.ts';
import { type SandboxFile, ServerProcess, sandboxFile, verifyDirectory } from './server-process.ts';

interface EarnCrashOptions extends CrashOptions {
  /** Fixed and customized subscriptions that are live at a time. */
  readonly terms: number;
}

interface EarnCrashReport extends CrashReport {
  /** Kills that left a day closed for some subscriptions and not for all. */
  readonly inDayClose: number;
  readonly subscriptions: number;
  readonly days: number;
  /** Interest histories that were recomputed, and their entries. */
  readonly histories: number;
  readonly entries: number;
}

/** Some slices, so that restarts begin at snapshots in the middle of a day's close. */
const SNAPSHOT_EVERY = 700;
/** Rounds from one `agio verify` of what a kill left behind to the next. */
const VERIFY_EVERY = 10;
/** Before midnight the clock is moved past it, so that no day ends during the checks. */
const MIDNIGHT_ROOM_MS = 60_000;

/** Throws Error with the seed and the round at the first broken promise. */
export async function runEarnRounds(options: EarnCrashOptions): Promise<EarnCrashReport> {
  const server = await ServerProcess.start(options.dataDir, {
    snapshotEvery: SNAPSHOT_EVERY,
  });
  const rounds = new EarnRounds(options, server);
  let at = 'set-up';
  try {
    await rounds.setUp();
    for (let round = 1; round <= options.rounds; round++) {
      at = `round ${round}`;
      options.progress(`round ${round}/${options.rounds}: ${await rounds.round(round)}`);
    }
    at = 'the end';
    await rounds.finish();
  } catch (error) {
    throw new Error(`seed ${options.seed}, ${at}: ${(error as Error).message}`, { cause: error });
  } finally {
    await rounds.kill();
  }
  return rounds.report();
}

class EarnRounds {
  readonly #options: EarnCrashOptions;
  readonly #prng: Prng;
  readonly #access: SandboxFile;
  readonly #savings: Savings;
  readonly #clock = new BusinessClock();
  #server: ServerProcess;
  #operator: OperatorClient;
  #plans!: EarnPlans;
  #startDay = 0;
  #endDay = 0;
  readonly #totals = {
    acknowledged: 0,
    unknown: 0,
    unknownDone: 0,
    inDayClose: 0,
    histories: 0,
    entries: 0,
  };
  readonly #recoveryMs: number[] = [];

  constructor(options: EarnCrashOptions, server: ServerProcess) {
    this.#options = options;
    this.#prng = new Prng(options.seed);
    this.#access = sandboxFile(options.dataDir);
    this.#savings = new Savings(server.url, this.#access);
    this.#server = server;
    this.#operator = new OperatorClient(server.url, this.#access);
  }

  kill(): Promise<void> {
    return this.#server.kill();
  }

  async setUp(): Promise<void> {
    this.#plans = await offerPlans(this.#operator);
    const load = this.#load('r0');
    await load.fill();
    this.#totals.acknowledged += load.acknowledged;
    this.#startDay = dayOf(this.#clock.earliest());
  }

  #load(name: string): EarnLoad {
    return new EarnLoad({
      savings: this.#savings,
      plans: this.#plans,
      clock: this.#clock,
      operator: this.#operator,
      prng: this.#prng,
      name,
      terms: this.#options.terms,
    });
  }

  /** Returns a summary of the round. */
  async round(round: number): Promise<string> {
    const totals = this.#totals;
    const load = this.#load(`r${round}`);
    const advances = this.#clock.answered;
    const { least, most } = LOAD_MS;
    await Promise.all([load.run(), this.#killAfter(this.#prng.between(least, most))]);
    const { acknowledged } = load;
    const advanced = this.#clock.answered - advances;
    if (round % VERIFY_EVERY === 0) await this.#verify();
    const isHalfClosed = await isDayHalfClosed(this.#options.dataDir);
    await this.#restart();
    await this.#clock.recover(this.#operator);
    const repeated = await load.repeat();
    const checked = await this.#check();
    totals.acknowledged += acknowledged;
    totals.unknown += repeated.unknown;
    totals.unknownDone += repeated.unknownDone;
    if (isHalfClosed) totals.inDayClose++;
    totals.histories += checked.histories;
    totals.entries += checked.entries;
    const { applies, adds, redemptions } = load.counts;
    return [
      `${applies} applies, ${adds} adds, ${redemptions} redemptions, ${acknowledged} acknowledged`,
      `clock advanced ${advanced} times${isHalfClosed ? ', a day left half closed' : ''}`,
      `${this.#savings.byApplyId.size} subscriptions, ${checked.entries} entries recomputed`,
    ].join('; ');
  }

  async #killAfter(ms: number): Promise<void> {
    await Bun.sleep(ms);
    await this.#server.kill();
  }

  async #restart(): Promise<void> {
    const started = performance.now();
    this.#server = await ServerProcess.start(this.#options.dataDir, {
      snapshotEvery: SNAPSHOT_EVERY,
    });
    this.#recoveryMs.push(performance.now() - started);
    this.#operator = new OperatorClient(this.#server.url, this.#access);
    this.#savings.moveTo(this.#server.url);
  }

  async #check() {
    const isLate = DAY_MS - (this.#clock.earliest() % DAY_MS) < MIDNIGHT_ROOM_MS;
    // An advance is answered when all that is due is done, so also what the kill has interrupted.
    const now = await this.#clock.advance(this.#operator, isLate ? 2 * MIDNIGHT_ROOM_MS : 1);
    this.#endDay = dayOf(now);
    const check = new EarnCheck(this.#savings, this.#plans, this.#prng, now);
    const checked = await check.run();
    await this.#operator.checkSums();
    return checked;
  }

  /** On what the last process left behind, however it ended. */
  async #verify(): Promise<void> {
    const output = await verifyDirectory(this.#options.dataDir);
    if (!/✓ interest +[\d,]+ entries/.test(output)) {
      throw new Error(`agio verify saw no interest:\n${output}`);
    }
  }

  async finish(): Promise<void> {
    if ((await this.#server.stop()) !== 0) throw new Error('the server did not stop cleanly');
    await this.#verify();
  }

  report(): EarnCrashReport {
    return {
      ...this.#totals,
      rounds: this.#options.rounds,
      subscriptions: this.#savings.byApplyId.size,
      days: this.#endDay - this.#startDay,
      recoveryMs: this.#recoveryMs,
    };
  }
}

/** Whether the last durable command left a day closed for some subscriptions and not for all. */
async function isDayHalfClosed(dataDir: string): Promise<boolean> {
  const stored = readNewestSnapshot(
    snapshotsOf(dataDir, snapshotKeysOf(masterKeysOf(dataDir))),
    (sentence) => {
      throw new Error(sentence);
    },
  );
  const exchange = new Exchange(stored?.state, EventFilter.none());
  const snapshotSeq = stored?.seq ?? 0;
  const reader = openJournalReader(dataDir);
  try {
    for await (const records of reader.read(snapshotSeq + 1)) {
      for (const record of records) {
        if (record.firstSeq > snapshotSeq) applyRecord(exchange, record);
      }
    }
  } finally {
    await reader.close();
  }
  return exchange.state.earn.closedUpTo > 0;
}
