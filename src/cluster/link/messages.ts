// The messages of the link, beside those of relayed requests (gateway/relay/frames.ts), with which
// they share the first byte of a frame, the kind.
import { Problem } from '../../contract/problem.ts';
import { BinaryReader, BinaryWriter } from '../../core/binary.ts';
import { type Access, EngineError, type EngineErrorKind } from '../../engine/command-port.ts';
import { RelayDown, RelayUp, readProblem, writeProblem } from '../../gateway/relay/frames.ts';
import type { NotedUses } from '../../identity/replication.ts';
import type { IdentityChange, IdentityValue } from '../../identity/storage/change.ts';
import type { Use } from '../../identity/uses.ts';
import type { JournalHead, JournalRecord } from '../../journal/journal.ts';
import {
  bytes,
  bytes32,
  type Form,
  FormError,
  fields,
  flag,
  list,
  natural,
  oneOf,
  readWhole,
  text,
} from './forms.ts';

export interface SentCommand {
  /** The sending node's number of the command. */
  readonly number: number;
  readonly access: Access;
  /** The command as encodeCommand writes it. */
  readonly encoded: Uint8Array;
}

/** So much was taken from the bucket of a rate limit. */
interface TakenFromBucket {
  readonly limiter: string;
  readonly key: string;
  readonly count: number;
}

/** A command of the receiving node is in this record. */
export interface OwnCommand {
  /** Its place in the record, from 0. */
  readonly index: number;
  readonly number: number;
}

export interface UpMessages {
  commands: { readonly commands: readonly SentCommand[] };
  uses: NotedUses;
  taken: { readonly taken: readonly TakenFromBucket[] };
  /** The node has applied the journal and identity up to here. */
  ack: { readonly seq: number; readonly identityVersion: number };
  /** Asks for `synced`, which follows all changes of identity before it. */
  sync: { readonly number: number };
  /** Asks for `used`: a verified signature opens a stream on the node. */
  use: { readonly number: number; readonly signature: string; readonly timestamp: number };
}

export interface DownMessages {
  record: { readonly record: JournalRecord; readonly own: readonly OwnCommand[] };
  /** The hash of the leader's state after this command. */
  checkpoint: { readonly seq: number; readonly stateHash: string };
  /** A command has no answer; after some kinds of EngineError its outcome is unknown. */
  refused: { readonly number: number; readonly error: EngineError | Problem };
  identity: { readonly version: number; readonly changes: readonly IdentityChange[] };
  taken: { readonly taken: readonly TakenFromBucket[] };
  /** Another node leads, in this term. Commands that were not sequenced may be sent to it. */
  moved: {
    readonly epoch: number;
    readonly node: string;
    readonly address: string;
    readonly instance: string;
  };
  /** The end of the journal: see Leading.settle. */
  synced: { readonly number: number; readonly seq: number };
  used: { readonly number: number; readonly isFirst: boolean };
  /** In place of `head`: the leader does not accept the node, whose name another one may have. */
  rejected: { readonly reason: string; readonly isNameTaken: boolean };
  /** The leader has accepted the node; the end of its journal. No other message comes before. */
  head: { readonly head: JournalHead };
}

const access: Form<Access> = {
  write(out, value) {
    const form = value === null ? 0 : 'keyId' in value ? 1 : 2;
    out.byte(form);
    if (value !== null) out.integer('keyId' in value ? value.keyId : value.sessionId);
  },
  read(input) {
    const form = input.byte();
    if (form === 0) return null;
    if (form > 2) throw new FormError('an access is of a key or of a session');
    const id = natural.read(input);
    return form === 1 ? { keyId: id } : { sessionId: id };
  },
};

const use: Form<Use> = {
  write(out, [id, time]) {
    natural.write(out, id);
    natural.write(out, time);
  },
  read: (input) => [natural.read(input), natural.read(input)],
};
const taken = fields<{ taken: readonly TakenFromBucket[] }>({
  taken: list(fields<TakenFromBucket>({ limiter: text, key: text, count: natural })),
});

/** A node reads what was set aside from the store, before the records of its leader. */
const record = fields<Omit<JournalRecord, 'setAside'>>({
  firstSeq: natural,
  count: natural,
  epoch: natural,
  payload: bytes,
  chainHash: bytes32,
});

const ENGINE_ERRORS: readonly EngineErrorKind[] = [
  'overloaded',
  'storageFull',
  'stopping',
  'noLeader',
  'failed',
  'leaderLost',
  'notReady',
];
const engineError = fields<{ kind: EngineErrorKind; message: string }>({
  kind: oneOf(ENGINE_ERRORS),
  message: text,
});

const refusal: Form<EngineError | Problem> = {
  write(out, error) {
    flag.write(out, error instanceof Problem);
    if (error instanceof Problem) writeProblem(out, error);
    else engineError.write(out, error);
  },
  read(input) {
    if (flag.read(input)) return readProblem(input);
    const { kind, message } = engineError.read(input);
    return new EngineError(kind, message);
  },
};

