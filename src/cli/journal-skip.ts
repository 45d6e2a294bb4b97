// agio journal skip: sets aside the command that ended three starts. It keeps its place in the
// journal, has no effect from then on, and gets an entry in the audit log with the next start.
import { fillFiles } from '../cluster/catch-up.ts';
import { endedLease } from '../cluster/lease-watch.ts';
import { PostgresStore } from '../cluster/postgres/postgres-store.ts';
import { commandAt } from '../engine/poisonous-command.ts';
import { durabilityEvidence } from '../engine/recovery.ts';
import { ReplayMark } from '../engine/replay-mark.ts';
import { snapshotDirectory, snapshotSeqs } from '../engine/snapshot-store.ts';
import { openFileJournal } from '../journal/open-journal.ts';
import { type SetAside, signSetAside } from '../journal/set-aside.ts';
import { CliError, command, naturalNumber } from './command.ts';
import {
  DATA_ARG,
  dataDirectory,
  masterKeysOf,
  snapshotKeysOf,
  withLock,
} from './data-directory.ts';
import { DATABASE_ARG, databaseUrl } from './database.ts';
import { print } from './output.ts';

export const skipCommand = command({
  name: 'skip',
  summary: 'Sets aside a command that ended three starts, so that it has no effect',
  examples: ['agio journal skip 120443 --reason "ends the process, ticket 4711" --data DIR'],
  notes:
    'The server must be stopped; in a cluster, all nodes. Only the command that the fourth\n' +
    'start named can be set aside. Later commands keep their places and are applied without it,\n' +
    'so their outcomes may differ from the answers that clients have. This cannot be undone.',
  args: {
    seq: { type: 'positional', required: true, description: 'The command that the start named.' },
    reason: {
      type: 'string',
      required: true,
      valueHint: 'TEXT',
      description: 'The reason, for the audit log.',
    },
    ...DATA_ARG,
    ...DATABASE_ARG,
  },
  run(args) {
    const directory = dataDirectory(args);
    const seq = naturalNumber('SEQ', args.seq);
    return withLock(directory, async (lock) => {
      const part = requirePoisonous(directory, seq);
      const url = databaseUrl(args);
      const evidence = url === null ? durabilityEvidence(directory) : [];
      await using journal = await openFileJournal(directory, { lock, evidence });
      await using store = url === null ? null : new PostgresStore({ url, node: 'journal-skip' });
      if (store !== null) await fillFiles(store, journal);
      const { chainHash, text } = await commandAt(journal, seq, part);
      const { reason } = args;
      const facts = { seq, part, chainHash, command: text, time: Date.now(), reason };
      const entry: SetAside = signSetAside(snapshotKeysOf(masterKeysOf(directory))[0]!, facts);
      // The node adopts the entry of its cluster with its next start.
      if (store === null) await journal.addSetAside([entry]);
      else await store.addSetAside(entry, await endedLease(store));
      print(`Command ${seq} (${text}) is set aside. Start the server.`);
    });
  },
});

/** The part of the command that ended the last three starts. Throws CliError for any other one. */
function requirePoisonous(directory: string, seq: number): number {
  const { poison, poisonPart } = new ReplayMark(directory, 'start');
  const inSnapshot = (snapshotSeqs(snapshotDirectory(directory))[0] ?? 0) >= seq;
  if (poison === seq && !inSnapshot) return poisonPart;
  throw new CliError(
    poison === null || inSnapshot
      ? 'No command has ended three starts in a row, so none can be set aside.'
      : `Command ${poison} ended the last three starts, and only that one can be set aside.`,
  );
}
