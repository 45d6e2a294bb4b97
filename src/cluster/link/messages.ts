// The messages of the link. The first byte of a frame is the kind of its message.
import { Problem } from '../../contract/problem.ts';
import { REJECTIONS } from '../../contract/rejections.ts';
import { assert } from '../../core/assert.ts';
import { BinaryReader, BinaryWriter } from '../../core/binary.ts';
import {
  boolean,
  bytes,
  bytes32,
  type Codec,
  integer,
  list,
  nullable,
  oneOf,
  record,
  text,
  transported,
  type ValueOf,
} from '../../core/codec.ts';
import { type Access, EngineError, type EngineErrorKind } from '../../engine/command-port.ts';
import type { Use } from '../../identity/uses.ts';

const access = transported<Access>({
  write(out, value) {
    const form = value === null ? 0 : 'keyId' in value ? 1 : 2;
    out.byte(form);
    if (value !== null) out.integer('keyId' in value ? value.keyId : value.sessionId);
  },
  read(input) {
    const form = input.byte();
    if (form === 0) return null;
    assert(form <= 2, 'an access is of a key or of a session');
    const id = input.integer();
    return form === 1 ? { keyId: id } : { sessionId: id };
  },
});

export type SentCommand = ValueOf<typeof SENT_COMMAND>;

const SENT_COMMAND = record({
  /** The sending node's number of the command. */
  number: integer,
  access,
  /** The command as encodeCommand writes it. */
  encoded: bytes,
});

const use = transported<Use>({
  write(out, [id, time]) {
    out.integer(id);
    out.integer(time);
  },
  read: (input) => [input.integer(), input.integer()],
});

/** So much was taken from the bucket of a rate limit. */
const taken = { taken: list(record({ limiter: text, key: text, count: integer })) };

/** A node reads what was set aside from the store, before the records of its leader. */
const journalRecord = record({
  firstSeq: integer,
  count: integer,
  epoch: integer,
  payload: bytes,
  chainHash: bytes32,
});

/** A command of the receiving node is in this record. */
export type OwnCommand = ValueOf<typeof OWN_COMMAND>;