const Value = { null: 0, text: 1, bytes: 2, natural: 3, number: 4 } as const;
const number8 = new DataView(new ArrayBuffer(8));

/** A number of any kind, as SQLite has it: most are natural. */
const identityValue: Form<IdentityValue> = {
  write(out, value) {
    if (value === null) {
      out.byte(Value.null);
    } else if (typeof value === 'string') {
      out.byte(Value.text);
      out.text(value);
    } else if (typeof value !== 'number') {
      out.byte(Value.bytes);
      out.bytes(value);
    } else if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
      out.byte(Value.natural);
      out.integer(value);
    } else {
      out.byte(Value.number);
      number8.setFloat64(0, value);
      out.raw(new Uint8Array(number8.buffer));
    }
  },
  read(input) {
    switch (input.byte()) {
      case Value.null:
        return null;
      case Value.text:
        return input.text();
      case Value.bytes:
        return input.bytes();
      case Value.natural:
        return natural.read(input);
      case Value.number: {
        const raw = input.raw(8);
        return new DataView(raw.buffer, raw.byteOffset, 8).getFloat64(0);
      }
      default:
        throw new FormError('a value is of a known type');
    }
  },
};

const rows = list(list(identityValue));
const identityChange = fields<IdentityChange>({ table: text, put: rows, deleted: rows });

/** The kind of each message, and its form. A kind is permanent. */
type Table<M> = { readonly [T in keyof M]: { readonly kind: number; readonly form: Form<M[T]> } };

const UP: Table<UpMessages> = {
  commands: {
    kind: 16,
    form: fields({
      commands: list(fields<SentCommand>({ number: natural, access, encoded: bytes })),
    }),
  },
  uses: { kind: 17, form: fields({ keys: list(use), sessions: list(use) }) },
  taken: { kind: 18, form: taken },
  ack: { kind: 19, form: fields({ seq: natural, identityVersion: natural }) },
  sync: { kind: 20, form: fields({ number: natural }) },
  use: { kind: 21, form: fields({ number: natural, signature: text, timestamp: natural }) },
};

const DOWN: Table<DownMessages> = {
  record: {
    kind: 16,
    form: fields({
      record,
      own: list(fields<OwnCommand>({ index: natural, number: natural })),
    }),
  },
  checkpoint: { kind: 17, form: fields({ seq: natural, stateHash: text }) },
  refused: { kind: 18, form: fields({ number: natural, error: refusal }) },
  identity: { kind: 19, form: fields({ version: natural, changes: list(identityChange) }) },
  taken: { kind: 20, form: taken },
  moved: { kind: 21, form: fields({ epoch: natural, node: text, address: text, instance: text }) },
  synced: { kind: 23, form: fields({ number: natural, seq: natural }) },
  used: { kind: 24, form: fields({ number: natural, isFirst: flag }) },
  rejected: { kind: 25, form: fields({ reason: text, isNameTaken: flag }) },
  head: { kind: 22, form: fields({ head: fields({ seq: natural, chainHash: bytes32 }) }) },
};

/** A frame of a relayed request: its kind, the number of the request, and the rest. */
export interface RelayFrame {
  readonly type: 'relay';
  readonly kind: number;
  readonly id: number;
  readonly frame: BinaryReader;
}

type Read<M> = { [T in keyof M]: { readonly type: T } & M[T] }[keyof M];
export type UpMessage = Read<UpMessages> | RelayFrame;
export type DownMessage = Read<DownMessages> | RelayFrame;

const out = new BinaryWriter(1 << 16);

function writerOf<M>(table: Table<M>) {
  return <T extends keyof M>(type: T, message: M[T]): Uint8Array => {
    const { kind, form } = table[type];
    out.reset();
    out.byte(kind);
    form.write(out, message);
    return out.view();
  };
}

function readerOf<M>(table: Table<M>, relayKinds: readonly number[]) {
  const types = new Map(
    (Object.keys(table) as (keyof M)[]).map((type) => [table[type].kind, type]),
  );
  return (frame: Uint8Array): Read<M> | RelayFrame => {
    const input = new BinaryReader(frame);
    const kind = input.byte();
    if (relayKinds.includes(kind)) {
      return { type: 'relay', kind, id: natural.read(input), frame: input };
    }
    const type = types.get(kind);
    if (type === undefined) throw new FormError(`the kind ${kind} is not known`);
    return { type, ...readWhole(input, table[type].form) } as Read<M>;
  };
}

/** The frame of a message to the leader; valid until the next one is written. */
export const upFrame = writerOf(UP);
/** The frame of a message from the leader; valid until the next one is written. */
export const downFrame = writerOf(DOWN);
/** Throws for a malformed frame. */
export const readUp = readerOf(UP, Object.values(RelayUp));
/** Throws for a malformed frame. */
export const readDown = readerOf(DOWN, Object.values(RelayDown));
