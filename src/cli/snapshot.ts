// agio snapshot: writes a snapshot of a stopped venue, so its next start is quick.
import { stringify } from '../contract/json.ts';
import { command } from './command.ts';
import { DATA_ARG, dataDirectory, withVenue } from './data-directory.ts';
import { ARCHIVE_ARG, archiveDirectory } from './history.ts';
import { print } from './output.ts';

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
