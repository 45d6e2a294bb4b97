// The edges of a timestamp's window.
import { expect, test } from 'bun:test';
import { Problem } from '../../contract/problem.ts';
import { readTime } from './signature.ts';

const NOW = 1_700_000_000_000;
/** The field at fault, or null for a timestamp that is `age` ms old and accepted. */
const faultOf = (age: number, recvWindow: string | null = null): string | null => {
  const read = readTime(String(NOW - age), recvWindow, NOW);
  if (read instanceof Problem) return read.details!.field!;
  expect(read).toBe(NOW - age);
  return null;
};

test.each([
  [5000, null, null],
  [5001, null, 'timestamp'],
  [-999, null, null],
  [-1000, null, 'timestamp'],
  [0, '0', null],
  [1, '0', 'timestamp'],
  [5000, '5e3', null],
  [5001, '5e3', 'timestamp'],
  [5000, '5000.0', null],
  [60_000, '60000', null],
  [60_001, '60000', 'timestamp'],
  [0, '60000.001', 'recvWindow'],
  [0, '60001', 'recvWindow'],
  [0, '6.0001e4', 'recvWindow'],
  [0, '5e-9', 'recvWindow'],
  [0, '1e99', 'recvWindow'],
  [0, '-1', 'recvWindow'],
] as const)('a timestamp of %d ms ago with recvWindow %p', (age, recvWindow, fault) => {
  expect(faultOf(age, recvWindow)).toBe(fault);
});
