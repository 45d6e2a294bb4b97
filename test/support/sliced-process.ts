// The server with records that do a fill or two (small-records.ts), in both of its threads: kills
// then fall between two slices of an order.
import { isMainThread } from 'node:worker_threads';
import { patchFollower } from './patched-follower.ts';
import { smallRecords } from './small-records.ts';

await patchFollower(import.meta.url, async () => void smallRecords());
if (isMainThread) {
  smallRecords();
  await import('../../src/main.ts');
}