const OWN_COMMAND = record({
  /** Its place in the record, from 0. */
  index: integer,
  number: integer,
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
const engineError = record({ kind: oneOf(ENGINE_ERRORS), message: text });

const problem = transported<Problem>({
  write(out, { kind, userMsg, details, headers }) {
    out.text(JSON.stringify([kind, { userMsg, details, headers }]));
  },
  read(input) {
    const [kind, terms] = JSON.parse(input.text()) as ConstructorParameters<typeof Problem>;
    assert(Object.hasOwn(REJECTIONS, kind), 'a Problem is of a known kind');
    return new Problem(kind, terms);
  },
});

const failure = transported<EngineError | Problem>({
  write(out, error) {
    out.boolean(error instanceof Problem);
    if (error instanceof Problem) problem.write(out, error);
    else engineError.write(out, error);
  },
  read(input) {
    if (input.boolean()) return problem.read(input);
    const { kind, message } = engineError.read(input);
    return new EngineError(kind, message);
  },
});

const headers = list(record({ name: text, value: text }));

export type RelayedRequest = ValueOf<typeof RELAYED_REQUEST>;

const RELAYED_REQUEST = record({
  /** The sending node's number of the request. */
  id: integer,
  method: text,
  /** Path and query, as the runtime resolved them. */
  target: text,
  headers,
  /** The address of the peer. */
  peer: text,
  /** Why its body could not be read; null where it was, or has not to be. */
  fault: nullable(problem),
  body: bytes,
});

/** `streamed`: the body follows part by part, as the client takes it. */
const body = oneOf(['none', 'whole', 'streamed']);
const ofRequest = record({ id: integer });

/** The permanent kind of each message to the leader, and its fields. */
const UP = {
  /** A request as it came. */
  request: { kind: 1, form: RELAYED_REQUEST },
  /** The client takes another part of a streamed body, or no more of it. */
  pull: { kind: 2, form: ofRequest },
  cancel: { kind: 3, form: ofRequest },
  commands: { kind: 16, form: record({ commands: list(SENT_COMMAND) }) },
  uses: { kind: 17, form: record({ keys: list(use), sessions: list(use) }) },
  taken: { kind: 18, form: record(taken) },
  /** The node has applied the journal and identity up to here. */
  ack: { kind: 19, form: record({ seq: integer, identityVersion: integer }) },
  /** Asks for `synced`, which follows all changes of identity before it. */
  sync: { kind: 20, form: record({ number: integer }) },
};

/** The permanent kind of each message from the leader, and its fields. */
const DOWN = {
  /** The answer to a relayed request; `bytes` are its body where that is whole. */
  answer: { kind: 1, form: record({ id: integer, status: integer, headers, body, bytes }) },
  bodyPart: { kind: 2, form: record({ id: integer, bytes }) },
  bodyEnd: { kind: 3, form: ofRequest },
  bodyFailed: { kind: 4, form: ofRequest },
  record: { kind: 16, form: record({ record: journalRecord, own: list(OWN_COMMAND) }) },
  /** The hash of the leader's state after this command. */
  checkpoint: { kind: 17, form: record({ seq: integer, stateHash: text }) },
  /** A command has no answer; after some kinds of EngineError its outcome is unknown. */
  failed: { kind: 18, form: record({ number: integer, error: failure }) },
  identity: {
    kind: 19,
    form: record({ version: integer, removed: list(text), added: list(text), mac: text }),
  },
  taken: { kind: 20, form: record(taken) },
  /** Another node leads, in this term. Commands that were not sequenced may be sent to it. */
  moved: {
    kind: 21,
    form: record({ epoch: integer, node: text, address: text, instance: text }),
  },
  /** The end of the journal: see Leading.settle. */
  synced: { kind: 23, form: record({ number: integer, seq: integer }) },
  /** In place of `head`: the leader does not accept the node, whose name another one may have. */
  rejected: { kind: 25, form: record({ reason: text, isNameTaken: boolean }) },
  /** The leader has accepted the node; the end of its journal. No other message comes before. */
  head: { kind: 22, form: record({ head: record({ seq: integer, chainHash: bytes32 }) }) },
};

type Table = Readonly<Record<string, { readonly kind: number; readonly form: Codec<unknown> }>>;
type MessagesOf<M extends Table> = { readonly [T in keyof M]: ValueOf<M[T]['form']> };
export type UpMessages = MessagesOf<typeof UP>;
export type DownMessages = MessagesOf<typeof DOWN>;

type Read<M> = { [T in keyof M]: { readonly type: T } & M[T] }[keyof M];
export type UpMessage = Read<UpMessages>;
export type DownMessage = Read<DownMessages>;

const out = new BinaryWriter(1 << 16);

function writerOf<M extends Table>(table: M) {
  return <T extends keyof M>(type: T, message: MessagesOf<M>[T]): Uint8Array => {
    const { kind, form } = table[type]!;
    out.reset();
    out.byte(kind);
    form.write(out, message);
    return out.view();
  };
}

function readerOf<M extends Table>(table: M) {
  const types = new Map(Object.entries(table).map(([type, { kind }]) => [kind, type]));
  return (frame: Uint8Array): Read<MessagesOf<M>> => {
    const input = new BinaryReader(frame);
    const kind = input.byte();
    const type = types.get(kind);
    assert(type !== undefined, 'the kind of a message is known');
    const message = table[type]!.form.read(input);
    assert(input.atEnd, 'nothing follows a message');
    return { type, ...(message as object) } as Read<MessagesOf<M>>;
  };
}

/** The frame of a message to the leader; valid until the next one is written. */
export const upFrame = writerOf(UP);
/** The frame of a message from the leader; valid until the next one is written. */
export const downFrame = writerOf(DOWN);
/** Throws for a malformed frame. */
export const readUp = readerOf(UP);
/** Throws for a malformed frame. */
export const readDown = readerOf(DOWN);
