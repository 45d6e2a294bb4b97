// The port of the journal: the one ordered, durable, hash-chained list of commands from which every
// state of the venue can be rebuilt. The engine appends and replays, the follower tails; neither
// knows where the bytes live. A payload is opaque here: codec.ts gives it meaning.

/** `count` commands numbered from `firstSeq`, the argument of `append`. */
export interface JournalBatch {
  readonly firstSeq: number;
  readonly count: number;
  /** The term of the leader that appends the batch. */
  readonly epoch: number;
  /** The encoded commands. That of a record may be kept, and must not be written to. */
  readonly payload: Uint8Array;
}

/** A batch that is durable and has a place in the chain. */
export interface JournalRecord extends JournalBatch {
  /** 32 bytes: SHA-256 over the previous chain hash, the header fields and the payload. */
  readonly chainHash: Uint8Array;
  /** Its commands that were set aside and have no effect; none in most records. */
  readonly setAside?: readonly SkippedCommand[];
}

/** A command that was set aside. */
export interface SkippedCommand {
  readonly seq: number;
  /** The work of a runTimers that ends with it (State.onPart); 0: none. */
  readonly part: number;
}

export const lastSeqOf = ({ firstSeq, count }: JournalBatch): number => firstSeq + count - 1;

export interface JournalHead {
  /** The last durable seq, 0 when the journal is empty. */
  readonly seq: number;
  /** The chain hash of the last durable record, 32 zero bytes when the journal is empty. */
  readonly chainHash: Uint8Array;
}

/** Files beside the journal that are made of durable commands only: the journal must have these. */
export interface DurabilityEvidence {
  /** Names the files for an operator. */
  readonly files: string;
  /** The last command that they show. */
  readonly seq: number;
}

/** The last command that the evidence shows to have been durable, 0 without any. */
export const durableSeqOf = (evidence: readonly DurabilityEvidence[]): number =>
  Math.max(0, ...evidence.map(({ seq }) => seq));

export interface Journal {
  /** Moves only when a batch has become durable. */
  readonly head: JournalHead;

  /**
   * Appends one batch and resolves, with the new head, once a power loss could not undo it. The
   * payload holds 1 byte to 64 MiB and is not read any more once the promise has settled.
   *
   * Only one append may be in flight: a second one rejects with an InvariantError. Rejects with a
   * JournalError of kind
   * - `sequence` when `firstSeq` is not `head.seq + 1`; nothing was written, the journal goes on;
   * - `full` when there is no room for the file that the batch needs; nothing was written, and the
   *   same append may be tried again;
   * - `io` when the medium failed. That is final: whether the batch survives is unknown until the
   *   journal is opened again, and every later append rejects the same way without being tried;
   * - `closed` after `close`;
   * - in a cluster also `fenced` and `uncertain`, which are final too.
   */
  append(batch: JournalBatch): Promise<JournalHead>;

  /**
   * The verified durable records whose last seq is at least `fromSeq`, in groups that are never
   * empty. Throws `sequence` for truncated records, `corrupt`, `io` or `closed`.
   */
  read(fromSeq: number): AsyncIterable<JournalRecord[]>;

  /** Removes whole segments below `seq`, never the one being written. Rejects: `io`, `closed`. */
  truncateBefore(seq: number): Promise<void>;

  /** Waits for the append in flight, then frees what is held. May be called more than once. */
  close(): Promise<void>;
}

/**
 * - `locked`: another process uses the data directory;
 * - `corrupt`: durable bytes are damaged or missing, and an operator has to restore them;
 * - `sequence`: the caller and the journal disagree about what comes next, or about what is kept;
 * - `full`: there is no room for the next file; nothing was written, and nothing is lost;
 * - `key`: no master key that was given fits, which says nothing about the bytes;
 * - `rules`: a release that this one cannot read wrote it;
 * - `io`: the medium rejected an operation;
 * - `fenced`: another node leads the cluster; nothing was written;
 * - `uncertain`: the store of the cluster did not answer; whether it has the batch is unknown;
 * - `closed`: the journal was closed before the call.
 */
export type JournalErrorKind =
  | 'locked'
  | 'corrupt'
  | 'sequence'
  | 'full'
  | 'key'
  | 'rules'
  | 'io'
  | 'fenced'
  | 'uncertain'
  | 'closed';

/** Where an error was found; `file` is a path that an operator can open. */
export interface JournalErrorPlace {
  readonly file?: string;
  readonly offset?: number;
  readonly cause?: unknown;
}

/** The one error of this folder. The message ends in what the operator can do. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly kind: JournalErrorKind;
  readonly file?: string;
  readonly offset?: number;

  constructor(kind: JournalErrorKind, message: string, place: JournalErrorPlace = {}) {
    super(message, place.cause === undefined ? undefined : { cause: place.cause });
    this.kind = kind;
    this.file = place.file;
    this.offset = place.offset;
  }
}

/** The error of damaged or missing bytes in `file`. */
export const corrupt = (message: string, file: string, offset?: number): JournalError =>
  new JournalError('corrupt', message, { file, offset });
