// The form of a snapshot: what a version of agio has written is read by it again, and not taken for
// something else by another.
import { expect, test } from 'bun:test';
import { tradedVenue } from '../../test/support/trading-workload.ts';
import { restore, snapshot } from './snapshot.ts';

test('another form, and anything behind its end, is rejected', () => {
  const bytes = snapshot(tradedVenue(5, 400).exchange.state);
  const other = bytes.slice();
  other[0] = 0;
  expect(() => restore(other)).toThrow('the format of its state is 0, and this release has');
  expect(() => restore(Buffer.concat([bytes, Buffer.from([0])]))).toThrow();
});
