// The sequencer: gives each command its place and time, makes it durable, applies it, and answers,
// in this order. A crash can undo nothing that was applied, and so nothing that a client has seen.
//
// Group commit: while one batch is written to disk the next one gathers, so one durable write
// serves many commands. Commands are sequenced in the order in which they arrive, so a cancel never
// overtakes an earlier order of its account.
import { InvariantError } from '../core/assert.ts';
import { BinaryWriter } from '../core/binary.ts';
import type { Command } from '../core/command.ts';
import { encodeCommand } from '../core/command-form.ts';
import type { CoreEvent } from '../core/event.ts';
import type { Exchange } from '../core/exchange.ts';
import { RULES } from '../core/rules.ts';
import { encodeBatchHeader } from '../journal/codec.ts';
import { type Journal, JournalError } from '../journal/journal.ts';
import { Answers } from './answers.ts';
import { Backlog } from './backlog.ts';
import { BatchStages } from './batch-stages.ts';
import type { BusinessClock } from './clock.ts';
import {
  type Access,
  type CommandPort,
  EngineError,
  leaderLost,
  noLeader,
  notReadable,
  type Receipt,
  type Receiver,
  type Submission,
  submitTo,
} from './command-port.ts';

export interface SequencerOptions {
  readonly exchange: Exchange;
  readonly journal: Pick<Journal, 'append'>;
  readonly clock: Pick<BusinessClock, 'now'>;
  /** This process's term as leader. */
  readonly epoch: number;
  /** See Backlog. */
  readonly queueLimit: number;
  /** The engine's answers, which outlast a term as leader. */
  readonly answers?: Answers;
  /** A batch was made durable and applied, up to `seq`. */
  readonly onApplied: (seq: number) => void;
  /** The events of a command that pass the core's event filter; not called without events. */
  readonly onEvents?: (events: readonly CoreEvent[]) => void;
  /** The disk has no room for the journal; null when there is room again. */
  readonly onStorageFull?: (error: Error | null) => void;
  /** The journal or an invariant failed: the process must stop. */
  readonly onFailure: (error: unknown) => void;
  /** In a cluster: the version of the rules that every node knows; RULES if it is not set. */
  readonly rules?: () => number;
  /** In a cluster: the term of this leader has ended, and it sequences nothing more. */
  readonly onDeposed?: () => void;
}

/**
 * Commands of one sync; in a larger batch the first would wait for the application of the last.
 * An orderBatch counts as one here: more syncs would cost a third of its orders per second.
 */
const BATCH_LIMIT = 1024;
/** Bytes of a batch: each reader of its record needs memory for them. */
export const BATCH_BYTES = 1 << 20;
/** Writes that wait in the core, of at most 512 bytes each, beyond which it gets only timers. */
export const PENDING_WRITES = 4_096;
/** An attempt on a full disk writes a file until it fails. */
const FULL_PAUSE_MS = 1000;

/** The facts that all commands of a batch share. */
interface BatchHeader {
  /** The version of the core's rules. */
  readonly rules: number;
  /** Business time, ms. */
  readonly time: number;
}

interface Waiting extends Submission {
  /** When it was submitted. */
  readonly at: number;
}

