// One node, seen from the node that leads: its commands come in, the journal goes out. A node that
// is behind gets its records from the leader's files first, then each new one as it is applied.
import { Problem } from '../contract/problem.ts';
import { BinaryReader } from '../core/binary.ts';
import type { Command } from '../core/command.ts';
import { decodeCommand } from '../core/command-form.ts';
import { EngineError, type Receipt, type Receiver } from '../engine/command-port.ts';
import type { Engine } from '../engine/engine.ts';
import type { Checkpoint } from '../engine/follower.ts';
import type { ClusterNode } from '../gateway/cluster-control.ts';
import type { Limits, Usage } from '../gateway/limits/limits.ts';
import type { Identity } from '../identity/identity.ts';
import { type JournalRecord, lastSeqOf } from '../journal/journal.ts';
import type { PeerHello } from './link/hello.ts';
import {
  downFrame,
  type OwnCommand,
  readUp,
  type SentCommand,
  type UpMessage,
} from './link/messages.ts';
import { RelayDesk, type RelayDeskOptions } from './link/relay-desk.ts';
import { accessRejection } from './live-access.ts';
import type { Leader } from './store.ts';

/** More than this not applied, and a node gets its records from the files, as it can take them. */
const MAX_UNAPPLIED_BYTES = 8 * 1024 * 1024;

export interface FeedOptions extends RelayDeskOptions {
  readonly hello: PeerHello;
  readonly engine: Engine;
  /** Replicated: it was opened with the rows of the store. */
  readonly identity: Identity;
  readonly limits: Limits;
  /** The leader's own files. */
  readonly read: (fromSeq: number) => AsyncIterable<JournalRecord[]>;
  /**
   * All applied records from this seq on, where they are in memory; none where they are not. Under
   * load a node would never reach the end of the files, which move on.
   */
  readonly recent: (fromSeq: number) => readonly JournalRecord[];
  /** See Leading.settle. */
  readonly settle: () => Promise<number>;
  /** Counts of rate limits, for the other nodes. */
  readonly onTaken: (feed: Feed, taken: readonly Usage[]) => void;
  readonly onClose: (feed: Feed, reason: string) => void;
}

export class Feed {
  readonly #options: FeedOptions;
  readonly #relayed: RelayDesk;
  /** The seq of the last record that was sent. */
  #sentSeq: number;
  /** The end of the journal that the node has applied. */
  #ackedSeq: number;
  /** The records that were sent and not applied, oldest first: they wait in the node's memory. */
  #unapplied: { readonly lastSeq: number; readonly bytes: number }[] = [];
  #unappliedBytes = 0;
  /** The numbers of the node's commands by their seq, until their record is sent. */
  readonly #own = new Map<number, number>();
  /** True if each record is sent as it is applied. */
  #isLive = false;
  /** Settles when the node is live, or gone. */
  #catchingUp: Promise<void>;
  /** True if it still takes commands. */
  #isOpen = true;
  /** The node's commands without an answer. */
  #waiting = 0;
  readonly #settled = Promise.withResolvers<void>();
  #drained: (() => void) | null = null;
  readonly #since: number;

  constructor(options: FeedOptions) {
    this.#options = options;
    const { channel, hello, engine, serve, onFault } = options;
    this.#sentSeq = hello.seq;
    this.#ackedSeq = hello.seq;
    this.#since = engine.wall();
    this.#relayed = new RelayDesk({ channel, serve, onFault });
    channel.attach({
      onFrame: (frame) => this.#receive(readUp(frame)),
      onClose: (reason) => this.#close(reason),
    });
    this.#catchingUp = this.#catchUp();
  }

  get node(): string {
    return this.#options.hello.node;
  }

  get address(): string {
    return this.#options.hello.address;
  }

  get instance(): string {
    return this.#options.hello.instance;
  }

  get ackedSeq(): number {
    return this.#ackedSeq;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  get catchingUp(): Promise<void> {
    return this.#catchingUp;
  }

  status(): ClusterNode {
    const { node, address } = this;
    return {
      node,
      address,
      role: 'follower',
      seq: this.#ackedSeq,
      connectedSince: this.#since,
    };
  }

