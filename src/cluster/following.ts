// A node's time with one leader, over one channel: it applies the leader's records, and sends its
// own commands and the calls that only the leader may answer.
import { leaderLost, noLeader, type Submission } from '../engine/command-port.ts';
import type { Engine } from '../engine/engine.ts';
import { type Checkpoint, DivergenceError } from '../engine/follower.ts';
import type { Limits } from '../gateway/limits/limits.ts';
import type { Identity } from '../identity/identity.ts';
import type { FileJournal } from '../journal/file-journal.ts';
import type { JournalRecord } from '../journal/journal.ts';
import { type EachCommand, keep } from './catch-up.ts';
import {
  type DownMessage,
  type OwnCommand,
  readDown,
  type SentCommand,
  upFrame,
} from './link/messages.ts';
import { Relay } from './link/relay.ts';
import { type Channel, firstFrame, LinkError, NameTakenError } from './link/transport.ts';
import { ForwardingPort, type HoldingPort } from './ports.ts';
import type { Leader } from './store.ts';

export interface FollowingOptions {
  readonly channel: Channel;
  readonly engine: Engine;
  readonly identity: Identity;
  readonly local: FileJournal;
  readonly limits: Limits;
  readonly queueLimit: number;
  /** The version of the rules that the leader writes. */
  readonly rules: () => number;
  /** The node cannot go on: its files fail, or its state differs. */
  readonly onFailure: (error: unknown) => void;
  /** Called for each command that it applies. */
  readonly each: EachCommand;
}

/** Why the channel ended, and who leads next where the leader has said so. */
export interface FollowingEnd {
  readonly reason: string;
  readonly next: Leader | null;
}

interface Question extends Pick<PromiseWithResolvers<number>, 'resolve' | 'reject'> {
  /** Resolves with its answer, or without one. */
  readonly answered: Promise<unknown>;
}

type Step = { readonly record: JournalRecord; readonly own: readonly OwnCommand[] } | Checkpoint;

/** Between two messages about rate limits, and about uses of keys and sessions. */
const TAKEN_MS = 50;
/** Between two messages about the position of this node, which only its lag is computed from. */
const ACK_MS = 20;
/** Until the leader must have accepted a node. */
const ACCEPT_MS = 2000;
const USES_MS = 5000;
/** How long a look-up waits for a node that is behind. */
const REACH_MS = 1000;

/**
 * Resolves once the leader has accepted this node, which may send commands from then on. Rejects
 * with a LinkError where the leader closes the channel instead.
 */
export async function accepted(channel: Channel): Promise<void> {
  const fail = (reason: string): never => {
    channel.close(reason);
    throw new LinkError(`The leader does not accept this node: ${reason}.`);
  };
  const message = await firstFrame(channel, ACCEPT_MS, 'it did not answer')
    .then(readDown)
    .catch((error: Error) => fail(error.message));
  if (message.type === 'head') return;
  if (message.type !== 'rejected') return fail('it did not begin with its head');
  channel.close('it does not accept this node');
  throw message.isNameTaken ? new NameTakenError(message.reason) : new LinkError(message.reason);
}

export class Following {
  readonly ended: Promise<FollowingEnd>;
  readonly #options: FollowingOptions;
  readonly #port: ForwardingPort;
  readonly #relay: Relay;
  readonly #end: (end: FollowingEnd) => void;
  readonly #timers: readonly ReturnType<typeof setInterval>[];
  /** Records and checkpoints in the order of the leader. */
  #steps: Step[] = [];
  #working: Promise<void> | null = null;
  #acking: ReturnType<typeof setTimeout> | null = null;
  #next: Leader | null = null;
  /** Questions to the leader without an answer. */
  readonly #asked = new Map<number, Question>();
  #lastAsked = 0;

