// The engine: the leader's exchange with its sequencer and timers. The gateway submits all commands
// and reads the live state here.
import type { Command } from '../core/command.ts';
import type { CoreEvent } from '../core/event.ts';
import type { Exchange } from '../core/exchange.ts';
import type { BatchStages } from './batch-stages.ts';
import { BusinessClock, type WallClock } from './clock.ts';
import { type Receipt, type Receiver, Sequencer, type SequencerOptions } from './sequencer.ts';
import { Timers } from './timers.ts';

export interface EngineOptions extends Omit<SequencerOptions, 'clock' | 'onEvents'> {
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

export class Engine {
  /** For reading; only the sequencer changes it. */
  readonly exchange: Exchange;
  readonly wall: WallClock;
  readonly #sequencer: Sequencer;
  readonly #timers: Timers;
  readonly #clock: BusinessClock;
  /** How far in the past a sandbox is being filled, ms. */
  #backdatedBy = 0;
  #observer: EngineObserver | null = null;

  constructor(options: EngineOptions) {
    this.exchange = options.exchange;
    this.wall = options.wall;
    this.#clock = new BusinessClock(
      options.exchange.state,
      () => options.wall() - this.#backdatedBy,
    );
    this.#sequencer = new Sequencer({
      ...options,
      clock: this.#clock,
      onEvents: (events) => this.#notify((observer) => observer.receiveEvents(events)),
      onApplied: (seq) => {
        options.onApplied(seq);
        this.#notify((observer) => observer.receiveApplied());
        void this.#timers.poke();
      },
    });
    this.#timers = new Timers(this.exchange, this.#sequencer, this.#clock);
  }

  start(): void {
    this.#timers.start();
  }

  /** Commands are durable and applied by then, so a fault of the observer is not the engine's. */
  #notify(call: (observer: EngineObserver) => void): void {
    const observer = this.#observer;
    if (observer === null) return;
    try {
      call(observer);
    } catch (error) {
      observer.failed(error);
    }
  }

  /** There is one observer at most. */
  observe(observer: EngineObserver): void {
    this.#observer = observer;
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
    return this.#sequencer.queueLength;
  }

  /** The stages of the batches; commands ÷ syncs is the gain of group commit. */
  get stages(): BatchStages {
    return this.#sequencer.stages;
  }

  /** See Sequencer.storageFull. */
  get storageFull(): boolean {
    return this.#sequencer.storageFull;
  }

  /** See Sequencer.submit. */
  submit<C extends Command>(command: C): Promise<Receipt<C>> {
    return this.#sequencer.submit(command);
  }

  /** See Sequencer.enqueue. */
  enqueue(command: Command, receiver: Receiver, encoded?: Uint8Array): void {
    this.#sequencer.enqueue(command, receiver, encoded);
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

  /** Answers all accepted commands and refuses new ones. */
  async stop(): Promise<void> {
    this.#timers.stop();
    await this.#sequencer.stop();
  }
}
