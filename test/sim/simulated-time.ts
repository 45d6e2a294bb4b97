// Time that only passes when a simulation lets it: a monotonic clock, a wall clock that may be set,
// and timers, in place of those of the runtime. Between two events everything that can go on
// without time passing goes on, so that the same seed gives the same order of things on every
// machine.

import { afterEach, beforeEach, setSystemTime } from 'bun:test';
import { AsyncLocalStorage } from 'node:async_hooks';

/** A timer in place of the runtime's; callers only unref and clear it. */
interface SimulatedTimer {
  readonly id: number;
  unref(): SimulatedTimer;
  ref(): SimulatedTimer;
}

interface Event {
  readonly at: number;
  /** Events of one moment happen in the order in which they were asked for. */
  readonly order: number;
  readonly run: () => void;
  /** The timer that it is, when the node asked for it. */
  readonly timer: number | null;
  /** The process that asked for it; null where there is only one. */
  readonly process: SimulatedProcess | null;
}

/** One of several processes: its events wait while it stands still, and end with it. */
export class SimulatedProcess {
  /** It stands still, and time passes. */
  isPaused = false;
  isOver = false;

  /** `ahead`: how far its wall clock is ahead of everybody's, ms. */
  constructor(readonly ahead = 0) {}
}

/** Turns of the event loop in which all that needs no time comes to rest. */
const TURNS = 3;

export class SimulatedTime {
  /** The events to come, in no order; there are few at a time. */
  #events: Event[] = [];
  #now = 0;
  #order = 0;
  #timers = 0;
  /** The wall clock at monotonic time 0, ms. */
  #epoch: number;
  /** The process whose code runs. */
  readonly #process = new AsyncLocalStorage<SimulatedProcess | null>();
  readonly #real = {
    dateNow: Date.now,
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    performanceNow: performance.now,
    sleep: Bun.sleep,
  };

  constructor(epoch: number) {
    this.#epoch = epoch;
  }

  /** A time for each test of this file; it starts again at `epoch`, without any timer. */
  static forEachTest(epoch = Date.UTC(2026, 0, 1)): SimulatedTime {
    const time = new SimulatedTime(epoch);
    beforeEach(() => {
      time.#epoch = epoch;
      time.#now = 0;
      time.#events = [];
      time.install();
    });
    afterEach(() => time.uninstall());
    return time;
  }

  /** Takes the place of the runtime's clocks and timers until `uninstall`. */
  install(): void {
    const timeout = (run: () => void, ms = 0) => this.#timer(run, ms, null);
    const interval = (run: () => void, ms = 0) => this.#timer(run, ms, Math.max(1, ms));
    const clear = (timer: SimulatedTimer | null | undefined) => this.#clear(timer);
    Object.assign(globalThis, {
      setTimeout: timeout,
      clearTimeout: clear,
      setInterval: interval,
      clearInterval: clear,
    });
    performance.now = () => this.#now;
    Date.now = () => this.wall + (this.#process.getStore()?.ahead ?? 0);
    Bun.sleep = ((ms: number) => this.sleep(ms)) as typeof Bun.sleep;
    this.#showWallClock();
  }

  uninstall(): void {
    const { dateNow, performanceNow, sleep, ...timers } = this.#real;
    Object.assign(globalThis, timers);
    Date.now = dateNow;
    performance.now = performanceNow;
    Bun.sleep = sleep;
    setSystemTime();
  }

  /** Monotonic, ms. */
  get now(): number {
    return this.#now;
  }

  /** The wall clock, ms. */
  get wall(): number {
    return this.#epoch + Math.floor(this.#now);
  }

  /** Runs code of a process: what it then waits for is that process's. */
  as<T>(process: SimulatedProcess | null, run: () => T): T {
    return this.#process.run(process, run);
  }

  /** Nothing that the process waits for happens any more. */
  end(process: SimulatedProcess): void {
    process.isOver = true;
    this.#events = this.#events.filter((event) => event.process !== process);
  }

  /** Sets the wall clock forward or back; what is timed by the monotonic clock does not notice. */
  stepWallClock(milliseconds: number): void {
    this.#epoch += milliseconds;
    this.#showWallClock();
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.#at(milliseconds, resolve, null));
  }

  /** Drops the timers of an ended process; sleepers of the simulation go on sleeping. */
  endTimers(): void {
    this.#events = this.#events.filter(({ timer }) => timer === null);
  }

  /** Lets this time pass. */
  pass(milliseconds: number): Promise<void> {
    return this.until(this.sleep(milliseconds));
  }

  /** Advances time until `work` settles; rejects when nothing is left that could settle it. */
  async until<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    work.then(done, done);
    for (;;) {
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
      if (settled) return work;
      const next = this.#takeNext();
      if (next === undefined) throw new Error('the simulation waits for what never happens');
      // The events of a process that stood still are late.
      this.#now = Math.max(this.#now, next.at);
      this.#showWallClock();
      this.as(next.process, next.run);
    }
  }

  #takeNext(): Event | undefined {
    let next: Event | undefined;
    for (const event of this.#events) {
      if (event.process?.isPaused === true) continue;
      if (next === undefined || event.at < next.at) next = event;
      else if (event.at === next.at && event.order < next.order) next = event;
    }
    if (next !== undefined) this.#events.splice(this.#events.indexOf(next), 1);
    return next;
  }

  #at(milliseconds: number, run: () => void, timer: number | null): void {
    const process = this.#process.getStore() ?? null;
    if (process?.isOver === true) return;
    const at = this.#now + Math.max(0, milliseconds);
    this.#events.push({ at, order: this.#order++, run, timer, process });
  }

  #timer(run: () => void, milliseconds: number, every: number | null): SimulatedTimer {
    const id = ++this.#timers;
    const fire = () => {
      // Asked for again before it runs, so that it may clear itself.
      if (every !== null) this.#at(every, fire, id);
      run();
    };
    this.#at(milliseconds, fire, id);
    const handle = { id, unref: () => handle, ref: () => handle };
    return handle;
  }

  #clear(timer: SimulatedTimer | null | undefined): void {
    if (timer === null || timer === undefined) return;
    this.#events = this.#events.filter((event) => event.timer !== timer.id);
  }

  #showWallClock(): void {
    setSystemTime(new Date(this.wall));
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
