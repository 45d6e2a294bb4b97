// The ports of a node's commands while it does not lead: to the node that leads, to none, or to
// wait while the lead changes hands.
import { BinaryWriter } from '../core/binary.ts';
import type { Command } from '../core/command.ts';
import { encodeCommand } from '../core/command-form.ts';
import { Backlog } from '../engine/backlog.ts';
import {
  type Access,
  type CommandPort,
  EngineError,
  noLeader,
  notReadable,
  type Receiver,
  type Submission,
} from '../engine/command-port.ts';
import type { SentCommand } from './link/messages.ts';

/** How long commands wait for the next leader during a handover. */
export const HOLD_MS = 1000;

/** Rejects every command: there is nobody who could give it a place. */
export const NO_LEADER: CommandPort = {
  queueLength: 0,
  storageFull: false,
  enqueue: (_command, receiver) => receiver.reject(noLeader()),
  stop: () => Promise.resolve(),
};

/**
 * Keeps commands of customers for some time, until it is known who leads. It rejects those of the
 * venue: the call of an operator also writes its audit entry, which only the leader may.
 */
export class HoldingPort implements CommandPort {
  readonly storageFull = false;
  readonly #backlog: Backlog;
  #held: Submission[] = [];
  #ended = false;

  /** Rejects what it holds after `withinMs`. `limit`: see Backlog. */
  constructor(limit: number, withinMs: number) {
    this.#backlog = new Backlog(limit);
    setTimeout(() => this.#reject(), withinMs);
  }

  /** True if it still holds what comes. */
  get isOpen(): boolean {
    return !this.#ended;
  }

  get queueLength(): number {
    return this.#backlog.writes;
  }

  enqueue(command: Command, receiver: Receiver, encoded?: Uint8Array, access?: Access): void {
    const isOfVenue = access === undefined || access === null;
    if (this.#ended || isOfVenue || !this.#backlog.hasRoomFor(command)) {
      receiver.reject(noLeader());
      return;
    }
    this.#backlog.add(command);
    this.#held.push({ command, receiver, encoded, access });
  }

  /** Sends everything to the port of the next leader, but what `rejectionOf` rejects. */
  passOn(port: CommandPort, rejectionOf: (access: Access) => Error | null = () => null): void {
    const held = this.#held;
    this.#held = [];
    this.#backlog.clear();
    this.#ended = true;
    for (const { command, receiver, encoded, access } of held) {
      const rejection = rejectionOf(access ?? null);
      if (rejection !== null) receiver.reject(rejection);
      else port.enqueue(command, receiver, encoded, access);
    }
  }

  #reject(): void {
    this.passOn(NO_LEADER);
  }

  async stop(): Promise<void> {
    this.#reject();
  }
}

interface InFlight extends Submission {
  readonly number: number;
}

/** Takes commands to the node that leads, and answers them when their record comes back. */
export class ForwardingPort implements CommandPort {
  storageFull = false;
  readonly #send: (commands: readonly SentCommand[]) => void;
  readonly #backlog: Backlog;
  readonly #rules: () => number;
  readonly #writer = new BinaryWriter(1 << 12);
  readonly #inFlight = new Map<number, InFlight>();
  #next = 1;
  #outbox: SentCommand[] = [];
  #isOpen = true;
  #drained: (() => void) | null = null;

  /**
   * `send` takes the commands of one turn of the event loop. `limit` is for those without an
   * answer: see Backlog.
   * `rules`: the version of the rules that the leader writes.
   */
  constructor(
    send: (commands: readonly SentCommand[]) => void,
    limit: number,
    rules: () => number,
  ) {
    this.#send = send;
    this.#backlog = new Backlog(limit);
    this.#rules = rules;
  }

  get queueLength(): number {
    return this.#backlog.writes;
  }

  enqueue(command: Command, receiver: Receiver, encoded?: Uint8Array, access?: Access): void {
    if (!this.#isOpen) {
      receiver.reject(noLeader());
      return;
    }
    if (!this.#backlog.hasRoomFor(command)) {
      receiver.reject(new EngineError('overloaded', 'Too many commands wait for the leader.'));
      return;
    }
    const unreadable = notReadable(command, this.#rules);
    if (unreadable !== null) {
      receiver.reject(unreadable);
      return;
    }
    const number = this.#next++;
    const bytes = encoded ?? this.#encode(command);
    this.#backlog.add(command);
    this.#inFlight.set(number, { command, receiver, encoded: bytes, access, number });
    if (this.#outbox.push({ number, access: access ?? null, encoded: bytes }) === 1) {
      setImmediate(this.#flush);
    }
  }

  #encode(command: Command): Uint8Array {
    this.#writer.reset();
    encodeCommand(this.#writer, command);
    return this.#writer.view().slice();
  }

  readonly #flush = (): void => {
    const outbox = this.#outbox;
    this.#outbox = [];
    if (this.#isOpen && outbox.length > 0) this.#send(outbox);
  };

  /** Takes the receiver of a command that has its place in the journal, or was rejected. */
  take(number: number): Receiver {
    const found = this.#inFlight.get(number);
    if (found === undefined) throw new TypeError(`the leader answers an unknown command ${number}`);
    this.#inFlight.delete(number);
    this.#backlog.remove(found.command);
    if (this.#inFlight.size === 0) this.#drained?.();
    return found.receiver;
  }

  /** The lead was handed over: takes the commands without a record, to be sent again. */
  takeRest(): readonly Submission[] {
    const rest = [...this.#inFlight.values()];
    this.#close();
    return rest;
  }

  /** The leader is lost: returns the commands that it may have made durable, or still may. */
  lose(): readonly Submission[] {
    const unsent = new Set(this.#outbox.map(({ number }) => number));
    const lost = [...this.#inFlight.values()];
    this.#close();
    for (const { number, receiver } of lost) if (unsent.has(number)) receiver.reject(noLeader());
    return lost.filter(({ number }) => !unsent.has(number));
  }

  #close(): void {
    this.#isOpen = false;
    this.#inFlight.clear();
    this.#backlog.clear();
    this.#drained?.();
  }

  async stop(): Promise<void> {
    if (this.#inFlight.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
  }
}
