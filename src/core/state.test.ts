// Every fact that decides about the future is in the state hash: of random states with facts of
// each kind, each value of the snapshot is changed alone.
import { expect, spyOn, test } from 'bun:test';
import { EarnWorkload } from '../../test/model/earn-workload.ts';
import { Venue } from '../../test/model/venue.ts';
import { Workload, type WorkloadStep } from '../../test/model/workload.ts';
import { BinaryWriter } from './binary.ts';
import { integer, mixFact, nullable } from './codec.ts';
import { PROGRESS } from './earn/earn-snapshot.ts';
import { Exchange } from './exchange.ts';
import { FIXED_SEED, KeyedHash } from './keyed-hash.ts';
import { OutcomeForm } from './outcome-form.ts';
import { PENDING_COMMAND } from './pending.ts';
import { ReplayGuard, SIGNATURE_FLOOR } from './replay-guard.ts';
import { TRACE_PAGE } from './signature-trace.ts';
import { restore, snapshot } from './snapshot.ts';
import { State } from './state.ts';
import { Fact, StateHash } from './state-hash.ts';
import { amount } from './units.ts';
import { Work } from './work.ts';

/** A record of so little work does one or two fills: commands stay in progress. */
const TINY = 0.0005;
/** Values that one line of code writes are fields of the same records; so many are changed. */
const CHANGED = 20;

const FORMS = ['boolean', 'byte', 'integer', 'amount', 'text'] as const;

/** A value of a snapshot, its bytes, and the calls that wrote it. */
interface SnapshotValue {
  readonly form: (typeof FORMS)[number];
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  readonly stack: string;
}

type Writer = { [N in 'write' | 'writeShapes']?: (out: BinaryWriter, value: never) => void };

/**
 * The values of a snapshot, but for those that follow from others: a seq names a command, an
 * outcome has its shape, a key without a floor has signatures, a page of the trace has its
 * signatures, and without subscriptions no day is closed.
 */
