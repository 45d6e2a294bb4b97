// The history checker accepts a true history, and rejects each forged one.
import { describe, expect, test } from 'bun:test';
import { writeBalances } from '../../src/contract/trading/account.ts';
import { BinaryWriter } from '../../src/core/binary.ts';
import { Side } from '../../src/core/fix.ts';
import { lots, ticks } from '../../src/core/units.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import type { JournalRecord } from '../../src/journal/journal.ts';
import { nextChainHash } from '../../src/journal/record.ts';
import { placeOrder, type TimedCommand, Venue } from '../support/venue.ts';
import { copyFaults, historyFaults, inventedFaults, type NodeCopy } from './checker.ts';
import { type Call, type History, longestGap } from './history.ts';
import { JournalAudit } from './journal-audit.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const KEY = 'key-1';

/** The records of a list of commands: one command each, the second half by a later term. */
function recordsOf(log: readonly TimedCommand[]): Writable<JournalRecord>[] {
  const writer = new BinaryWriter(1024);
  let chainHash: Uint8Array = new Uint8Array(32);
  return log.map(({ time, command }, i) => {
    const payload = encodeBatch(writer, { time, commands: [command] }).slice();
    const epoch = i < log.length / 2 ? 1 : 2;
    const batch = { firstSeq: i + 1, count: 1, epoch, payload };
    chainHash = nextChainHash(chainHash, batch);
    return { ...batch, chainHash };
  });
}

/** Eight orders of one user, alternately sent to two nodes, and a read of balances after each. */
function trueHistory() {
  const venue = new Venue({ users: 1 });
  const calls: Writable<Call>[] = [];
  const call = (terms: Partial<Call> & Pick<Call, 'kind' | 'name' | 'node'>): Writable<Call> => ({
    ...{ session: 'session-1', uid: 1, apiKey: KEY, request: {}, status: 200, rows: null },
    sentAt: 2 * calls.length,
    answeredAt: 2 * calls.length + 1,
    minSeq: calls.at(-1)?.seq ?? 0,
    outcome: 'acknowledged',
    seq: venue.seq,
    id: null,
    text: null,
    detail: '',
    ...terms,
  });
  for (const [i, { command }] of venue.log.entries()) {
    if (command.type !== 'transferFunds') continue;
    calls.push(call({ kind: 'transferFunds', name: command.reference, node: 'a', seq: i + 1 }));
  }
  for (let i = 1; i <= 8; i++) {
    const node = i % 2 === 0 ? 'a' : 'b';
    const name = `order-${i}`;
    const order = { uid: 1, side: Side.buy, price: ticks(1000 + i), orderQty: lots(i) };
    const { orderId } = venue.must(placeOrder({ ...order, clOrdId: name }));
    calls.push(call({ kind: 'placeOrder', name, node, id: orderId }));
    const text = JSON.stringify(writeBalances(venue.exchange.state, 1));
    calls.push(call({ kind: 'balances', name: '', node, text }));
  }
  return { log: venue.log, records: recordsOf(venue.log), calls };
}

type Story = ReturnType<typeof trueHistory>;

function faultsOf({ records, calls }: Story, revocations: History['revocations'] = []): string[] {
  const audit = new JournalAudit();
  const journal = audit.apply(records, calls);
  audit.checkInvariants();
  return [
    ...journal,
    ...historyFaults({ calls, revocations }, audit),
    ...inventedFaults(calls, audit, 6),
  ];
}

/** The journal without its command of this name, or with it again. */
function withCommands(story: Story, name: string, copies: number): Story {
  const log = story.log.flatMap((each) => {
    const { command } = each;
    const isIt = command.type === 'placeOrder' && command.clOrdId === name;
    return isIt ? Array.from({ length: copies }, () => each) : [each];
  });
  return { ...story, log, records: recordsOf(log) };
}

const named = ({ calls }: Story, name: string): Writable<Call> =>
  calls.find((call) => call.name === name)!;

/** Order 3 of the history, as a read of it has it. */
const ROW = { orderId: 3, side: 1, price: 1003, orderQty: 3, cumQty: 0, ordStatus: 0 };

/** The faults of a true history that ends with this read of order 3. */
function lookupFaults(story: Story, found: Partial<Call>): string[] {
  const placed = named(story, 'order-3');
  placed.request = { side: 1, price: '1003', orderQty: '3' };
  const read = { ...placed, kind: 'order', seq: 14, rows: [ROW], ...found } as const;
  return faultsOf({ ...story, calls: [...story.calls, read] });
}