  #receive(message: UpMessage): void {
    const { identity, limits, onTaken } = this.#options;
    switch (message.type) {
      case 'commands':
        this.#enqueue(message.commands);
        break;
      case 'request':
      case 'pull':
      case 'cancel':
        this.#relayed.receive(message);
        break;
      case 'ack':
        this.#acked(message.seq);
        break;
      case 'sync':
        void this.#sync(message.number);
        break;
      case 'uses':
        identity.replication!.noteUses(message);
        break;
      case 'taken':
        limits.charge(message.taken);
        onTaken(this, message.taken);
        break;
    }
  }

  /** Without an answer, the node asks the next leader. */
  async #sync(number: number): Promise<void> {
    const seq = await this.#options.settle().catch(() => null);
    if (seq !== null) this.#options.channel.send(downFrame('synced', { number, seq }));
  }

  #acked(seq: number): void {
    this.#ackedSeq = seq;
    const count = this.#unapplied.findIndex(({ lastSeq }) => lastSeq > seq);
    const applied = this.#unapplied.splice(0, count < 0 ? this.#unapplied.length : count);
    for (const { bytes } of applied) this.#unappliedBytes -= bytes;
    if (!this.#isFull) this.#resume();
  }

  get #isFull(): boolean {
    return this.#unappliedBytes > MAX_UNAPPLIED_BYTES;
  }

  #close(reason: string): void {
    this.#isOpen = false;
    this.#resume();
    this.#settleClosed();
    this.#relayed.end();
    this.#options.onClose(this, reason);
  }

  close(reason: string): void {
    this.#options.channel.close(reason);
  }

  /** Resolves once the channel is closed and every command of it is applied or rejected. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  #settleClosed(): void {
    if (this.#waiting === 0 && this.#options.channel.closed !== null) this.#settled.resolve();
  }

  /** Gives each command its place, unless its key or session is no longer live. */
  #enqueue(commands: readonly SentCommand[]): void {
    const { engine, identity } = this.#options;
    if (!this.#isOpen) return;
    for (const { number, access, encoded } of commands) {
      const receiver = this.#receiverOf(number);
      const rejection = accessRejection(identity, access, engine.wall());
      if (rejection !== null) receiver.reject(rejection);
      else engine.enqueue(commandOf(encoded), receiver, encoded, access);
    }
  }

  #receiverOf(number: number): Receiver {
    const { channel } = this.#options;
    this.#waiting++;
    return new RemoteReceiver({
      placed: (seq) => this.#own.set(seq, number),
      failed: (error) => channel.send(downFrame('failed', { number, error: rejectionOf(error) })),
      answered: () => {
        this.#waiting--;
        this.#settleClosed();
      },
    });
  }

  /** Takes no more commands; the node sends them again, to the next leader. */
  stop(): void {
    this.#isOpen = false;
  }

  /** Tells a node that has every record who leads now. The others see the channel close. */
  moved(next: Leader): void {
    if (this.#isLive) this.#options.channel.send(downFrame('moved', next));
  }

  /** The record was applied, and its commands are in #own. */
  applied(record: JournalRecord): void {
    if (!this.#isLive) return;
    if (this.#isFull) {
      this.#isLive = false;
      this.#catchingUp = this.#catchUp();
    } else {
      this.#send(record);
    }
  }

  /** A write of identity is durable. */
  identity(frame: Uint8Array): void {
    this.#options.channel.send(frame);
  }

  checkpoint(checkpoint: Checkpoint): void {
    if (this.#isLive) this.#options.channel.send(downFrame('checkpoint', checkpoint));
  }

  taken(taken: readonly Usage[]): void {
    this.#options.channel.send(downFrame('taken', { taken }));
  }

  #resume(): void {
    this.#drained?.();
    this.#drained = null;
  }

  async #catchUp(): Promise<void> {
    const { channel, engine, read, recent, onFault } = this.#options;
    try {
      while (this.#sentSeq < engine.seq) {
        if (this.#isFull) await this.#room();
        if (channel.closed !== null) return;
        const rest = recent(this.#sentSeq + 1);
        for (const record of rest) this.#send(record);
        if (rest.length > 0) break;
        for await (const group of read(this.#sentSeq + 1)) {
          for (const record of group) {
            // Whose the commands of a later record are is known once it is applied.
            if (lastSeqOf(record) > engine.seq) break;
            this.#send(record);
            if (this.#isFull) await this.#room();
            if (channel.closed !== null) return;
          }
        }
      }
      this.#isLive = true;
    } catch (error) {
      onFault(error);
      channel.close('the records for this node cannot be read');
    }
  }

  /** Resolves when the node has applied enough, or is gone. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  #send(record: JournalRecord): void {
    const { firstSeq, count } = record;
    const own: OwnCommand[] = [];
    if (this.#own.size > 0) {
      for (let index = 0; index < count; index++) {
        const number = this.#own.get(firstSeq + index);
        if (number === undefined) continue;
        own.push({ index, number });
        this.#own.delete(firstSeq + index);
      }
    }
    this.#options.channel.send(downFrame('record', { record, own }));
    this.#sentSeq = lastSeqOf(record);
    this.#unapplied.push({ lastSeq: this.#sentSeq, bytes: record.payload.length });
    this.#unappliedBytes += record.payload.length;
  }
}

interface RemoteSender {
  readonly placed: (seq: number) => void;
  readonly failed: (error: Error) => void;
  /** Called last: the command is applied, or was rejected. */
  readonly answered: () => void;
}

/** The node that sent the command answers it, and sends it again to the next leader. */
export class RemoteReceiver implements Receiver {
  readonly #sender: RemoteSender;
  #isPlaced = false;

  constructor(sender: RemoteSender) {
    this.#sender = sender;
  }

  sequenced(seq: number): void {
    this.#isPlaced = true;
    this.#sender.placed(seq);
  }

  resolve({ seq }: Receipt): void {
    if (!this.#isPlaced) this.#sender.placed(seq);
    this.#sender.answered();
  }

  reject(error: Error): void {
    this.#sender.failed(error);
    this.#sender.answered();
  }
}

const rejectionOf = (error: Error): EngineError | Problem =>
  error instanceof EngineError || error instanceof Problem
    ? error
    : new EngineError('failed', error.message);

const commandOf = (encoded: Uint8Array): Command => decodeCommand(new BinaryReader(encoded));
