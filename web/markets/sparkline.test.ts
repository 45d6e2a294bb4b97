// The points of a small line.
import { expect, test } from 'bun:test';
import { linePoints } from './sparkline.tsx';

test('the highest value is at the top, and the line fills the width', () => {
  expect(linePoints([1, 3, 2], 100, 24)).toBe('0.0,22.0 50.0,2.0 100.0,12.0');
});

test('equal values are a line in the middle; one value is none', () => {
  expect(linePoints([5, 5], 10, 24)).toBe('0.0,12.0 10.0,12.0');
  expect(linePoints([5], 10, 24)).toBe('');
});
