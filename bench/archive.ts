// Part `archive`: the start time of a node with fifty million archived commands, and the time of
// archiving them. The history is signed orders and their cancels in an ordinary journal, two
// snapshots, and views without rows at its end, since a start opens them and reads none.
import { Database } from 'bun:sqlite';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Side } from '../src/core/fix.ts';
import type { State } from '../src/core/state.ts';
import { writeSnapshot } from '../src/engine/snapshot-store.ts';
import { ViewStore, viewsPath } from '../src/views/view-store.ts';
import { createKeys, snapshotsIn, Writer } from './support/history.ts';
import { startSeconds } from './support/load.ts';
import { many, part } from './support/part.ts';
import { program, runAgio } from './support/processes.ts';
import { cancelCommand, orderCommand, signatureOf, venueCommands } from './support/venue.ts';

const SNAPSHOT_EVERY = 250_000;
const USERS = 200;
/** A hundred commands a second: so many signatures are remembered as at that pace. */
const COMMANDS_A_RECORD = 64;
const MS_A_RECORD = 640;

/** Sends orders, each canceled right after, until the exchange is at `seq`. */
async function trade(writer: Writer, seq: number): Promise<void> {
  const { state } = writer.exchange;
  while (state.seq < seq) {
    const number = state.seq;
    const uid = 1 + (number % USERS);
    const signature = (n: number) => signatureOf(uid, n, writer.time);
    const terms = { uid, side: Side.buy, quantity: 10, price: 5_000_000 };
    const { orderId } = writer.send(orderCommand({ ...terms, signature: signature(number) }));
    writer.send(cancelCommand(uid, orderId, signature(number + 1)));
    if (state.seq % COMMANDS_A_RECORD < 2) await writer.advance(MS_A_RECORD);
  }
}

/** Views that say that they have seen everything. */
function placeViews(dataDir: string, state: State, chainHash: Uint8Array): void {
  const path = viewsPath(dataDir);
  ViewStore.open(path, () => []).close();
  const db = new Database(path);
  const update = db.query('UPDATE meta SET appliedSeq = ?, chainHash = ?, stateHash = ?');
  update.run(state.seq, chainHash, state.stateHash());
  db.close();
}

const { once } = program(import.meta, {
  /** Returns the last seq. */
  async write(dataDir: string, commands: number): Promise<number> {
    const writer = new Writer();
    const { state } = writer.exchange;
    for (const seq of [commands - SNAPSHOT_EVERY, commands]) {
      await writer.open(dataDir);
      if (state.seq === 0) await writer.sendAll(venueCommands(USERS));
      await trade(writer, seq);
      const chainHash = await writer.close();
      writeSnapshot(snapshotsIn(dataDir), state, chainHash);
      if (seq === commands) placeViews(dataDir, state, chainHash);
    }
    createKeys(dataDir, USERS);
    return state.seq;
  },
});

/** Bytes of the files in a directory, in gigabytes. */
const gigabytesIn = (directory: string): number =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0) / 1e9;

export const archive = part({
  name: 'archive',
  question: 'How long does a start take with fifty million archived commands?',
  against: 'the target only',
  size: { commands: 50_000_000 },
  async subjects({ commands }, { directory, step }) {
    const dataDir = join(directory, 'data');
    step(`writing ${many(commands)} commands`);
    const seq = await once.write(dataDir, commands);
    const before = gigabytesIn(join(dataDir, 'journal'));
    step('starting with the whole journal');
    const whole = await startSeconds(dataDir);
    step('archiving');
    const start = performance.now();
    const to = join(directory, 'archive');
    const text = await runAgio(['journal', 'archive', '--to', to, '--data', dataDir]);
    const rate = (seq * 1000) / (performance.now() - start);
    if (!text.includes('The journal begins at command')) throw new Error(`not archived: ${text}`);
    const after = gigabytesIn(join(dataDir, 'journal'));
    return {
      start: () => startSeconds(dataDir),
      first: async () => ({ whole, rate, before, after }),
    };
  },
  rows: () => [
    [
      'start with an archived journal, process start to listening',
      's',
      ({ start }) => start,
      { atMost: 2 },
    ],
    ['the same before it was archived', 's', ({ first }) => first.whole],
    ['commands archived, verified and removed', '/s', ({ first }) => first.rate],
  ],
  notes: ({ commands }, [{ first }]) => [
    `${many(commands)} signed orders and cancels in records of ${COMMANDS_A_RECORD}: ` +
      `${first.before.toFixed(2)} GB of journal before, ${first.after.toFixed(2)} GB after, ` +
      `which is what two snapshots ${many(SNAPSHOT_EVERY)} commands apart need.`,
  ],
});
