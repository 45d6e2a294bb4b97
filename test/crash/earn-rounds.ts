// Earn rounds: days pass over some thousand subscriptions while customers subscribe, add and
// redeem; a SIGKILL at a random moment ends each round. After the restart every acknowledged write
// is there exactly once, every other one after its repetition, and every day has earned once.
import { HOUR_MS } from '../../src/core/calendar.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { openJournalReader } from '../../src/journal/open-journal.ts';
import { historyFaults, inventedFaults, requireNone } from '../harness/checker.ts';
import { type Call, isWrite } from '../harness/history.ts';
import { isConnectionError, OperatorClient } from '../harness/http.ts';
import { JournalAudit } from '../harness/journal-audit.ts';
import { HABITS, Load } from '../harness/load.ts';
import type { Write } from '../harness/sender.ts';
import {
  type SandboxFile,
  ServerProcess,
  sandboxFile,
  verifyDirectory,
} from '../harness/server-process.ts';
import type { Plans } from '../harness/session.ts';
import { Promises } from '../model/earn-promises.ts';
import { PLAN_APPLY, REDEEM } from '../support/earn.ts';
import { Prng } from '../support/prng.ts';
import { until } from '../support/waiting.ts';
import { type CrashOptions, type CrashReport, LOAD_MS } from './rounds.ts';

interface EarnCrashOptions extends CrashOptions {
  /** Subscriptions before the first round. */
  readonly terms: number;
}

interface EarnCrashReport
  extends Pick<CrashReport, 'acknowledged' | 'unknown' | 'unknownDone' | 'recoveryMs'> {
  /** Kills that left a day closed for some subscriptions and not for all. */
  readonly inDayClose: number;
  readonly subscriptions: number;
  readonly days: number;
  /** Interest entries that were recomputed, and terms that came to their preview. */
  readonly entries: number;
  readonly termsProved: number;
}

const SESSIONS = 12;
/** Some slices, so that restarts begin at snapshots in the middle of a day's close. */
const SNAPSHOT_EVERY = 700;
/** Less than a day, so that an Idempotency-Key lives until its repetition. */
const STEP_MS = 23 * HOUR_MS;
/** Rounds from one `agio verify` of what a kill left behind to the next. */
const VERIFY_EVERY = 10;
/** Acknowledged writes that are sent again after a restart. */
const SENT_TWICE = 10;
const PATHS: Partial<Record<Call['kind'], string>> = {
  subscribePlan: PLAN_APPLY,
  redeemPlan: REDEEM,
};

/** Throws Error with the seed and the round at the first broken promise. */
export async function runEarnRounds(options: EarnCrashOptions): Promise<EarnCrashReport> {
  const env = { AGIO_SNAPSHOT_EVERY: `${SNAPSHOT_EVERY}` };
  const server = new ServerProcess(options.directory, env);
  let at = 'set-up';
  try {
    await server.start();
    const rounds = new EarnRounds(options, server);
    await rounds.setUp();
    for (let round = 1; round <= options.rounds; round++) {
      at = `round ${round}`;
      options.progress(`round ${round}/${options.rounds}: ${await rounds.round(round)}`);
    }
    at = 'the end';
    return await rounds.finish();
  } catch (error) {
    throw new Error(`seed ${options.seed}, ${at}: ${(error as Error).message}`, { cause: error });
  } finally {
    await server.kill();
  }
}

/** A flexible plan, and one that begins again when it ends; its last payout is no third day. */
async function offerPlans(operator: OperatorClient): Promise<Plans> {
  const offer = async (planType: number, terms: object): Promise<string> => {
    const { planId } = (await operator.post('plans', {
      ...{ planType, planName: `Crash ${planType}`, coin: 'USDT', supportEarlyRedemption: true },
      ...{ userAmountMin: '0.00000001', userAmountMax: '1000000000', ...terms },
    })) as { planId: string };
    const reserve = { amount: '1000000000', reference: `reserve-${planId}` };
    await operator.post(`plans/${planId}/reserve`, reserve);
    return planId;
  };
  const daily = { apr: 0.0731, autoCompound: true, rewardFrequency: 1, redeemLockHours: 12 };
  const fixed = { apr: 0.0637, lockDay: 10, rewardFrequency: 3, redeemLockHours: 24 };
  return {
    flexible: await offer(1, daily),
    fixed: await offer(2, { ...fixed, supportAutoRenew: true }),
    lockDay: 10,
  };
}

