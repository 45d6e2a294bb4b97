// Every message comes back as it was sent, and bytes that are no message are rejected.
import { describe, expect, test } from 'bun:test';
import fc, { type Arbitrary } from 'fast-check';
import { Problem } from '../../contract/problem.ts';
import { EngineError, type EngineErrorKind } from '../../engine/command-port.ts';
import {
  type DownMessage,
  type DownMessages,
  downFrame,
  readDown,
  readUp,
  type UpMessage,
  type UpMessages,
  upFrame,
} from './messages.ts';

const natural = fc.maxSafeNat();
const bytes = fc.uint8Array({ maxLength: 100 });
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const text = fc.string({ unit: 'grapheme', maxLength: 30 });

const taken = fc.record({
  taken: fc.array(fc.record({ limiter: text, key: text, count: natural })),
});

const problem = fc.constant(
  new Problem('rateLimited', {
    userMsg: 'Too many — wait.',
    details: { field: 'price', rule: 'maximum', limit: 3 },
    headers: { 'Retry-After': '7' },
  }),
);
const ofRequest = fc.record({ id: natural });
const headers = fc.array(fc.record({ name: text, value: text }));

const UP: { [T in keyof UpMessages]: Arbitrary<UpMessages[T]> } = {
  request: fc.record({
    id: natural,
    method: text,
    target: text,
    headers,
    peer: text,
    fault: fc.option(problem),
    body: bytes,
  }),
  pull: ofRequest,
  cancel: ofRequest,
  commands: fc.record({
    commands: fc.array(
      fc.record({
        number: natural,
        access: fc.oneof(
          fc.constant(null),
          fc.record({ keyId: natural }),
          fc.record({ sessionId: natural }),
        ),
        encoded: bytes,
      }),
    ),
  }),
  uses: fc.record({
    keys: fc.array(fc.tuple(natural, natural)),
    sessions: fc.array(fc.tuple(natural, natural)),
  }),
  taken,
  ack: fc.record({ seq: natural, identityVersion: natural }),
  sync: fc.record({ number: natural }),
};

const engineError = fc.tuple(
  fc.constantFrom<EngineErrorKind>('overloaded', 'noLeader', 'failed', 'leaderLost'),
  text,
);

const DOWN: { [T in keyof DownMessages]: Arbitrary<DownMessages[T]> } = {
  answer: fc.record({
    id: natural,
    status: natural,
    headers,
    body: fc.constantFrom('none', 'whole', 'streamed'),
    bytes,
  }),
  bodyPart: fc.record({ id: natural, bytes }),
  bodyEnd: ofRequest,
  bodyFailed: ofRequest,
  record: fc.record({
    record: fc.record({
      firstSeq: natural,
      count: natural,
      epoch: natural,
      payload: bytes,
      chainHash: bytes32,
    }),
    own: fc.array(fc.record({ index: natural, number: natural })),
  }),
  checkpoint: fc.record({ seq: natural, stateHash: text }),
  failed: fc.record({
    number: natural,
    error: fc.oneof(
      engineError.map(([kind, message]) => new EngineError(kind, message)),
      problem,
    ),
  }),
  identity: fc.record({
    version: natural,
    removed: fc.array(text, { maxLength: 3 }),
    added: fc.array(text, { maxLength: 3 }),
    mac: text,
  }),
  taken,
  moved: fc.record({ epoch: natural, node: text, address: text, instance: text }),
  synced: fc.record({ number: natural, seq: natural }),
  rejected: fc.record({ reason: text, isNameTaken: fc.boolean() }),
  head: fc.record({ head: fc.record({ seq: natural, chainHash: bytes32 }) }),
};

type Write = (type: string, message: unknown) => Uint8Array;
type Read = (frame: Uint8Array) => UpMessage | DownMessage;
type Cases = Record<string, Arbitrary<object>>;

describe.each([
  ['to the leader', UP as Cases, upFrame as Write, readUp as Read],
  ['from the leader', DOWN as Cases, downFrame as Write, readDown as Read],
] as const)('messages %s', (_name, cases, write, read) => {
  test.each(Object.keys(cases))('%s comes back as it was sent', (type) => {
    fc.assert(
      fc.property(cases[type]!, (message) => {
        expect<unknown>(read(write(type, message).slice())).toEqual({ type, ...message });
      }),
    );
  });

  test.each(Object.keys(cases))('%s is rejected when it is cut short or longer', (type) => {
    fc.assert(
      fc.property(cases[type]!, fc.nat(), (message, cut) => {
        const frame = write(type, message).slice();
        expect(() => read(frame.slice(0, cut % frame.length))).toThrow();
        expect(() => read(Uint8Array.of(...frame, 0))).toThrow('nothing follows');
      }),
    );
  });

  test.each(Object.keys(cases))('%s with a wrong byte is a message, or rejected', (type) => {
    fc.assert(
      fc.property(cases[type]!, fc.nat(), fc.integer({ min: 1, max: 255 }), (message, at, xor) => {
        const frame = write(type, message).slice();
        frame[at % frame.length]! ^= xor;
        expectReadOrRejected(read, frame);
      }),
    );
  });

  test('any other bytes are a message, or rejected', () => {
    const kind = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 16, max: 22 }));
    fc.assert(
      fc.property(kind, bytes, (first, rest) => {
        expectReadOrRejected(read, Uint8Array.of(first, ...rest));
      }),
      { numRuns: 2000 },
    );
  });

  test('an unknown kind is rejected', () => {
    expect(() => read(Uint8Array.of(99))).toThrow('the kind of a message is known');
    expect(() => read(new Uint8Array(0))).toThrow();
  });
});

function expectReadOrRejected(read: Read, frame: Uint8Array): void {
  let message: UpMessage | DownMessage;
  try {
    message = read(frame);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    // The stack and the memory must not decide what is rejected.
    expect((error as Error).message).not.toMatch(/out of memory|call stack/i);
    return;
  }
  expect(message).toHaveProperty('type');
}

test('a number is rejected where it is not safe', () => {
  const huge = Uint8Array.of(19, ...Array.from({ length: 9 }, () => 0xff), 0x7f, 0);
  expect(() => readUp(huge)).toThrow('an encoded integer is safe');
});

test('a list that claims more than the frame is rejected', () => {
  expect(() => readUp(Uint8Array.of(16, 0xff, 0xff, 0xff, 0xff, 0x0f))).toThrow('are complete');
});

test('an unknown rejection and an unknown access are rejected', () => {
  const error = new Problem('rateLimited');
  const failed = downFrame('failed', { number: 1, error }).slice();
  const at = Buffer.from(failed).indexOf('rateLimited');
  failed[at] = 'x'.charCodeAt(0);
  expect(() => readDown(failed)).toThrow('of a known kind');
  expect(() => readUp(Uint8Array.of(16, 1, 1, 3, 1, 0))).toThrow('of a key or of a session');
});
