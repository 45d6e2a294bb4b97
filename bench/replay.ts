// Part `replay`: the recovery of a million commands from a file journal without a snapshot. Also
// the time from the start of a process to "listening", with a snapshot and 100,000 commands after
// it. The commands are those of part `core`, signed, in an ordinary journal.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Side } from '../src/core/fix.ts';
import { recover } from '../src/engine/recovery.ts';
import { snapshotsOf } from '../src/engine/snapshot-store.ts';
import { openFileJournal } from '../src/journal/open-journal.ts';
import { createKeys, follow, Writer } from './support/history.ts';
import { startSeconds } from './support/load.ts';
import { Kind, makeStream, OPERATION_WORDS, RESTING, SHAPES } from './support/order-stream.ts';
import { type Context, many, part } from './support/part.ts';
import { program } from './support/processes.ts';
import { cancelCommand, orderCommand, signatureOf, venueCommands } from './support/venue.ts';

const SEED = 20_260_102;
const USERS = 1000;

/** Operations `from` to `to` of the stream. */
async function writeStream(writer: Writer, words: Int32Array, from: number, to: number) {
  for (let operation = from; operation < to; operation++) {
    const at = operation * OPERATION_WORDS;
    const [what, price, quantity, order] = words.subarray(at, at + OPERATION_WORDS);
    const uid = 1 + (order % USERS);
    const signature = signatureOf(uid, operation, writer.time);
    if (what >> 2 === Kind.cancel) writer.send(cancelCommand(uid, order, signature));
    else {
      const side = (what & 3) as Side;
      const { orderId } = writer.send(orderCommand({ uid, side, quantity, price, signature }));
      if (orderId !== order) throw new Error(`order ${order} was given the orderId ${orderId}`);
    }
    await writer.flushFull();
  }
}

const { once } = program(import.meta, {
  /** `behind`: operations after a snapshot; 0 for no snapshot. */
  async write(dataDir: string, operations: number, behind: number): Promise<void> {
    const { operations: words } = makeStream(SEED, operations + behind, SHAPES.wide);
    const writer = await new Writer().open(dataDir);
    await writer.sendAll(venueCommands(USERS));
    await writeStream(writer, words, 0, operations);
    await writer.close();
    if (behind === 0) return;
    await follow(dataDir, writer.exchange);
    await writer.open(dataDir);
    await writeStream(writer, words, operations, operations + behind);
    await writer.close();
    createKeys(dataDir, 1);
  },

  /** Recovers the state from a file journal as a starting node does. */
  async recover(dataDir: string) {
    const start = performance.now();
    const journal = await openFileJournal(dataDir);
    const opened = performance.now();
    const { exchange, replayed } = await recover(journal, snapshotsOf(dataDir, []), (sentence) => {
      throw new Error(sentence);
    });
    const end = performance.now();
    if (replayed !== exchange.state.seq) throw new Error('not everything was replayed');
    await journal.close();
    const perSecond = (ms: number): number => (replayed * 1000) / ms;
    return {
      commands: replayed,
      all: perSecond(end - start),
      verified: perSecond(opened - start),
      applied: perSecond(end - opened),
    };
  },
});

/** On a copy, since a started node writes. */
async function startOfCopy(context: Context, prepared: string): Promise<number> {
  const dataDir = join(context.directory, 'started');
  cpSync(prepared, dataDir, { recursive: true });
  const seconds = await startSeconds(dataDir);
  rmSync(dataDir, { recursive: true });
  return seconds;
}

export const replay = part({
  name: 'replay',
  question: 'How fast does a node rebuild the state from the journal, and start from a snapshot?',
  against: 'the targets only',
  size: {
    replayed: 1_000_000,
    /** Commands before the snapshot: as many as a node applies before it takes one. */
    history: 250_000,
    behind: 100_000,
  },
  async subjects({ replayed, history, behind }, context) {
    context.step('writing the histories');
    const journal = join(context.directory, 'journal-only');
    await once.write(journal, replayed, 0);
    const snapshot = join(context.directory, 'with-snapshot');
    await once.write(snapshot, history, behind);
    return {
      recovery: () => once.recover(journal),
      start: () => startOfCopy(context, snapshot),
    };
  },
  rows: () => [
    ['commands recovered', '/s', ({ recovery }) => recovery.all, { atLeast: 300_000 }],
    ['of which: the journal verified', '/s', ({ recovery }) => recovery.verified],
    ['of which: read again, decoded, applied', '/s', ({ recovery }) => recovery.applied],
    ['start with a snapshot, process start to listening', 's', ({ start }) => start, { atMost: 2 }],
  ],
  notes: ({ history, behind }, [{ recovery }]) => [
    `Recovery: ${many(recovery.commands)} signed commands in records of 64, no snapshot, ` +
      `${many(RESTING)} orders resting. Start: a snapshot after ${many(history)} commands and ` +
      `${many(behind)} commands behind it.`,
    'A start verifies every record that the journal still has, also those before the snapshot; ' +
      'each further million of them adds a million ÷ “the journal verified”.',
  ],
});
