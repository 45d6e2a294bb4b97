// The engine: the exchange of this process, with its clock and timers, and the port that commands
// go to. The gateway submits all commands and reads the live state here. The engine leads, with a
// sequencer of its own, or it follows: then it applies the records of the node that leads.
import type { Command } from '../core/command.ts';
import type { CoreEvent } from '../core/event.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Journal, JournalRecord } from '../journal/journal.ts';
import { Answers } from './answers.ts';
import { BatchStages } from './batch-stages.ts';
import { BusinessClock, type WallClock } from './clock.ts';
import {
  type Access,
  type CommandPort,
  type Receipt,
  type Receiver,
  submitTo,
} from './command-port.ts';
import { applyRecord } from './recovery.ts';
import { Sequencer, type SequencerOptions } from './sequencer.ts';
import { Timers } from './timers.ts';

type OfSequencer = 'exchange' | 'queueLimit' | 'onApplied' | 'onStorageFull' | 'onFailure';

export interface EngineOptions extends Pick<SequencerOptions, OfSequencer> {
  readonly wall: WallClock;
}

/** Receives durable events and changes, as the engine applies them. */
export interface EngineObserver {
  /** The events of one command that pass the core's event filter, before the next command. */
  receiveEvents(events: readonly CoreEvent[]): void;
  /** A batch was applied: the state stands between two batches. */
  receiveApplied(): void;
  /** One of the two has thrown, so the observer's later messages are not reliable. */
  failed(error: unknown): void;
}

/** The receivers of a record's own commands, by their index in it. */
type OwnReceivers = ReadonlyMap<number, Receiver>;
const NO_RECEIVERS: OwnReceivers = new Map();

export class Engine {
  /** For reading; only this engine and its sequencer change it. */
  readonly exchange: Exchange;
  readonly wall: WallClock;
  readonly #options: EngineOptions;
  readonly #timers: Timers;
  readonly #clock: BusinessClock;
  readonly #answers: Answers;
  #port: CommandPort | null = null;
  #stages = new BatchStages();
  /** How far in the past a sandbox is being filled, ms. */
  #backdatedBy = 0;
  readonly #observers: EngineObserver[] = [];
  /** Callers that wait until the state has a position. */
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];

  /** It takes no commands before `lead` or `follow`. */
  constructor(options: EngineOptions) {
    this.#options = options;
    this.exchange = options.exchange;
    this.wall = options.wall;
    this.#answers = new Answers(options.exchange);
    this.#clock = new BusinessClock(
      options.exchange.state,
      () => options.wall() - this.#backdatedBy,
    );
    this.#timers = new Timers(this.exchange, this, this.#clock);
  }

  /** From now on this process gives each command its place, in the journal of its term. */
  lead(term: {
    readonly journal: Pick<Journal, 'append'>;
    readonly epoch: number;
    readonly rules?: () => number;
    readonly onDeposed?: () => void;
  }): Sequencer {
    const sequencer = new Sequencer({
      ...this.#options,
      ...term,
      clock: this.#clock,
      answers: this.#answers,
      onEvents: (events) => this.#notify((observer) => observer.receiveEvents(events)),
      onApplied: (seq) => {
        this.#applied(seq);
        void this.#timers.poke();
      },
    });
    this.#port = sequencer;
    this.#stages = sequencer.stages;
    return sequencer;
  }

  /** From now on another node gives each command its place, and `port` takes them there. */
  follow(port: CommandPort): void {
    this.#timers.stop();
    this.#port = port;
  }

  /** Starts the timers: only the process that leads sends what falls due. */
  start(): void {
    this.#timers.start();
  }

  /** Applies a durable record of the node that leads, and answers this process's own commands. */
  applyRecord(
    record: JournalRecord,
    each: (command: Command, outcome: Outcome) => void,
    own = NO_RECEIVERS,
  ): void {
    const { exchange } = this;
    applyRecord(exchange, record, (seq, { time, command, outcome }) => {
      if (exchange.events.length > 0) {
        this.#notify((observer) => observer.receiveEvents(exchange.events));
      }
      // Its sender has learned that the outcome is unknown, from the leader that it ended.
      if (outcome === null) return;
      each(command, outcome);
      this.#answers.applied(seq, time, outcome, own.get(seq - record.firstSeq));
    });
    this.#applied(exchange.state.seq);
  }

  #applied(seq: number): void {
    this.#options.onApplied(seq);
    this.#notify((observer) => observer.receiveApplied());
    if (this.#waiting.length === 0) return;
    const ready = this.#waiting.filter((one) => one.seq <= seq);
    this.#waiting = this.#waiting.filter((one) => one.seq > seq);
    for (const { resolve } of ready) resolve();
  }

  /** Resolves to whether the state has this position, at the latest after `withinMs`. */
  reach(seq: number, withinMs: number): Promise<boolean> {
    if (this.seq >= seq) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiting = {
        seq,
        resolve: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        resolve(false);
      }, withinMs);
      this.#waiting.push(waiting);
    });
  }

  /** Commands are durable and applied by then, so a fault of an observer is not the engine's. */
  #notify(call: (observer: EngineObserver) => void): void {
    for (const observer of this.#observers) {
      try {
        call(observer);
      } catch (error) {
        observer.failed(error);
      }
    }
  }

  observe(observer: EngineObserver): void {
    this.#observers.push(observer);
  }

  /** The last applied seq: what a read now sees. */
  get seq(): number {
    return this.exchange.state.seq;
  }

  /** Business time now, ms. */
  get now(): number {
    return this.#clock.now();
  }

  /** How far business time is ahead of the wall clock, ms. */
  get ahead(): number {
    return this.#clock.ahead;
  }

  get queueLength(): number {
    return this.#port?.queueLength ?? 0;
  }

  /** The stages of the batches of this process; commands ÷ syncs is the gain of group commit. */
  get stages(): BatchStages {
    return this.#stages;
  }

  /** See CommandPort.storageFull. */
  get storageFull(): boolean {
    return this.#port?.storageFull ?? false;
  }

  /** See submitTo. */
  submit<C extends Command>(command: C, access?: Access): Promise<Receipt<C>> {
    return submitTo(this.#requirePort(), command, access);
  }

  /** See CommandPort.enqueue. */
  enqueue(command: Command, receiver: Receiver, encoded?: Uint8Array, access?: Access): void {
    this.#requirePort().enqueue(command, receiver, encoded, access);
  }

  #requirePort(): CommandPort {
    if (this.#port === null) throw new TypeError('The engine neither leads nor follows yet.');
    return this.#port;
  }

  /** Stamps commands this long ago, ms, while a sandbox is filled; 0 ends it. */
  backdate(milliseconds: number): void {
    this.#backdatedBy = milliseconds;
    this.#clock.restart();
  }

  /** Moves the business clock forward (sandbox) and returns it after all due work. */
  async advanceClock(milliseconds: number): Promise<number> {
    await this.submit({ type: 'advanceClock', milliseconds });
    await this.#timers.poke();
    return this.now;
  }

  /** Answers all accepted commands and rejects new ones. */
  async stop(): Promise<void> {
    this.#timers.stop();
    const stopped = this.#port?.stop();
    // Commands in progress, and those that they hold up, are completed by timers.
    await this.#timers.poke();
    await stopped;
  }
}