class EarnRounds {
  readonly #options: EarnCrashOptions;
  readonly #server: ServerProcess;
  readonly #random: Prng;
  readonly #access: SandboxFile;
  readonly #promises = new Promises();
  readonly #audit = new JournalAudit({ onEvents: (events) => this.#observe(events) });
  readonly #calls: Call[] = [];
  readonly #recoveryMs: number[] = [];
  #plans: Plans = { flexible: '', fixed: '', lockDay: 0 };
  #entries = 0;
  #inDayClose = 0;
  /** The sum of all acknowledged advances of the clock, ms. */
  #offset = 0;
  /** The advance without an answer yet, ms. */
  #underWay = 0;
  /** The moments at which the last two advances were answered, or sent if they were not. */
  #advancedAt = [0, 0];

  constructor(options: EarnCrashOptions, server: ServerProcess) {
    this.#options = options;
    this.#server = server;
    this.#random = new Prng(options.seed);
    this.#access = sandboxFile(server.dataDir);
  }

  get #operator(): OperatorClient {
    return new OperatorClient(this.#server.url, this.#access);
  }

  #observe(events: readonly CoreEvent[]): void {
    this.#entries += events.filter(({ type }) => type === 'interestAccrued').length;
    const fault = this.#promises.observe(events);
    if (fault !== null) throw new Error(fault);
  }

  async setUp(): Promise<void> {
    this.#plans = await offerPlans(this.#operator);
    await this.#applyFiles([]);
    const load = this.#load(0, { subscribe: 1 });
    const isDone = ({ outcome }: Call) => outcome === 'acknowledged';
    await until(() => load.calls.filter(isDone).length >= this.#options.terms).finally(() =>
      load.stop(),
    );
    this.#calls.push(...load.calls);
  }

  #load(round: number, weights: (typeof HABITS)['weights']): Load {
    const { demo, market, operatorToken } = this.#access;
    const customers = [demo, ...market];
    const keys = Array.from({ length: SESSIONS }, (_, i) => customers[i % customers.length]!);
    const seed = this.#options.seed * 1000 + round;
    const habits = { ...HABITS, weights, plans: this.#plans };
    return new Load({
      nodes: [this.#server],
      keys,
      operatorToken,
      seed,
      prefix: `r${round}`,
      habits,
    });
  }

  /** Returns a summary of the round. */
  async round(round: number): Promise<string> {
    const server = this.#server;
    const startSeq = this.#audit.seq;
    const load = this.#load(round, { subscribe: 6, redeem: 5, balances: 1, credit: 1 });
    await load.begun();
    const days = this.#passDays(load);
    await Bun.sleep(this.#random.between(LOAD_MS.least, LOAD_MS.most));
    await server.kill();
    await Promise.all([load.stop(), days]);
    await this.#applyFiles(load.calls);
    const isHalfClosed = this.#audit.isDayHalfClosed;
    if (isHalfClosed) this.#inDayClose++;
    if (round % VERIFY_EVERY === 0) await this.#verify();
    const started = performance.now();
    await server.start();
    this.#recoveryMs.push(performance.now() - started);
    await this.#recoverClock();
    const writes = load.calls.filter(isWrite);
    await this.#repeat(load, writes);
    // It is answered when all that is due is done, so also what the kill has interrupted.
    await this.#advance(1);
    await this.#applyFiles(load.calls.filter(({ session }) => session.startsWith('after')));
    requireNone([
      ...historyFaults({ ...load, hasCopies: true }, this.#audit),
      ...inventedFaults([...this.#calls, ...load.calls], this.#audit, startSeq),
    ]);
    await this.#operator.checkSums();
    this.#calls.push(...writes);
    const done = writes.filter(({ outcome }) => outcome === 'acknowledged').length;
    const clock = isHalfClosed ? ', a day left half closed' : '';
    return `${done} of ${writes.length} writes acknowledged${clock}; ${this.#entries} entries`;
  }

  /** Days pass until the server is gone. */
  async #passDays({ calls }: Load): Promise<void> {
    try {
      for (;;) {
        await this.#advance(STEP_MS);
        const at = performance.now();
        // A write that saw this advance must be answered before the next, or its key would expire.
        await until(() => calls.every((call) => call.sentAt > at || call.answeredAt < Infinity));
      }
    } catch (error) {
      if (!isConnectionError(error)) throw error;
    }
  }

  async #advance(ms: number): Promise<void> {
    this.#underWay = ms;
    this.#advancedAt = [this.#advancedAt[1]!, performance.now()];
    await this.#operator.post('clock/advance', { ms });
    this.#advancedAt[1] = performance.now();
    this.#underWay = 0;
    this.#offset += ms;
  }

  /** Each answered advance counts once, and the unanswered one at most once. */
  async #recoverClock(): Promise<void> {
    const { offset } = (await this.#operator.get('clock')) as { offset: number };
    if (offset !== this.#offset && offset !== this.#offset + this.#underWay) {
      throw new Error(`the clock is ${offset} ms ahead, and ${this.#offset} ms were acknowledged`);
    }
    this.#offset = offset;
  }

  /** Sends unanswered writes again, and some answered ones, which must change nothing. */
  async #repeat(load: Load, writes: readonly Call[]): Promise<void> {
    const { demo, market } = this.#access;
    const [before] = this.#advancedAt;
    const keyed = writes.filter(({ kind }) => PATHS[kind] !== undefined);
    const isRecent = ({ outcome, sentAt }: Call) => outcome === 'acknowledged' && sentAt > before!;
    const known = keyed.filter(isRecent).slice(-SENT_TWICE);
    const unknown = keyed.filter(({ outcome }) => outcome === 'unknown');
    for (const { uid, ...key } of [demo, ...market]) {
      const sender = load.sender(`after-${uid}`, { ...key, uid });
      for (const write of [...unknown, ...known].filter((each) => each.uid === uid)) {
        const { kind, name, request } = write as Call & Pick<Write<ServerProcess>, 'kind'>;
        const again = { kind, name, path: PATHS[kind]!, body: request, isKeyed: true };
        let call: Call;
        await until(async () => {
          call = await sender.write({ ...again, to: () => this.#server });
          return call.status !== null && call.status !== 503;
        });
        if (write.outcome === 'acknowledged' && call!.text !== write.text) {
          throw new Error(`${name} was answered ${write.text}, and is now ${call!.detail}`);
        }
      }
      await until(async () => (await sender.balances(this.#server)).status === 200);
    }
  }

  /** Applies what the journal has more than at the last time. */
  async #applyFiles(calls: readonly Call[]): Promise<void> {
    requireNone(await this.#audit.applyAll(openJournalReader(this.#server.dataDir), calls));
  }

  /** On what the last process left behind, however it ended. */
  async #verify(): Promise<void> {
    const output = await verifyDirectory(this.#server.dataDir);
    if (!/✓ interest +[\d,]+ entries/.test(output)) {
      throw new Error(`agio verify saw no interest:\n${output}`);
    }
  }

  async finish(): Promise<EarnCrashReport> {
    if ((await this.#server.stop()) !== 0) throw new Error('the server did not stop cleanly');
    await this.#verify();
    const count = (outcome: Call['outcome']) =>
      this.#calls.filter((call) => call.outcome === outcome);
    const unknown = count('unknown');
    const subscriptions = this.#calls.filter(({ kind }) => kind === 'subscribePlan');
    return {
      acknowledged: count('acknowledged').length,
      unknown: unknown.length,
      unknownDone: unknown.filter(({ name }) => this.#audit.writesNamed(name).length > 0).length,
      recoveryMs: this.#recoveryMs,
      inDayClose: this.#inDayClose,
      subscriptions: new Set(subscriptions.flatMap(({ id }) => id ?? [])).size,
      days: Math.floor(this.#offset / (24 * HOUR_MS)),
      entries: this.#entries,
      termsProved: this.#promises.termsProved,
    };
  }
}
