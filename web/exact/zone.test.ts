// Times in a zone that the user chose.
import { expect, test } from 'bun:test';
import { formatIn, instantOf, offsetAt, wallTime } from './zone.ts';

const HOUR = 3_600_000;

test.each([
  ['UTC', '2026-11-21T14:05:09Z', '2026-11-21 14:05:09', 0],
  ['Asia/Kolkata', '2026-11-21T14:05:09Z', '2026-11-21 19:35:09', 5.5],
  ['America/New_York', '2026-07-01T00:30:00Z', '2026-06-30 20:30:00', -4],
  ['America/New_York', '2026-12-01T00:30:00Z', '2026-11-30 19:30:00', -5],
  ['Asia/Tokyo', '2026-12-31T15:00:00Z', '2027-01-01 00:00:00', 9],
])('in %s %s is %s', (zone, utc, wall, hours) => {
  const [format, instant] = [formatIn(zone), Date.parse(utc)];
  expect(wallTime(instant, format)).toBe(wall);
  expect(offsetAt(instant + 123, format)).toBe(hours * HOUR);
  expect(instantOf(wall.replace(' ', 'T'), format)).toBe(instant);
});

test('an unknown zone is that of the browser; no time has no instant', () => {
  expect(wallTime(0, formatIn('Mars/Base'))).toBe(wallTime(0, formatIn(undefined)));
  expect(instantOf('', formatIn('UTC'))).toBeNaN();
});
