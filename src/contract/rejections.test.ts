// The tables of rejections against what is promised of every code.
import { expect, test } from 'bun:test';
import { CODES, isLegacy } from './codes.ts';
import { REJECTIONS } from './rejections.ts';

const codes = Object.values(CODES);

test('a code has one row, and every row has a cause', () => {
  expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length);
  const used = new Set(Object.values(REJECTIONS).map(({ codeName }) => codeName));
  expect([...used].sort()).toEqual(Object.keys(CODES).sort() as never);
});

test('msg is "business error" exactly for 1002xx', () => {
  for (const { code, msg } of codes) {
    expect(msg === 'business error').toBe(code >= 100200 && code < 100300);
  }
});

test('a legacy error is answered with HTTP 200, every other rejection is not', () => {
  for (const { code, http } of codes) {
    expect({ code, isLegacy: http === 200 }).toEqual({ code, isLegacy: isLegacy(code) });
  }
});

test('what passes with time may be tried again', () => {
  for (const { name, http, transient } of Object.values(REJECTIONS)) {
    if (http === 429 || http === 503)
      expect({ name, transient }).toEqual({ name, transient: true });
  }
});
