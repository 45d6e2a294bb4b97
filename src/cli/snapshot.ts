// agio snapshot: writes a snapshot of a venue that is not running, so that its next start is quick.
import { defineCommand } from 'citty';
import { stringify } from '../contract/json.ts';
import { about } from './command.ts';
import { DATA_ARG, dataDirectory, withVenue } from './data-directory.ts';
import { ARCHIVE_ARG, archiveDirectory } from './history.ts';
import { print } from './output.ts';

export const snapshotCommand = defineCommand({
  meta: about(
    'snapshot',
    'Brings the views up to date and writes a snapshot, offline',
    ['agio snapshot --data /srv/agio'],
    { notes: 'A server takes snapshots by itself, and one when it stops.' },
  ),
  args: {
    ...DATA_ARG,
    ...ARCHIVE_ARG,
    json: { type: 'boolean', description: 'Print the result as JSON.' },
  },
  async run({ args }) {
    const { seq, stateHash } = await withVenue(
      dataDirectory(args),
      archiveDirectory(args),
      ({ state, follower }) => follower.snapshot({ seq: state.seq, stateHash: state.stateHash() }),
    );
    if (args.json === true) print(stringify({ seq, stateHash }));
    else print(`snapshot at seq ${seq}, state hash ${stateHash}`);
  },
});
