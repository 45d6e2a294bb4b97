// The sequencer over a journal whose writes end when the test says so: what goes first, what is
// visible when, what is rejected, and what everybody is told when it ends.
import { describe, expect, test } from 'bun:test';
import { MemoryJournal } from '../../test/support/memory-journal.ts';
import { BTC_USDT_TERMS, placeOrder } from '../../test/support/venue.ts';
import type { CancelOrder, Command } from '../core/command.ts';
import { Exchange } from '../core/exchange.ts';
import { Side } from '../core/fix.ts';
import { State } from '../core/state.ts';
import { amount, lots, ticks } from '../core/units.ts';
import { Work } from '../core/work.ts';
import { decodeBatch } from '../journal/codec.ts';
import type { Journal, JournalBatch } from '../journal/journal.ts';
import { EngineError } from './command-port.ts';
import { BATCH_BYTES, PENDING_WRITES, Sequencer } from './sequencer.ts';

const UNSIGNED = { signature: null, idempotency: null };
const order = placeOrder({ uid: 1, side: Side.buy, price: ticks(100), orderQty: lots(1) });
const cancel: CancelOrder = {
  type: 'cancelOrder',
  uid: 1,
  ...UNSIGNED,
  orderId: 77,
  origClOrdId: '',
  clOrdId: '',
};

/** `count` entries, of which the last is `last`. */
const batchOf = (count: number, last: typeof order | typeof cancel): Command => ({
  type: 'orderBatch',
  uid: 1,
  ...UNSIGNED,
  entries: [...Array.from({ length: count - 1 }, () => cancel), last],
});

const massCancel: Command = { type: 'massCancel', uid: 1, ...UNSIGNED, securityId: 0, clOrdId: '' };

/** A journal that keeps what it is given until it is let go. */
class HeldJournal implements Pick<Journal, 'append'> {
  readonly batches: Command[][] = [];
  readonly bytes: number[] = [];
  readonly #journal = new MemoryJournal();
  #holding: { let: () => void; fail: (error: Error) => void } | null = null;
  holds = false;
  onAppend: () => void = () => undefined;

  async append(batch: JournalBatch): ReturnType<Journal['append']> {
    this.onAppend();
    this.batches.push([...decodeBatch(batch.payload).commands]);
    this.bytes.push(batch.payload.length);
    const kept = { ...batch, payload: batch.payload.slice() };
    if (this.holds) {
      await new Promise<void>((resolve, reject) => {
        this.#holding = { let: resolve, fail: reject };
      });
    }
    return this.#journal.append(kept);
  }

  letGo(): void {
    this.#holding!.let();
  }
  fail(error: Error): void {
    this.#holding!.fail(error);
  }
}