test('a true history has no fault, whatever its senders know of their writes', () => {
  expect(faultsOf(trueHistory())).toEqual([]);
  const unsure = trueHistory();
  Object.assign(named(unsure, 'order-3'), { outcome: 'unknown', seq: null, id: null });
  expect(faultsOf(unsure)).toEqual([]);
  const lost = withCommands(trueHistory(), 'order-8', 0);
  lost.calls = lost.calls.slice(0, -2);
  expect(faultsOf(lost)).toEqual([]);
});

describe('it rejects', () => {
  test('a lost write that was acknowledged', () => {
    const story = withCommands(trueHistory(), 'order-8', 0);
    expect(faultsOf(story)).toContain(
      'the acknowledged placeOrder order-8 of a is lost: it was answered with seq 14',
    );
  });

  test('a write that is there twice, also an unknown one', () => {
    for (const outcome of ['acknowledged', 'unknown'] as const) {
      const story = withCommands(trueHistory(), 'order-8', 2);
      named(story, 'order-8').outcome = outcome;
      const twice = 'is in the journal 2 times, at 14 and 15';
      expect(faultsOf(story)).toContain(`the ${outcome} placeOrder order-8 of a ${twice}`);
    }
  });

  test('a write that was done and answered as rejected', () => {
    const story = trueHistory();
    Object.assign(named(story, 'order-4'), { outcome: 'rejected', detail: 'late' });
    expect(faultsOf(story)).toContain('the rejected placeOrder order-4 of a was done at 10: late');
  });

  test.each([{ id: 99 }, { seq: 9 }])('an answer with another result: %j', (other) => {
    const story = trueHistory();
    Object.assign(named(story, 'order-4'), other);
    const { id, seq } = named(story, 'order-4');
    expect(faultsOf(story)).toContain(
      `the acknowledged placeOrder order-4 of a was answered with ${id} at ${seq}, and is 4 at 10`,
    );
  });

  test('a write that nobody sent', () => {
    const story = trueHistory();
    story.calls = story.calls.filter(({ name }) => name !== 'order-5');
    expect(faultsOf(story)).toContain('nobody sent the placeOrder order-5 at 11');
  });

  test('an order that its session does not find', () => {
    const story = trueHistory();
    const faults = (found: Partial<Call>) => lookupFaults(story, found);
    expect(faults({})).toEqual([]);
    expect(faults({ id: null })).toEqual(['b knows order-3 as null, and it is 3']);
    expect(faults({ rows: [ROW, ROW] })).toEqual(['b has order-3 2 times']);
  });

  test.each([
    [{ price: 9 }, {}, 'price 9, not 1003'],
    [{ side: 2 }, {}, 'side 2, not 1'],
    [{ orderQty: 4 }, {}, 'orderQty 4, not 3'],
    [{}, { kind: 'amendOrder', request: { orderId: 3, orderQty: 4 } }, 'orderQty 3, not 4'],
    [
      {},
      { kind: 'amendOrder', request: { origClOrdId: 'order-3', price: 9 } },
      'price 1003, not 9',
    ],
    [{}, { kind: 'cancelOrder', request: { orderId: 3 } }, 'ordStatus 0, not 4'],
  ] as const)('an order that is read as %j after %j', (row, change, fault) => {
    const story = trueHistory();
    if ('kind' in change) Object.assign(named(story, 'order-4'), change);
    const faults = lookupFaults(story, { rows: [{ ...ROW, ...row }] });
    expect(faults).toContain(`b has order-3 with ${fault}`);
  });

  test('an answer 500, and a key that is unknown before it is revoked', () => {
    const story = trueHistory();
    const last = story.calls.at(-1)!;
    Object.assign(last, { status: 500, detail: '500 {}' });
    expect(faultsOf(story)).toEqual(['a answered balances  with 500 {}']);
    Object.assign(last, { status: 401, detail: '401 {}' });
    expect(faultsOf(story)).toEqual(['a answered balances  with 401 {}']);
    const { sentAt, answeredAt } = last;
    expect(faultsOf(story, [{ apiKey: KEY, sentAt, answeredAt }])).toEqual([]);
  });

  test('a session that goes back', () => {
    const story = trueHistory();
    const last = story.calls.at(-1)!;
    Object.assign(last, { seq: 10, kind: 'order', id: null, rows: [] });
    expect(faultsOf(story)).toEqual(['session-1 had seq 14, then 10 (order, a)']);
  });

  test('an answer below its X-Agio-Min-Seq', () => {
    const story = trueHistory();
    Object.assign(story.calls.at(-1)!, { minSeq: 15 });
    expect(faultsOf(story)).toEqual(['session-1 had seq 15, then 14 (balances, a)']);
  });

  test('balances of another state than that of their seq', () => {
    const story = trueHistory();
    const early = story.calls.find(({ kind }) => kind === 'balances')!;
    Object.assign(story.calls.at(-1)!, { text: early.text });
    expect(faultsOf(story)).toHaveLength(1);
    expect(faultsOf(story)[0]).toContain('from a at seq 14; the journal has');
  });

  test('balances from behind the end of the journal', () => {
    const story = trueHistory();
    Object.assign(story.calls.at(-1)!, { seq: 15 });
    expect(faultsOf(story)).toContain('a answered a read at seq 15, and the journal ends at 14');
  });

  test('a write before one that was answered earlier', () => {
    const story = trueHistory();
    Object.assign(named(story, 'order-2'), { sentAt: 1000, answeredAt: 1001 });
    expect(faultsOf(story)).toEqual([
      'order-2 is at seq 8, and order-8, which was answered before it was sent, is at 14',
    ]);
  });

  test('a write with a key that was revoked before', () => {
    const story = trueHistory();
    const { sentAt } = named(story, 'order-8');
    const revoked = (answeredAt: number) =>
      faultsOf(story, [{ apiKey: KEY, sentAt: answeredAt, answeredAt }]);
    expect(revoked(sentAt - 1)).toEqual(['a accepted order-8 after its key had been revoked']);
    expect(revoked(sentAt + 1)).toEqual([]);
  });

  test('a write that was sent before its key was revoked, and came later into the journal', () => {
    const story = trueHistory();
    const other = named(story, 'order-7');
    other.apiKey = 'key-2';
    const slow = named(story, 'order-8');
    Object.assign(slow, { sentAt: other.sentAt - 2 });
    const revocation = { apiKey: KEY, sentAt: 0, answeredAt: other.sentAt - 1 };
    expect(faultsOf(story, [revocation])).toEqual([
      'a accepted order-8 after its key had been revoked',
    ]);
  });
});

