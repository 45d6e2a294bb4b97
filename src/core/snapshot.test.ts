// The form of a snapshot: what a version of agio has written is read by it again, and not taken for
// something else by another.
import { expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { listEth, tradeAtRandom } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import { restore, snapshot } from './snapshot.ts';

function traded(): Venue {
  const venue = new Venue({ users: 3 });
  listEth(venue);
  tradeAtRandom(venue, new Prng(5), 400);
  return venue;
}

test('another form, and anything behind its end, is rejected', () => {
  const bytes = snapshot(traded().exchange.state);
  const other = bytes.slice();
  other[0] = 0;
  expect(() => restore(other)).toThrow('the state has format 0, known is 1');
  expect(() => restore(Buffer.concat([bytes, Buffer.from([0])]))).toThrow();
});
