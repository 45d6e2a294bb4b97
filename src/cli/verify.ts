// agio verify: proves a data directory, a line for each check.
import { existsSync } from 'node:fs';
import { stringify } from '../contract/json.ts';
import { identityPath } from '../identity/identity.ts';
import { emptyCopy, IdentityCopy } from '../identity/storage/image.ts';
import { CliError, command, naturalNumber } from './command.ts';
import { DATA_ARG, dataDirectory, withLock } from './data-directory.ts';
import { DATABASE_ARG, databaseUrl, storeBeside } from './database.ts';
import { ARCHIVE_ARG, archiveDirectory } from './history.ts';
import { Progress, print } from './output.ts';
import {
  type Check,
  type NotedHead,
  type SharedVenue,
  type VerificationOptions,
  verifyData,
} from './verification.ts';

export const verifyCommand = command({
  name: 'verify',
  summary: 'Proves a data directory: journal, state, snapshots, views, audit log',
  examples: [
    'agio verify',
    'agio verify --data /mnt/backup/monday',
    'agio verify --archive /mnt/archive',
    'agio verify --journal-head 120443:9f3c… --audit-head 311:77ab…',
  ],
  notes:
    'Checks every checksum and the hash chain of the journal, replays it from the first\n' +
    'command, and compares snapshots, views and people with the result; checks the MAC of every\n' +
    'row of identity.db and opens every secret, for which it needs the master key\n' +
    '(AGIO_MASTER_KEY, --env-file FILE, or master.key in the directory). Ends with 0 when all\n' +
    'is well, and with 1 when something is not, or was not checked for want of the key. The\n' +
    'server must be stopped; a running one is verified by verifying a backup of it. Where the\n' +
    'older part of the journal was archived, --archive proves all of it; without it the proof\n' +
    'begins at the oldest snapshot.\n' +
    'On a node of a cluster, --database-url adds identity and the newest commands of the database.',
  args: {
    ...DATA_ARG,
    ...ARCHIVE_ARG,
    ...DATABASE_ARG,
    'journal-head': {
      type: 'string',
      valueHint: 'SEQ:CHAINHASH',
      description: 'A head that was noted elsewhere (agio head): nothing before it was changed.',
    },
    'audit-head': {
      type: 'string',
      valueHint: 'ID:HASH',
      description: 'The same for the audit log.',
    },
    json: { type: 'boolean', description: 'Print the checks as JSON.' },
  },
  async run(args) {
    const journalHead = headOf('--journal-head', args['journal-head']);
    const audited = headOf('--audit-head', args['audit-head']);
    const directory = dataDirectory(args);
    const archive = archiveDirectory(args);
    const auditHead =
      audited === undefined ? undefined : { id: audited.seq, hash: audited.chainHash };
    const checks = await withLock(directory, () =>
      withShared(directory, args, (shared) =>
        runChecks({ directory, archive, journalHead, auditHead, shared }, args.json !== true),
      ),
    );
    const ok = checks.every((check) => check.ok);
    if (args.json === true) print(stringify({ ok, directory, checks }));
    else print(`${directory} ${summaryOf(checks)}`);
    return ok ? 0 : 1;
  },
});

const markOf = ({ ok, keyMissing }: Check): string => (ok ? '✓' : keyMissing ? '?' : '✗');

function summaryOf(checks: readonly Check[]): string {
  if (checks.every(({ ok }) => ok)) return 'is as it should be.';
  return checks.every(({ ok, keyMissing }) => ok || keyMissing)
    ? 'was not checked as a whole: the lines with "?" need the master key. Nothing wrong was found.'
    : 'is NOT as it should be.';
}

/**
 * Gives `work` the database of a node's cluster: the named one, or that of the environment where
 * the directory has no identity of its own.
 */
async function withShared<T>(
  directory: string,
  choice: Parameters<typeof databaseUrl>[0],
  work: (shared: SharedVenue | undefined) => Promise<T>,
): Promise<T> {
  const isNode = choice['database-url'] !== undefined || !existsSync(identityPath(directory));
  const url = isNode ? databaseUrl(choice) : null;
  if (url === null) return work(undefined);
  await using store = storeBeside(directory, url, 'verify');
  const memory = () => emptyCopy(undefined);
  const identity = await store.readIdentity((head) => new IdentityCopy(head, memory()));
  return await work({ store, identity });
}

/** Runs every check of a directory, with a progress line, and prints a line for each. */
export async function runChecks(
  options: Omit<VerificationOptions, 'onProgress'>,
  prints = true,
): Promise<Check[]> {
  const progress = new Progress();
  const onProgress = (text: () => string) => progress.update(text);
  const checks: Check[] = [];
  for await (const check of verifyData({ ...options, onProgress })) {
    progress.clear();
    const { name, text } = check;
    if (prints) print(`${markOf(check)} ${name.padEnd(10)}  ${text}`);
    checks.push(check);
  }
  return checks;
}

function headOf(flag: string, text: string | undefined): NotedHead | undefined {
  if (text === undefined) return undefined;
  const [seq = '', chainHash = '', ...rest] = text.split(':');
  if (rest.length > 0 || !/^[0-9a-fA-F]{64}$/.test(chainHash)) {
    throw new CliError(`${flag} is a number and 64 hex digits with a colon between them.`);
  }
  return { seq: naturalNumber(flag, seq), chainHash: chainHash.toLowerCase() };
}