function written(state: State): { bytes: Uint8Array; values: SnapshotValue[] } {
  const values: SnapshotValue[] = [];
  let depth = 0;
  const spies: { mockRestore(): void }[] = FORMS.map((form) => {
    const write = BinaryWriter.prototype[form] as (value: unknown) => void;
    const record = function (this: BinaryWriter, value: unknown): void {
      const start = this.length;
      depth++;
      write.call(this, value);
      depth--;
      if (depth > 0) return;
      values.push({ form, value, start, end: this.length, stack: new Error().stack! });
    };
    return spyOn(BinaryWriter.prototype, form).mockImplementation(record as never);
  });
  const pass = (owner: Writer, name: keyof Writer, follows: (value: never) => boolean): void => {
    const write = owner[name]!;
    const unrecorded = function (this: unknown, out: BinaryWriter, value: never): void {
      const isSilent = follows(value);
      if (isSilent) depth++;
      write.call(this, out, value);
      if (isSilent) depth--;
    };
    spies.push(spyOn(owner, name).mockImplementation(unrecorded as never));
  };
  pass(PENDING_COMMAND, 'write', () => true);
  pass(OutcomeForm.prototype, 'writeShapes', () => true);
  pass(SIGNATURE_FLOOR, 'write', ({ floor }: { floor: number }) => floor === 0);
  pass(TRACE_PAGE, 'write', () => true);
  pass(PROGRESS, 'write', () => state.earn.subscriptions.size === 0);
  try {
    return { bytes: snapshot(state).slice(), values };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Other values in the place of one; the names are of assets that an instrument could trade. */
function othersOf(form: SnapshotValue['form'], value: unknown): unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return [`${value}x`, 'BTC', 'YEN'].filter((one) => one !== value);
  const n = BigInt(value as number);
  const others = [n + 1n, n < 1n ? n + 2n : n - 1n].map(amount);
  return form === 'amount' ? others : others.filter(Number.isSafeInteger);
}

/** The state of a snapshot; null if the snapshot is rejected. */
function stateOf(bytes: Uint8Array): State | null {
  try {
    return restore(bytes);
  } catch {
    return null;
  }
}

test('each value of a snapshot is in the state hash', () => {
  using begun = spyOn(StateHash.prototype, 'begin');
  const counts = new Map<string, number>();
  const missing = new Set<number>(Object.values(Fact));
  const unnoticed: string[] = [];
  /** Changes the values of a state that has facts of another kind than those before. */
  const examine = (state: State): void => {
    const before = restore(snapshot(state)).stateHash();
    const kinds = begun.mock.calls.filter(([kind]) => missing.delete(kind));
    begun.mockClear();
    if (kinds.length === 0) return;
    const { bytes, values } = written(state);
    const out = new BinaryWriter();
    for (const { form, value, start, end, stack } of values) {
      const count = counts.get(stack) ?? 0;
      if (count === CHANGED) continue;
      counts.set(stack, count + 1);
      for (const other of othersOf(form, value)) {
        out.reset();
        out.raw(bytes.subarray(0, start));
        (out[form] as (value: unknown) => void)(other);
        out.raw(bytes.subarray(end));
        const changed = stateOf(out.view());
        if (changed === null) continue;
        const isKept = Buffer.compare(snapshot(changed), bytes) !== 0;
        if (isKept && changed.stateHash() === before) {
          unnoticed.push(`${value} at ${start} ${stack}`);
        }
        break;
      }
    }
    begun.mockClear();
  };

  for (const earns of [false, true]) {
    const venue = new Venue();
    const workload = earns
      ? new EarnWorkload(1, venue, 'drained')
      : new Workload(1, venue, 'mixed');
    const state = new State(undefined, new Work(TINY));
    // A trace of one page loses times early, and keeps the snapshots small.
    const keyed = new KeyedHash(FIXED_SEED);
    const guard = new ReplayGuard(state.hash, keyed, undefined, { perPage: 65_536, pages: 1 });
    const exchange = new Exchange(Object.assign(state, { guard }));
    for (let i = 0; i < 3_000 && missing.size > 0; i++) {
      const { time, command } = workload.next() as WorkloadStep;
      venue.apply(time, { type: 'runTimers' });
      while (exchange.nextTimer <= time) {
        examine(exchange.state);
        exchange.apply(exchange.state.seq + 1, time, { type: 'runTimers' });
      }
      exchange.apply(exchange.state.seq + 1, time, command);
      venue.apply(time, command);
      if (i % 100 === 0) examine(exchange.state);
    }
  }
  expect(unnoticed).toEqual([]);
  expect([...missing]).toEqual([]);
});

test('a pending command is its seq, and how far it got', () => {
  const one = { seq: 1, outcomes: [], matchingOrderId: 0, work: 0 };
  const outcome = { ok: true, result: { uid: 1 }, replayed: false } as const;
  const changes = [{}, { seq: 2 }, { outcomes: [outcome] }, { matchingOrderId: 1 }, { work: 1 }];
  const hashes = changes.map((change) => {
    const state = new State();
    const command = { type: 'runTimers' } as const;
    state.pending.add({ ...one, command, securityIds: [], isRepeat: false, ...change });
    return state.stateHash();
  });
  expect(new Set(hashes).size).toBe(changes.length);
});

test('null is another value than any', () => {
  const hashes = [null, 0, 1].map((value) => {
    const hash = new StateHash();
    mixFact(hash, 0, nullable(integer), value).add();
    return hash.digest();
  });
  expect(new Set(hashes).size).toBe(3);
});

test('the plans that owe interest are in order', () => {
  const hashes = [
    [1, 2],
    [2, 1],
  ].map((retrying) => {
    const state = new State();
    state.earn.retrying.push(...retrying);
    return state.stateHash();
  });
  expect(new Set(hashes).size).toBe(2);
});
