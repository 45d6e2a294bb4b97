// Timers: what falls due is done by commands of the journal, one at a time, in time that only
// passes when the test lets it.
import { describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../test/sim/simulated-time.ts';
import { MemoryJournal } from '../../test/support/memory-journal.ts';
import { FIXED, Savings, UNIT_A_DAY } from '../../test/support/savings.ts';
import { appendLog } from '../../test/support/view-files.ts';
import type { Command } from '../core/command.ts';
import { EARN_SLICE } from '../core/earn/timers.ts';
import { Exchange } from '../core/exchange.ts';
import { decodeBatch } from '../journal/codec.ts';
import { BusinessClock } from './clock.ts';
import { Engine } from './engine.ts';
import { Sequencer } from './sequencer.ts';
import { Timers } from './timers.ts';

const START = 1_700_000_000_000;

const time = SimulatedTime.forEachTest(START);

const createUser: Command = { type: 'createUser', kyc: true };
const arm = (uid: number, timeout: number): Command => ({
  type: 'cancelAllAfter',
  uid,
  timeout,
  signature: null,
  idempotency: null,
});

/** The types of all commands of a journal, in order. */
async function typesIn(journal: MemoryJournal): Promise<string[]> {
  const types: string[] = [];
  for await (const records of journal.read(1)) {
    for (const { payload } of records) {
      types.push(...decodeBatch(payload).commands.map(({ type }) => type));
    }
  }
  return types;
}

/** How often the wall clock was read is how often somebody looked whether something is due. */
function opened(queueLimit = 10) {
  const journal = new MemoryJournal();
  const exchange = new Exchange();
  const failures: unknown[] = [];
  let looks = 0;
  let stepped = 0;
  const options = {
    exchange,
    wall: () => {
      looks++;
      return START + Math.floor(time.now) + stepped;
    },
    queueLimit,
    onApplied: () => undefined,
    onFailure: (error: unknown) => failures.push(error),
  };
  const looksOf = async (work: () => Promise<void>): Promise<number> => {
    const before = looks;
    await work();
    return looks - before;
  };
  const timersRun = async (): Promise<number> =>
    (await typesIn(journal)).filter((type) => type === 'runTimers').length;
  const stepWallClock = (milliseconds: number): void => {
    stepped += milliseconds;
  };
  const engineOf = (): Engine => {
    const engine = new Engine(options);
    engine.lead({ journal, epoch: 1 });
    return engine;
  };
  return { options, engineOf, journal, exchange, failures, looksOf, timersRun, stepWallClock };
}

describe('the engine', () => {
  test('does what falls due while nobody sends anything, and nothing before', async () => {
    const { engineOf, timersRun } = opened();
    const engine = engineOf();
    engine.start();
    await time.until(engine.submit(createUser));
    await time.until(engine.submit(arm(1, 1_000)));
    await time.pass(990);
    expect(await timersRun()).toBe(0);
    await time.pass(40);
    expect(await timersRun()).toBe(1);
    await time.pass(5_000);
    expect(await timersRun()).toBe(1);
    await time.until(engine.stop());
  });

  test('fires a timer in time although the wall clock steps back a minute', async () => {
    const { engineOf, timersRun, stepWallClock } = opened();
    const engine = engineOf();
    engine.start();
    await time.until(engine.submit(createUser));
    await time.until(engine.submit(arm(1, 1_000)));
    stepWallClock(-60_000);
    await time.pass(990);
    expect(await timersRun()).toBe(0);
    // A ninth later than it would otherwise, and a look.
    await time.pass(160);
    expect(await timersRun()).toBe(1);
    expect(engine.ahead).toBeGreaterThan(59_000);
    await time.until(engine.stop());
  });

  test('runs due work right after any command, without waiting for the next poll', async () => {
    const { engineOf, timersRun } = opened();
    // Not started: nobody looks but for a command.
    const engine = engineOf();
    await time.until(engine.submit(createUser));
    await time.until(engine.submit(arm(1, 1_000)));
    await time.pass(1_000);
    expect(await timersRun()).toBe(0);
    await time.until(engine.submit(createUser));
    await time.pass(0);
    expect(await timersRun()).toBe(1);
  });

  test('looks no more when it has stopped', async () => {
    const { engineOf, looksOf, timersRun } = opened();
    const engine = engineOf();
    engine.start();
    await time.until(engine.submit(createUser));
    await time.until(engine.submit(arm(1, 1_000)));
    expect(await looksOf(() => time.pass(500))).toBeGreaterThan(0);
    await time.until(engine.stop());
    expect(await looksOf(() => time.pass(5_000))).toBe(0);
    expect(await timersRun()).toBe(0);
  });
});

describe('timers', () => {
  /** A switch that is due; whatever is to be done is done by `poke` alone. */
  async function due(queueLimit = 10) {
    const venue = opened(queueLimit);
    const { options, journal, exchange } = venue;
    const clock = new BusinessClock(exchange.state, options.wall);
    const sequencer = new Sequencer({ ...options, journal, epoch: 1, clock });
    const timers = new Timers(exchange, sequencer, clock);
    await time.until(sequencer.submit(createUser));
    await time.until(sequencer.submit(arm(1, 1_000)));
    await time.pass(1_000);
    return { ...venue, sequencer, timers };
  }

  test('send one command at a time, however often they are asked', async () => {
    const { timers, exchange, timersRun } = await due();
    await time.until(Promise.all([timers.poke(), timers.poke(), timers.poke()]));
    expect(await timersRun()).toBe(1);
    expect(exchange.nextTimer).toBe(Number.POSITIVE_INFINITY);
    await time.until(timers.poke());
    expect(await timersRun()).toBe(1);
  });

  test('run until no work is due', async () => {
    // A midnight that is over for more subscriptions than two commands look after.
    const savings = new Savings();
    savings.offer(FIXED);
    for (let i = 0; i < 2 * EARN_SLICE; i++) savings.subscribe(1, UNIT_A_DAY);
    savings.passMidnight();
    savings.addUser();
    const { exchange } = savings;
    const { options, journal, timersRun } = opened();
    await appendLog(journal, savings.log);
    const clock = new BusinessClock(exchange.state, options.wall);
    const timers = new Timers(
      exchange,
      new Sequencer({ ...options, exchange, journal, epoch: 1, clock }),
      clock,
    );
    await time.until(timers.poke());
    expect(await timersRun()).toBe(3);
    expect(exchange.nextTimer).toBeGreaterThan(savings.time);
  });

  test('go on while too many commands wait, which may wait for them', async () => {
    const { timers, sequencer, timersRun } = await due(1);
    const waiting = Promise.all([sequencer.submit(createUser), sequencer.submit(createUser)]);
    await time.until(timers.poke());
    await time.until(waiting);
    expect(await timersRun()).toBe(1);
  });

  test('leave it to the next start when the server stops', async () => {
    const { timers, sequencer, timersRun, failures } = await due();
    await time.until(sequencer.stop());
    await timers.poke();
    expect(await timersRun()).toBe(0);
    expect(failures).toEqual([]);
  });

  test('may be stopped before they were started, and twice', async () => {
    const { timers, looksOf } = await due();
    timers.stop();
    timers.start();
    timers.stop();
    timers.stop();
    expect(await looksOf(() => time.pass(1_000))).toBe(0);
  });
});