  constructor(options: FollowingOptions) {
    this.#options = options;
    const { channel, engine, queueLimit, rules } = options;
    const { promise, resolve } = Promise.withResolvers<FollowingEnd>();
    this.ended = promise;
    this.#end = resolve;
    const send = (commands: readonly SentCommand[]) =>
      channel.send(upFrame('commands', { commands }));
    this.#port = new ForwardingPort(send, queueLimit, rules);
    this.#relay = new Relay(channel);
    this.#timers = [
      setInterval(() => this.tellTaken(), TAKEN_MS),
      setInterval(() => this.#tellUses(), USES_MS),
    ];
    channel.attach({
      onFrame: (frame) => this.#receive(readDown(frame)),
      onClose: (reason) => void this.#close(reason),
    });
    engine.follow(this.#port);
  }

  /** See ClusterControl.relay. */
  relay(request: Request, peer: string): Promise<Response> {
    return this.#relay.relay(request, peer);
  }

  /** See ClusterControl.syncIdentity. */
  async syncIdentity(): Promise<void> {
    await this.#sync();
  }

  /** See ClusterControl.settle. */
  async settle(): Promise<void> {
    const seq = await this.#sync();
    if (!(await this.#options.engine.reach(seq, REACH_MS))) throw leaderLost();
  }

  #sync(): Promise<number> {
    return this.#ask((number) => upFrame('sync', { number }));
  }

  #ask(frameOf: (number: number) => Uint8Array): Promise<number> {
    const { channel } = this.#options;
    if (channel.closed !== null) return Promise.reject(noLeader());
    const number = this.#lastAsked++;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const answered = promise.catch(() => undefined);
    this.#asked.set(number, { resolve, reject, answered });
    channel.send(frameOf(number));
    return promise;
  }

  #answered(number: number, answer: number): void {
    this.#asked.get(number)?.resolve(answer);
    this.#asked.delete(number);
  }

  close(reason: string): void {
    this.#options.channel.close(reason);
  }

  /** Tells the leader what has passed the limits here. */
  tellTaken(): void {
    const taken = this.#options.limits.takeNews();
    if (taken.length > 0) this.#options.channel.send(upFrame('taken', { taken }));
  }

  /** Resolves when everything that was passed on has its answer, and soon in any case. */
  async drain(limitMs: number): Promise<void> {
    const { promise: limit, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    const answered = Promise.all([
      this.#port.stop(),
      this.#relay.drained(),
      ...[...this.#asked.values()].map(({ answered: each }) => each),
    ]);
    await Promise.race([answered, limit, this.ended]);
    clearTimeout(timer);
  }

  #tellUses(): void {
    const uses = this.#options.identity.replication!.takeUses();
    if (uses.keys.length + uses.sessions.length === 0) return;
    this.#options.channel.send(upFrame('uses', uses));
  }

  #receive(message: DownMessage): void {
    const { identity, limits } = this.#options;
    switch (message.type) {
      case 'record':
      case 'checkpoint':
        this.#steps.push(message);
        this.#working ??= this.#work();
        break;
      case 'failed':
        this.#port.take(message.number).reject(message.error);
        break;
      case 'identity':
        identity.replication!.apply(message.version, message);
        break;
      case 'taken':
        limits.charge(message.taken);
        break;
      case 'answer':
      case 'bodyPart':
      case 'bodyEnd':
      case 'bodyFailed':
        this.#relay.receive(message);
        break;
      case 'synced':
        this.#answered(message.number, message.seq);
        break;
      case 'moved':
        this.#next = message;
        break;
    }
  }

  async #work(): Promise<void> {
    const { onFailure, channel } = this.#options;
    // The caller notes this promise first.
    await null;
    try {
      for (let step = this.#steps.shift(); step !== undefined; step = this.#steps.shift()) {
        if ('record' in step) await this.#apply(step.record, step.own);
        else this.#compare(step);
      }
    } catch (error) {
      onFailure(error);
      channel.close('this node cannot go on');
    } finally {
      this.#working = null;
    }
  }

  async #apply(record: JournalRecord, own: readonly OwnCommand[]): Promise<void> {
    const { local, engine, each } = this.#options;
    await keep(local, record);
    const receivers = new Map(own.map(({ index, number }) => [index, this.#port.take(number)]));
    engine.applyRecord(record, each, receivers);
    this.#acking ??= setTimeout(this.#ack, ACK_MS);
  }

  readonly #ack = (): void => {
    const { engine, identity, channel } = this.#options;
    const { version: identityVersion } = identity.replication!;
    this.#acking = null;
    channel.send(upFrame('ack', { seq: engine.seq, identityVersion }));
  };

  #compare(leader: Checkpoint): void {
    const { state } = this.#options.engine.exchange;
    // A checkpoint of a position before the first record that came over this channel.
    if (leader.seq !== state.seq) return;
    const own = state.stateHash();
    if (own !== leader.stateHash) throw new DivergenceError(leader, own);
  }

  async #close(reason: string): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#acking !== null) clearTimeout(this.#acking);
    this.#relay.end();
    for (const { reject } of this.#asked.values()) reject(noLeader());
    // Earlier records are applied, since they are durable and answer this node's clients.
    while (this.#working !== null) await this.#working;
    this.#end({ reason, next: this.#next });
  }

  /** Gives up the commands without a record: `held` gets them, else returns the uncertain ones. */
  leave(held: HoldingPort | null): readonly Submission[] {
    if (held === null) return this.#port.lose();
    for (const { command, receiver, encoded, access } of this.#port.takeRest()) {
      held.enqueue(command, receiver, encoded, access);
    }
    return [];
  }
}