async function started(queueLimit = 4096, workScale = 1) {
  const journal = new HeldJournal();
  const exchange = new Exchange(new State(undefined, new Work(workScale)));
  const failures: unknown[] = [];
  const sequencer = new Sequencer({
    exchange,
    journal: journal as unknown as Journal,
    clock: { now: () => 1_700_000_000_000 },
    epoch: 1,
    queueLimit,
    onApplied: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  await sequencer.submit({ type: 'createAsset', asset: 'BTC', scale: 8, fiat: false });
  await sequencer.submit({ type: 'createAsset', asset: 'USDT', scale: 8, fiat: false });
  await sequencer.submit(BTC_USDT_TERMS);
  await sequencer.submit({ type: 'createUser', kyc: true });
  return { journal, exchange, sequencer, failures };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const kindOf = (error: unknown): string => (error instanceof EngineError ? error.kind : 'none');

describe('the sequencer', () => {
  test('keeps the order of arrival: a mass cancel takes every order before it', async () => {
    const { sequencer, journal, exchange } = await started();
    for (const assetId of [0, 1]) {
      await sequencer.submit({
        type: 'transferFunds',
        direction: 'credit',
        uid: 1,
        assetId,
        amount: amount(10 ** 15),
        reference: `r${assetId}`,
      });
    }
    const orders = Array.from({ length: 2000 }, () => sequencer.submit(order));
    const canceled = sequencer.submit(massCancel);
    const later = sequencer.submit(order);
    for (const { outcome } of await Promise.all(orders)) expect(outcome.ok).toBe(true);
    expect((await canceled).outcome).toMatchObject({ ok: true, result: { canceled: 2000 } });
    await later;
    expect(exchange.state.orders.size).toBe(1);
    expect(
      journal.batches
        .at(-1)!
        .map(({ type }) => type)
        .slice(-2),
    ).toEqual(['massCancel', 'placeOrder']);
  });

  test('applies nothing, and answers nobody, before the batch is durable', async () => {
    const { sequencer, journal, exchange } = await started();
    journal.holds = true;
    let answered = false;
    const submitted = sequencer.submit(order).then(() => {
      answered = true;
    });
    for (let i = 0; i < 5; i++) await turn();
    expect([exchange.state.seq, answered]).toEqual([4, false]);
    journal.letGo();
    await submitted;
    expect(exchange.state.seq).toBe(5);
  });

  test('hands the next batch to the disk before it applies this one', async () => {
    const { sequencer, journal, exchange } = await started();
    const seqAtAppend: number[] = [];
    journal.onAppend = () => seqAtAppend.push(exchange.state.seq);
    journal.holds = true;
    const first = sequencer.submit(order);
    await turn();
    const second = sequencer.submit(cancel);
    journal.letGo();
    expect((await first).seq).toBe(5);
    expect([seqAtAppend, exchange.state.seq]).toEqual([[4, 4], 5]);
    journal.letGo();
    expect((await second).seq).toBe(6);
  });

  test('applies a move of the clock before it gives the next batch its time', async () => {
    const { sequencer, journal, exchange } = await started();
    const offsetAtAppend: number[] = [];
    journal.onAppend = () => offsetAtAppend.push(exchange.state.clockOffset);
    journal.holds = true;
    const moved = sequencer.submit({ type: 'advanceClock', milliseconds: 1000 });
    await turn();
    const later = sequencer.submit(order);
    journal.letGo();
    await moved;
    journal.letGo();
    await later;
    expect(offsetAtAppend).toEqual([0, 1000]);
  });

  test('answers nobody after the core has failed, also in the batch on its way', async () => {
    const { sequencer, journal, exchange, failures } = await started();
    journal.holds = true;
    const first = sequencer.submit(order).catch(kindOf);
    await turn();
    const second = sequencer.submit(cancel).catch(kindOf);
    exchange.applyRecord = () => {
      throw new Error('an invariant is broken');
    };
    journal.letGo();
    expect(await first).toBe('failed');
    journal.letGo();
    expect(await second).toBe('failed');
    for (let i = 0; i < 3; i++) await turn();
    expect([failures.length, exchange.state.seq]).toEqual([1, 4]);
  });

  test('gathers while a batch is written, and cuts batches at 1,024 commands', async () => {
    const { sequencer, journal } = await started();
    journal.holds = true;
    const first = sequencer.submit(order);
    await turn();
    const rest = Array.from({ length: 1500 }, () => sequencer.submit(order));
    for (let i = 0; i < 3; i++) {
      await turn();
      journal.letGo();
      await turn();
    }
    await Promise.all([first, ...rest]);
    expect(journal.batches.slice(-3).map(({ length }) => length)).toEqual([1, 1024, 476]);
  });

  test('turns orders away when too many wait, and still takes cancels', async () => {
    const { sequencer, journal } = await started(2);
    journal.holds = true;
    const first = sequencer.submit(order);
    await turn();
    const waiting: Promise<unknown>[] = [sequencer.submit(order), sequencer.submit(order)];
    expect(kindOf(await sequencer.submit(order).catch((error) => error))).toBe('overloaded');
    waiting.push(sequencer.submit(cancel), sequencer.submit(cancel));
    expect(kindOf(await sequencer.submit(cancel).catch((error) => error))).toBe('overloaded');
    journal.holds = false;
    journal.letGo();
    await Promise.all([first, ...waiting]);
  });

  test('counts a batch by its entries in the queue, and as one command of a sync', async () => {
    const { sequencer, journal } = await started(2100);
    journal.holds = true;
    const first = sequencer.submit(order);
    await turn();
    const waiting: Promise<unknown>[] = [];
    for (let n = 0; n < 42; n++) waiting.push(sequencer.submit(batchOf(50, order)));
    expect(sequencer.queueLength).toBe(2100);
    expect(kindOf(await sequencer.submit(order).catch((error) => error))).toBe('overloaded');
    journal.holds = false;
    journal.letGo();
    await Promise.all([first, ...waiting]);
    expect(journal.batches.slice(-2).map(({ length }) => length)).toEqual([1, 42]);
    expect(sequencer.queueLength).toBe(0);
  });

  test('cuts batches at a number of bytes, in the order of arrival', async () => {
    const { sequencer, journal } = await started(1_000_000);
    journal.holds = true;
    const first = sequencer.submit(order);
    await turn();
    const long = { ...cancel, orderId: 0, origClOrdId: 'o'.repeat(64), clOrdId: 'c'.repeat(64) };
    const entries = Array<typeof long>(50).fill(long);
    const waiting = Array.from({ length: 400 }, () =>
      sequencer.submit({ type: 'orderBatch', uid: 1, ...UNSIGNED, entries }),
    );
    journal.holds = false;
    journal.letGo();
    const seqs = (await Promise.all(waiting)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, i) => seqs[0] + i));
    await first;
    const bytes = journal.bytes.slice(
      journal.batches.findLastIndex(({ length }) => length === 1) + 1,
    );
    expect(bytes.length).toBeGreaterThan(2);
    for (const size of bytes) expect(size).toBeLessThanOrEqual(BATCH_BYTES);
    expect(bytes[0]).toBeGreaterThan(BATCH_BYTES - 10_000);
    expect(sequencer.queueLength).toBe(0);
  });

  test('turns a batch away for one new order, and takes one that cancels', async () => {
    const { sequencer, journal } = await started(2);
    journal.holds = true;
    const first = sequencer.submit(order);
    await turn();
    const waiting: Promise<unknown>[] = [sequencer.submit(batchOf(2, order))];
    const rejected = sequencer.submit(batchOf(2, order));
    expect(kindOf(await rejected.catch((error) => error))).toBe('overloaded');
    waiting.push(sequencer.submit(batchOf(2, cancel)));
    const late = sequencer.submit(batchOf(2, cancel));
    expect(kindOf(await late.catch((error) => error))).toBe('overloaded');
    journal.holds = false;
    journal.letGo();
    await Promise.all([first, ...waiting]);
  });

  test('answers accepted commands at a stop, and rejects later ones', async () => {
    const { sequencer, journal, exchange } = await started();
    journal.holds = true;
    const first = sequencer.submit(order);
    await turn();
    const second = sequencer.submit(order);
    let stopped = false;
    const stop = sequencer.stop().then(() => {
      stopped = true;
    });
    expect(kindOf(await sequencer.submit(cancel).catch((error) => error))).toBe('stopping');
    journal.holds = false;
    expect(stopped).toBe(false);
    journal.letGo();
    await Promise.all([first, second, stop]);
    expect(exchange.state.seq).toBe(6);
  });

  test('rejects each waiting command once when the journal fails, and all later ones', async () => {
    const { sequencer, journal, exchange, failures } = await started();
    journal.holds = true;
    const first = sequencer.submit(order).catch(kindOf);
    await turn();
    const second = sequencer.submit(cancel).catch(kindOf);
    journal.fail(new Error('the disk is gone'));
    expect(await Promise.all([first, second])).toEqual(['failed', 'failed']);
    expect(kindOf(await sequencer.submit(order).catch((error) => error))).toBe('failed');
    expect(failures).toHaveLength(1);
    expect([exchange.state.seq, sequencer.queueLength]).toEqual([4, 0]);
  });
});

describe('while the match of an order goes on', () => {
  /** Forty makers of one lot; a record does about two fills. */
  async function matching(queueLimit: number) {
    const venue = await started(queueLimit, 0.0005);
    const { sequencer } = venue;
    await sequencer.submit({ type: 'createUser', kyc: true });
    for (const uid of [1, 2]) {
      for (const assetId of [0, 1]) {
        const money = { direction: 'credit', assetId, amount: amount(10 ** 15) } as const;
        await sequencer.submit({
          type: 'transferFunds',
          uid,
          ...money,
          reference: `${uid}${assetId}`,
        });
      }
    }
    for (let n = 0; n < 40; n++) await sequencer.submit({ ...order, uid: 2, side: Side.sell });
    return venue;
  }
  const large = { ...order, orderQty: lots(40) };

  test('a full queue still takes the timers, which end it', async () => {
    const { sequencer, exchange } = await matching(8);
    const first = sequencer.submit(large);
    for (let i = 0; i < 5; i++) await turn();
    expect(exchange.isBusy).toBe(true);
    const waiting: Promise<unknown>[] = [];
    for (let n = 0; n < 6; n++) waiting.push(sequencer.submit(massCancel));
    expect(kindOf(await sequencer.submit(massCancel).catch((error) => error))).toBe('overloaded');
    expect(kindOf(await sequencer.submit(order).catch((error) => error))).toBe('overloaded');
    const other = sequencer.submit({ type: 'cancelAllAfter', uid: 2, ...UNSIGNED, timeout: 0 });
    expect((await other).outcome.ok).toBe(true);
    while (exchange.isBusy) await sequencer.submit({ type: 'runTimers' });
    await Promise.all([first, ...waiting]);
    expect(sequencer.queueLength).toBe(0);
  });

  test('a leader that gives the lead away leaves it to the next one', async () => {
    const { sequencer, exchange } = await matching(8);
    const first = sequencer.submit(large);
    for (let i = 0; i < 5; i++) await turn();
    expect(await sequencer.release()).toEqual([]);
    expect(exchange.isBusy).toBe(true);
    expect(kindOf(await sequencer.submit(order).catch((error) => error))).toBe('stopping');
    // It is in the journal, and answered by a record of the next leader.
    expect(await Promise.race([first, turn()])).toBeUndefined();
  });

  test('the core keeps a bounded number of writes, however many orders match', async () => {
    const { sequencer, exchange, journal } = await matching(8_192);
    journal.holds = true;
    const first = sequencer.submit(large);
    await turn();
    // The batch that the disk gets before the order is applied, of entries with the longest names.
    const entry = { ...cancel, origClOrdId: 'o'.repeat(64), clOrdId: 'c'.repeat(64) };
    const batch = { ...batchOf(1, cancel), entries: Array(50).fill(entry) } as Command;
    const waiting: Promise<unknown>[] = [];
    while (sequencer.queueLength < 16_300) waiting.push(sequencer.submit(batch));
    journal.holds = false;
    journal.letGo();
    for (let i = 0; i < 5; i++) await turn();
    const most = exchange.pendingWrites;
    expect(most).toBeGreaterThan(PENDING_WRITES);
    expect(most).toBeLessThanOrEqual(2 * 8_192);
    let pending = Number.POSITIVE_INFINITY;
    const other = sequencer.submit({ type: 'cancelAllAfter', uid: 2, ...UNSIGNED, timeout: 0 });
    const begun = other.then(() => {
      pending = exchange.pendingWrites;
    });
    for (let i = 0; i < 5; i++) await turn();
    expect(pending).toBe(Number.POSITIVE_INFINITY);
    while (exchange.isBusy) await sequencer.submit({ type: 'runTimers' });
    await Promise.all([first, begun, ...waiting]);
    expect(pending).toBeLessThan(PENDING_WRITES);
    expect(exchange.pendingWrites).toBe(0);
  });
});