export class Sequencer implements CommandPort {
  readonly #options: SequencerOptions;
  readonly #answers: Answers;
  readonly #writer = new BinaryWriter(1 << 16);
  readonly #backlog: Backlog;
  #queue: Waiting[] = [];
  #inFlight: Waiting[] = [];
  #scheduled = false;
  /** The seq and the earliest business time of the next batch. */
  #nextSeq: number;
  #time: number;
  #state: 'running' | 'stopping' | 'deposed' | 'failed' = 'running';
  #storageFull = false;
  /** Set while a full disk is not tried again. */
  #fullPause: ReturnType<typeof setTimeout> | null = null;
  #stopped: Promise<void> | null = null;
  #drained: (() => void) | null = null;
  /** Another leader goes on with what is in progress. */
  #isReleased = false;
  /** The stages of each batch; one sync of the journal each. */
  readonly stages = new BatchStages();
  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#answers = options.answers ?? new Answers(options.exchange);
    this.#backlog = new Backlog(options.queueLimit);
    // Recovery leaves the rules of the last record, which an older release may have written.
    const { state } = options.exchange;
    if (options.rules === undefined) state.rules = RULES;
    this.#nextSeq = state.seq + 1;
    this.#time = state.time;
  }

  /** See CommandPort. */
  get queueLength(): number {
    return this.#backlog.writes;
  }

  /** The last batch was rejected because the disk has no room for it. */
  get storageFull(): boolean {
    return this.#storageFull;
  }

  /**
   * Resolves when the command is durable and applied. Rejects with an EngineError; after any but
   * `failed` nothing was done.
   */
  submit<C extends Command>(command: C): Promise<Receipt<C>> {
    return submitTo(this, command);
  }

  /** Like `submit`, without a promise. `encoded` is the command as encodeCommand writes it. */
  enqueue(command: Command, receiver: Receiver, encoded?: Uint8Array, access?: Access): void {
    const rejection = this.#rejection(command);
    if (rejection !== null) {
      receiver.reject(rejection);
      return;
    }
    this.#backlog.add(command);
    this.#queue.push({ command, receiver, encoded, access, at: performance.now() });
    this.#schedule();
  }

  #rejection(command: Command): EngineError | null {
    if (this.#state === 'failed') return new EngineError('failed', 'The journal has failed.');
    if (this.#state === 'stopping' && !this.#completes(command)) {
      return new EngineError('stopping', 'The server is stopping.');
    }
    if (this.#state === 'deposed') return noLeader();
    if (this.#fullPause !== null) return storageFull();
    const { exchange } = this.#options;
    const isHeldBack = exchange.isBusy && exchange.mustWait(command);
    // The timers end what holds the others back, so a full queue takes them too.
    if (command.type !== 'runTimers' && !this.#backlog.hasRoomFor(command, isHeldBack)) {
      return new EngineError('overloaded', 'Too many commands wait for the disk.');
    }
    return notReadable(command, () => this.#rules);
  }

  /** True for a runTimers that continues accepted commands. */
  #completes({ type }: Command): boolean {
    return type === 'runTimers' && (this.#options.exchange.isBusy || this.#queue.length > 0);
  }

  /** Rejects new commands from now on and resolves when all that were accepted are answered. */
  stop(): Promise<void> {
    if (this.#state === 'running') this.#state = 'stopping';
    this.#stopped ??= new Promise((resolve) => {
      this.#drained = resolve;
      this.#settleDrain();
    });
    return this.#stopped;
  }

  /**
   * Gives up the commands that wait; resolves to them once none is in flight. The next leader
   * completes those in progress.
   */
  async release(): Promise<readonly Submission[]> {
    const queue = this.#takeQueue();
    this.#isReleased = true;
    await this.stop();
    return queue;
  }

  /** The version of the rules of the next batch. */
  get #rules(): number {
    return this.#options.rules?.() ?? RULES;
  }

  /** Runs a batch at the end of this turn of the event loop, for all requests read in it. */
  #schedule(): void {
    if (this.#scheduled || this.#inFlight.length > 0 || this.#hasEnded) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#commit();
    });
  }

  async #commit(): Promise<void> {
    if (this.#inFlight.length > 0) return;
    const batch = this.#takeBatch();
    if (batch.length === 0) return;
    this.#inFlight = batch;
    const { exchange, onApplied } = this.#options;
    const firstSeq = this.#nextSeq;
    try {
      const header = await this.#write(batch, firstSeq);
      if (this.#hasEnded) return;
      this.#inFlight = [];
      this.#nextSeq = firstSeq + batch.length;
      // The disk gets the next batch before this one is applied and answered, so it never waits for
      // the core. Only a move of the clock comes first: it decides the time of the next batch.
      if (!batch.some(({ command }) => command.type === 'advanceClock')) void this.#commit();
      this.#apply(batch, firstSeq, header);
    } catch (error) {
      const kind = error instanceof JournalError ? error.kind : null;
      if (kind === 'full') this.#rejectWaiting(error as JournalError);
      else if (kind === 'fenced' || kind === 'uncertain') this.depose(kind === 'uncertain');
      else this.#fail(error, batch);
      return;
    }
    this.#setStorageFull(null);
    onApplied(exchange.state.seq);
    void this.#commit();
    this.#settleDrain();
  }

  /** The oldest commands that wait, without those that a command in progress holds up. */
  #takeBatch(): Waiting[] {
    const { exchange } = this.#options;
    const batch = exchange.isBusy ? this.#takeFree() : this.#queue.splice(0, BATCH_LIMIT);
    for (const { command } of batch) this.#backlog.remove(command);
    return batch;
  }

  /**
   * The core would keep the others as part of its state, which must stay small. The commands of an
   * account stay in order.
   */
  #takeFree(): Waiting[] {
    const { exchange } = this.#options;
    const batch: Waiting[] = [];
    const accounts = new Set<number>();
    const isFull = exchange.pendingWrites >= PENDING_WRITES;
    this.#queue = this.#queue.filter((waiting) => {
      const { command } = waiting;
      const uid = 'uid' in command ? command.uid : 0;
      const isFree =
        batch.length < BATCH_LIMIT &&
        !accounts.has(uid) &&
        (isFull ? command.type === 'runTimers' : !exchange.mustWait(command));
      if (isFree) batch.push(waiting);
      else if (uid !== 0) accounts.add(uid);
      return !isFree;
    });
    return batch;
  }

  /** All commands that wait for their batch. */
  #takeQueue(): readonly Waiting[] {
    const queue = this.#queue;
    this.#queue = [];
    this.#backlog.clear();
    return queue;
  }

  /** Makes a batch durable; resolves to its header. */
  async #write(batch: Waiting[], firstSeq: number): Promise<BatchHeader> {
    const { journal, clock, epoch } = this.#options;
    const started = performance.now();
    this.stages.queue.observe(started - batch[0]!.at);
    // The batch before is not applied yet, so the clock may not know its time.
    const time = Math.max(this.#time, clock.now());
    this.#time = time;
    const rules = this.#rules;
    const payload = this.#encode(batch, { rules, time });
    await journal.append({ firstSeq, count: batch.length, epoch, payload });
    this.stages.journal.observe(performance.now() - started);
    return { rules, time };
  }

  /** Gives back the commands beyond the bytes of a batch. */
  #encode(batch: Waiting[], { rules, time }: BatchHeader): Uint8Array {
    const out = this.#writer;
    for (;;) {
      out.reset();
      encodeBatchHeader(out, rules, time, batch.length);
      const fitting = batch.findIndex(({ command, encoded }, index) => {
        if (encoded === undefined) encodeCommand(out, command);
        else out.raw(encoded);
        return out.length > BATCH_BYTES && index > 0;
      });
      if (fitting === -1) return out.view();
      const rest = batch.splice(fitting);
      for (const { command } of rest) this.#backlog.add(command);
      this.#queue = rest.concat(this.#queue);
    }
  }

  #apply(batch: readonly Waiting[], firstSeq: number, { rules, time }: BatchHeader): void {
    const { exchange, onEvents } = this.#options;
    const started = performance.now();
    const commands = batch.map(({ command }) => command);
    exchange.applyRecord({ firstSeq, rules, time }, commands, (seq, _, outcome) => {
      if (onEvents !== undefined && exchange.events.length > 0) onEvents(exchange.events);
      this.#answers.applied(seq, time, outcome, batch[seq - firstSeq].receiver);
    });
    this.stages.observeApplied(started);
  }

  /** Nothing of the batch was written: rejects all waiting commands and retries the disk later. */
  #rejectWaiting(error: JournalError): void {
    const waiting = [...this.#inFlight, ...this.#takeQueue()];
    this.#inFlight = [];
    this.#fullPause = setTimeout(() => {
      this.#fullPause = null;
    }, FULL_PAUSE_MS);
    this.#fullPause.unref?.();
    this.#setStorageFull(error);
    for (const { receiver } of waiting) receiver.reject(storageFull());
    this.#settleDrain();
  }

  /** The term has ended: rejects all waiting commands; those in flight may yet be durable. */
  depose(isUncertain: boolean): void {
    if (this.#hasEnded) return;
    this.#state = 'deposed';
    const [inFlight, queue] = [this.#inFlight, this.#takeQueue()];
    this.#inFlight = [];
    const lost = isUncertain ? leaderLost() : noLeader();
    for (const { receiver } of inFlight) receiver.reject(lost);
    for (const { receiver } of queue) receiver.reject(noLeader());
    this.#options.onDeposed?.();
    this.#settleDrain();
  }

  get #hasEnded(): boolean {
    return this.#state === 'failed' || this.#state === 'deposed';
  }

  #setStorageFull(error: JournalError | null): void {
    if (this.#storageFull === (error !== null)) return;
    this.#storageFull = error !== null;
    this.#options.onStorageFull?.(error);
  }

  /** The disk or the state is unknown: rejects all waiting commands, and the process must end. */
  #fail(error: unknown, batch: readonly Waiting[]): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    const reason =
      error instanceof InvariantError ? 'An invariant is broken' : 'The journal failed';
    const waiting = [...batch, ...this.#inFlight, ...this.#takeQueue()];
    this.#inFlight = [];
    for (const { receiver } of waiting) {
      receiver.reject(
        new EngineError('failed', `${reason}; the outcome is unknown.`, { cause: error }),
      );
    }
    this.#answers.fail(
      new EngineError('failed', `${reason}; the outcome is unknown.`, { cause: error }),
    );
    this.#options.onFailure(error);
    this.#settleDrain();
  }

  #settleDrain(): void {
    if (this.#drained === null || this.#inFlight.length > 0 || this.#queue.length > 0) return;
    const { isBusy } = this.#options.exchange;
    if (this.#state === 'stopping' && isBusy && !this.#isReleased) return;
    this.#drained();
    this.#drained = null;
  }
}

const storageFull = (): EngineError =>
  new EngineError('storageFull', 'The disk has no room for the journal.');
