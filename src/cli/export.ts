// agio export: the journal as JSON lines, or a user's statement, while no server runs.
import { closeSync, openSync } from 'node:fs';
import { JsonNumber, type JsonOut, stringify } from '../contract/json.ts';
import { CSV_HEADER, csvEntry } from '../contract/trading/account.ts';
import { ledgerEntry } from '../contract/trading/answers.ts';
import type { Asset } from '../core/instrument.ts';
import { decodeBatch } from '../journal/codec.ts';
import type { JournalRecord } from '../journal/journal.ts';
import { openHistory } from '../journal/open-journal.ts';
import { byLastRow } from '../sdk/pages.ts';
import type { StatementEntry } from '../views/statement.ts';
import { CliError, command, group, naturalNumber } from './command.ts';
import { DATA_ARG, dataDirectory, type Venue, withLock, withVenue } from './data-directory.ts';
import { ARCHIVE_ARG, archiveDirectory } from './history.ts';
import { writeText } from './output.ts';

const STDOUT = 1;
/** Characters to gather before a write. */
const CHUNK = 1 << 16;
const PAGE = 1000;

const out = {
  out: { type: 'string', valueHint: 'FILE', description: 'A new file; standard output otherwise.' },
} as const;

/** Lines into a file that must not exist yet, or to standard output. */
class Lines {
  readonly #file: number;
  #waiting = '';

  constructor(path: string | undefined) {
    this.#file = path === undefined ? STDOUT : openSync(path, 'wx', 0o600);
  }

  write(line: string): void {
    this.add(`${line}\n`);
  }

  /** Adds text that contains its line ends. */
  add(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length >= CHUNK) this.#flush();
  }

  #flush(): void {
    const text = this.#waiting;
    this.#waiting = '';
    writeText(this.#file, text);
  }

  close(): void {
    this.#flush();
    if (this.#file !== STDOUT) closeSync(this.#file);
  }
}

const journal = command({
  name: 'journal',
  summary: 'Writes every command of the journal as a JSON line',
  examples: [
    'agio export journal --out journal.jsonl',
    'agio export journal --from 1000 --to 2000 | jq .command.type',
  ],
  notes:
    'Numbers are in core units, as the journal has them: prices in ticks, quantities in\n' +
    'lots, amounts in the smallest unit of their asset. The last line of a record has its\n' +
    'chain hash.',
  args: {
    ...DATA_ARG,
    ...ARCHIVE_ARG,
    from: {
      type: 'string',
      valueHint: 'SEQ',
      description: 'The first command; the first that was not archived, or is in the archive.',
    },
    to: { type: 'string', valueHint: 'SEQ', description: 'The last command.' },
    ...out,
  },
  async run(args) {
    const directory = dataDirectory(args);
    const wanted = args.from === undefined ? undefined : naturalNumber('--from', args.from);
    const to = args.to === undefined ? Number.MAX_SAFE_INTEGER : naturalNumber('--to', args.to);
    if (to < (wanted ?? 1)) throw new CliError(`--to ${to} lies before --from ${wanted}.`);
    await withLock(directory, async () => {
      await using reader = openHistory(directory, archiveDirectory(args));
      const from = Math.max(1, wanted ?? (await reader.firstSeq()));
      await reader.requireFrom(from);
      const lines = new Lines(args.out);
      for await (const records of reader.read(from)) {
        for (const record of records) writeRecord(lines, record, from, to);
        if (records.at(-1)!.firstSeq > to) break;
      }
      lines.close();
    });
  },
});

function writeRecord(lines: Lines, record: JournalRecord, from: number, to: number): void {
  const { firstSeq, epoch, payload } = record;
  const { time, commands } = decodeBatch(payload);
  commands.forEach((command, at) => {
    const seq = firstSeq + at;
    if (seq < from || seq > to) return;
    const last = at === commands.length - 1;
    const chainHash = last ? Buffer.from(record.chainHash).toString('hex') : undefined;
    const setAside = record.setAside?.some((one) => one.seq === seq) === true ? true : undefined;
    lines.write(stringify({ seq, time, epoch, command: writable(command), setAside, chainHash }));
  });
}

/** Large amounts are bigints, which JSON writes as the integers that they are. */
function writable(value: unknown): JsonOut {
  if (typeof value === 'bigint') return new JsonNumber(value.toString());
  if (Array.isArray(value)) return value.map(writable);
  if (typeof value !== 'object' || value === null) return value as JsonOut;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, writable(part)]));
}

const statement = command({
  name: 'statement',
  summary: 'Writes all that a user ever received and gave, oldest first',
  examples: [
    'agio export statement 7 --out ada.csv',
    'agio export statement 7 --asset BTC --format jsonl',
  ],
  notes: 'The columns are those of GET /spot-api/api/private/v1/ledger.',
  args: {
    uid: { type: 'positional', required: true, description: 'The number of the user.' },
    ...DATA_ARG,
    ...ARCHIVE_ARG,
    asset: { type: 'string', valueHint: 'ASSET', description: 'One asset only.' },
    format: {
      type: 'string',
      valueHint: 'FORMAT',
      choices: ['csv', 'jsonl'],
      default: 'csv',
      description: 'The form.',
    },
    ...out,
  },
  async run(args) {
    const uid = naturalNumber('UID', args.uid);
    await withVenue(dataDirectory(args), archiveDirectory(args), async (venue) => {
      const { state } = venue;
      if (state.users[uid] === undefined) throw new CliError(`There is no user ${uid}.`);
      const asset = args.asset === undefined ? undefined : state.assetNamed(args.asset);
      if (args.asset !== undefined && asset === undefined) {
        throw new CliError(`There is no asset ${args.asset}.`);
      }
      const lines = new Lines(args.out);
      const csv = args.format !== 'jsonl';
      if (csv) lines.add(CSV_HEADER);
      for await (const entry of entriesOf(venue, uid, asset)) {
        if (csv) lines.add(csvEntry(state, entry));
        else lines.write(ledgerEntry.write(entry, state.assets[entry.assetId]!).source);
      }
      lines.close();
    });
  },
});

const entriesOf = ({ state, follower }: Venue, uid: number, asset: Asset | undefined) =>
  byLastRow<StatementEntry>(PAGE, (last) =>
    follower.query(
      {
        type: 'statement',
        uid,
        order: 'oldestFirst',
        size: PAGE,
        lastEntryId: last?.entryId ?? 0,
        ...(asset === undefined ? {} : { assetId: asset.assetId }),
      },
      state.seq,
    ),
  );

export const exportCommand = group('export', 'Writes the journal, or a user’s statement', [
  journal,
  statement,
]);
