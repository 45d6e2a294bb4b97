// agio replay: applies the journal from its first command, or from the oldest snapshot where the
// first was archived. It prints the speed and the resulting state.
// agio snapshot: writes a snapshot of a stopped venue, so its next start is quick.
import { stringify } from '../contract/json.ts';
import { EventFilter } from '../core/event-filter.ts';
import { Exchange } from '../core/exchange.ts';
import { timeText } from '../engine/clock.ts';
import { applyRecord } from '../engine/recovery.ts';
import { emptyState } from '../engine/snapshot-store.ts';
import { openHistory } from '../journal/open-journal.ts';
import { CliError, command, naturalNumber } from './command.ts';
import {
  DATA_ARG,
  dataDirectory,
  snapshotKeysIfAny,
  withLock,
  withVenue,
} from './data-directory.ts';
import { ARCHIVE_ARG, archiveDirectory, beginningOf, isAfter } from './history.ts';
import { grouped, Progress, print } from './output.ts';

interface Replay {
  readonly exchange: Exchange;
  /** The seq of the snapshot that the replay began at, 0 from the first command. */
  readonly from: number;
}

export const replayCommand = command({
  name: 'replay',
  summary: 'Replays the journal and prints the resulting state hash',
  examples: [
    'agio replay',
    'agio replay --to 120443        the state as it was after that command',
  ],
  args: {
    ...DATA_ARG,
    ...ARCHIVE_ARG,
    to: { type: 'string', valueHint: 'SEQ', description: 'The last command to apply.' },
    json: { type: 'boolean', description: 'Print the result as JSON.' },
  },
  async run(args) {
    const directory = dataDirectory(args);
    const to = args.to === undefined ? Number.MAX_SAFE_INTEGER : naturalNumber('--to', args.to);
    const started = performance.now();
    const archive = archiveDirectory(args);
    const { exchange, from } = await withLock(directory, () => replay(directory, archive, to));
    const { state } = exchange;
    const seconds = (performance.now() - started) / 1000;
    if (args.to !== undefined && state.seq < to) {
      throw new CliError(`The journal ends at seq ${state.seq}, before ${to}.`);
    }
    const { seq, time } = state;
    const stateHash = state.stateHash();
    const commands = seq - from;
    const perSecond = Math.round(commands / seconds);
    if (args.json === true) {
      print(
        stringify({ seq, time, stateHash, milliseconds: Math.round(seconds * 1000), perSecond }),
      );
      return;
    }
    const after = from === 0 ? '' : ` after the snapshot at seq ${from}`;
    const speed = `${grouped(perSecond)} commands/s`;
    print(`${grouped(commands)} commands${after} in ${seconds.toFixed(2)} s: ${speed}`);
    print(`seq         ${seq}`);
    print(`time        ${timeText(time)}`);
    print(`state hash  ${stateHash}`);
  },
});

async function replay(directory: string, archive: string | null, to: number): Promise<Replay> {
  using progress = new Progress();
  await using reader = openHistory(directory, archive);
  const beginning = await beginningOf(directory, reader, snapshotKeysIfAny(directory));
  const from = beginning.snapshot?.seq ?? 0;
  if (to < from) {
    throw new CliError(
      `The replay begins at the snapshot of command ${from}: to stop at ${to}, name the ` +
        'archive with --archive DIR or AGIO_ARCHIVE.',
    );
  }
  const exchange = new Exchange(beginning.snapshot?.state ?? emptyState(), EventFilter.none());
  for await (const records of reader.read(beginning.firstSeq)) {
    for (const record of records) {
      if (record.firstSeq > to) return { exchange, from };
      if (isAfter(beginning, record)) applyRecord(exchange, record, undefined, to);
    }
    progress.update(() => `${grouped(exchange.state.seq)} commands`);
  }
  return { exchange, from };
}

export const snapshotCommand = command({
  name: 'snapshot',
  summary: 'Brings the views up to date and writes a snapshot, offline',
  examples: ['agio snapshot --data /srv/agio'],
  notes: 'A server takes snapshots automatically, and one when it stops.',
  args: {
    ...DATA_ARG,
    ...ARCHIVE_ARG,
    json: { type: 'boolean', description: 'Print the result as JSON.' },
  },
  async run(args) {
    const { seq, stateHash } = await withVenue(
      dataDirectory(args),
      archiveDirectory(args),
      ({ state, follower }) => follower.snapshot({ seq: state.seq, stateHash: state.stateHash() }),
    );
    if (args.json === true) print(stringify({ seq, stateHash }));
    else print(`snapshot at seq ${seq}, state hash ${stateHash}`);
  },
});
