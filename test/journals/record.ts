// Records the sample journals of the present rules, with the states that they lead to: `bun
// test/journals/record.ts`. replay.test.ts proves that every machine and every later version
// replays them to the same states.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BinaryWriter } from '../../src/core/binary.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { RULES } from '../../src/core/rules.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import { journalDirectory, openFileJournal } from '../../src/journal/open-journal.ts';
import { EarnLockstep } from '../model/earn-lockstep.ts';
import { EarnWorkload } from '../model/earn-workload.ts';
import { Lockstep } from '../model/lockstep.ts';
import { Workload } from '../model/workload.ts';
import type { TimedCommand } from '../support/venue.ts';
import {
  hex,
  pathOf,
  type SampleName,
  type SampleState,
  SEGMENT,
  snapshotDigest,
} from './sample.ts';

const SEED = 20_261_122;
const LENGTH = 300;
const MARK_EVERY = 50;
const SEGMENT_BYTES = 1 << 18;

/** The workload also makes commands with terms out of all bounds, which have no journal form. */
function isEncodable({ time, command }: TimedCommand): boolean {
  try {
    encodeBatch(new BinaryWriter(), { time, commands: [command] });
    return true;
  } catch {
    return false;
  }
}

function tradingStream(): TimedCommand[] {
  const lockstep = new Lockstep();
  const workload = new Workload(SEED, lockstep.venue, 'mixed');
  const stream: TimedCommand[] = [];
  while (stream.length < LENGTH) {
    const timed = workload.next();
    lockstep.step(timed);
    if (isEncodable(timed)) stream.push(timed);
  }
  return stream;
}

function earnStream(): TimedCommand[] {
  const lockstep = new EarnLockstep('interleaved');
  const workload = new EarnWorkload(SEED, lockstep.venue, 'interleaved');
  const stream: TimedCommand[] = [];
  while (stream.length < LENGTH) {
    const timed = workload.next();
    const { seq } = lockstep.exchange.state;
    lockstep.step(timed);
    const { time, command } = timed;
    if (command.type === 'drain') {
      const slices = lockstep.exchange.state.seq - seq;
      for (let i = 0; i < slices; i++) stream.push({ time, command: { type: 'runTimers' } });
    } else if (isEncodable({ time, command })) stream.push({ time, command });
  }
  return stream;
}

async function record(name: SampleName, stream: readonly TimedCommand[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'agio-record-'));
  const journal = await openFileJournal(directory, { segmentBytes: SEGMENT_BYTES });
  const exchange = new Exchange();
  const { state } = exchange;
  const marks: Record<number, string> = {};
  for (const { time, command } of stream) {
    const seq = state.seq + 1;
    const payload = encodeBatch(new BinaryWriter(), { time, commands: [command] });
    await journal.append({ firstSeq: seq, count: 1, epoch: 1, payload });
    exchange.apply(seq, time, command);
    if (seq % MARK_EVERY === 0 || seq === stream.length) marks[seq] = state.stateHash();
  }
  const chainHash = hex(journal.head.chainHash);
  await journal.close();
  const bytes = readFileSync(join(journalDirectory(directory), SEGMENT));
  rmSync(directory, { recursive: true });
  const expected: SampleState = { chainHash, snapshot: snapshotDigest(state), marks };
  writeFileSync(pathOf(name, 'seg.gz', RULES), gzipSync(bytes, { level: 9 }));
  writeFileSync(pathOf(name, 'json', RULES), `${JSON.stringify(expected, null, 2)}\n`);
}

await record('trading', tradingStream());
await record('earn', earnStream());