describe('it rejects a journal', () => {
  test('to which an earlier term appended', () => {
    const { records } = trueHistory();
    records.at(-1)!.epoch = 1;
    expect(new JournalAudit().apply(records)).toEqual([
      'term 1 appended command 14 after term 2 had begun',
    ]);
  });

  test('with another chain or with a gap', () => {
    const { records } = trueHistory();
    const other = [...records];
    other[7] = { ...records[7]!, chainHash: records[6]!.chainHash };
    expect(new JournalAudit().apply(other)).toEqual([
      'the record at 8 does not continue the chain',
    ]);
    expect(new JournalAudit().apply(records.toSpliced(3, 1))).toEqual([
      'a record starts at 5 after seq 3',
    ]);
  });
});

test('copies of nodes have the seq, the chain and the state of the journal', () => {
  const audit = new JournalAudit();
  audit.apply(trueHistory().records);
  const { seq, chainHash } = audit;
  const copy: NodeCopy = { node: 'a', seq, chainHash, stateHash: audit.stateHash() };
  expect(copyFaults([copy, { ...copy, node: 'b' }], audit)).toEqual([]);
  const forged: [Partial<NodeCopy>, string][] = [
    [{ seq: 13 }, 'a ends at 13, not at 14'],
    [{ chainHash: new Uint8Array(32) }, 'a has another journal'],
    [{ stateHash: 'x' }, `a has the state x, and the journal comes to ${copy.stateHash}`],
  ];
  for (const [change, fault] of forged) {
    expect(copyFaults([{ ...copy, ...change }], audit)).toEqual([fault]);
  }
});

test('the longest time without an acknowledged write leaves out the silence of the load', () => {
  const write = (sentAt: number, answeredAt: number, outcome: Call['outcome']) =>
    ({ kind: 'placeOrder', sentAt, answeredAt, outcome }) as Call;
  const calls = [
    write(0, 10, 'acknowledged'),
    write(12, 30, 'acknowledged'),
    write(12, 14, 'rejected'),
    write(90, 95, 'acknowledged'),
    write(91, 99, 'acknowledged'),
  ];
  expect(longestGap(calls, 5, 200)).toBe(18);
  expect(longestGap([...calls, write(40, 42, 'rejected')], 5, 200)).toBe(55);
  expect(longestGap([...calls, write(70, 300, 'unknown')], 5, 200)).toBe(25);
});
