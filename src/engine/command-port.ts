// Where commands go to get their place in the journal: the sequencer, or on a node of a cluster
// that does not lead, the link to the node that does.
import type { Command } from '../core/command.ts';
import type { Outcome, ResultOf } from '../core/outcome.ts';
import { OLDEST_RULES, rulesOf } from '../core/rules.ts';

/**
 * - `overloaded`: too many commands wait for the disk. Nothing was done; the client may repeat it.
 * - `storageFull`: the disk has no room for the journal. Nothing was done; the client may repeat it
 *   when there is room.
 * - `stopping`: the process is shutting down. Nothing was done.
 * - `noLeader`: no node of the cluster leads at the moment. Nothing was done; the client may repeat
 *   it.
 * - `notReady`: during an upgrade of a cluster, a node of the older release cannot read the command
 *   yet. Nothing was done; the client may repeat it.
 * - `leaderLost`: the leader was lost before its answer. The outcome is unknown until another node
 *   leads.
 * - `failed`: the journal or an invariant failed. The outcome of a command in flight is unknown
 *   until the process has restarted.
 */
export type EngineErrorKind =
  | 'overloaded'
  | 'storageFull'
  | 'stopping'
  | 'noLeader'
  | 'notReady'
  | 'leaderLost'
  | 'failed';

/** The engine did not execute a command. A business rejection is an outcome instead. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    readonly kind: EngineErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The outcome of a command, and the place in the journal of the command that completed it. */
export interface Receipt<C extends Command = Command> {
  readonly seq: number;
  /** Its business time, ms. */
  readonly time: number;
  /** Units of work that it has done (core/work.ts). */
  readonly work: number;
  readonly outcome: Outcome<ResultOf<C>>;
}

/** Receives the end of a command; it must not throw. */
export interface Receiver {
  /** The command is durable and done. */
  resolve(receipt: Receipt): void;
  /** The command is durable and goes on in later commands; `resolve` follows. */
  sequenced?(seq: number): void;
  /** After any error but `failed` and `leaderLost` nothing was done. */
  reject(error: Error): void;
}

/**
 * The key or the session by which a customer's command comes; null for a command of the venue. This
 * process has checked it, and the node that leads checks it again: it knows of every revocation.
 */
export type Access = { readonly keyId: number } | { readonly sessionId: number } | null;

/** A command on its way to a port. */
export interface Submission {
  readonly command: Command;
  readonly receiver: Receiver;
  /** The command as encodeCommand writes it, where it came as bytes. */
  readonly encoded: Uint8Array | undefined;
  readonly access: Access | undefined;
}

export interface CommandPort {
  /** Writes that wait for their place: each entry of a batch is one. */
  readonly queueLength: number;
  /** The last batch was rejected because the disk has no room for it. */
  readonly storageFull: boolean;
  enqueue(command: Command, receiver: Receiver, encoded?: Uint8Array, access?: Access): void;
  /** Rejects new commands from now on and resolves when all that were accepted are answered. */
  stop(): Promise<void>;
}

/** `enqueue` with a promise, which rejects with an EngineError. */
export function submitTo<C extends Command>(
  port: CommandPort,
  command: C,
  access?: Access,
): Promise<Receipt<C>> {
  return new Promise((resolve, reject) => {
    const receiver = { resolve: resolve as (receipt: Receipt) => void, reject };
    port.enqueue(command, receiver, undefined, access);
  });
}

/** The error of a command that is newer than the rules of the next record; else null. */
export const notReadable = (command: Command, rules: () => number): EngineError | null =>
  rulesOf(command) === OLDEST_RULES || rulesOf(command) <= rules()
    ? null
    : new EngineError(
        'notReady',
        'This call needs newer rules than the cluster has. An operator raises them after an ' +
          'upgrade, with "agio cluster upgrade".',
      );

export const noLeader = (): EngineError =>
  new EngineError('noLeader', 'No node of the cluster leads at the moment.');

export const leaderLost = (): EngineError =>
  new EngineError('leaderLost', 'The leader was lost; the outcome is unknown.');
