// A long list is written in pieces: others are served in between, and the text is that of the list.
import { expect, test } from 'bun:test';
import { stringify } from '../../contract/json.ts';
import { writeInTurns } from './long-answer.ts';

const LENGTHS = [0, 1, 249, 250, 251, 1000, 10_000];

test.each(LENGTHS)('a list of %p has its text', async (length) => {
  const items = Array.from({ length }, (_, n) => ({ n, text: `item ${n}` }));
  const later = (item: object) => (item === items[1] ? Promise.resolve(item) : item);
  expect((await writeInTurns(items, later)).source).toBe(stringify(items));
});

test('no turn of the event loop writes more than 250 items', async () => {
  let [inTurn, most, isDone] = [0, 0, false];
  const tick = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await writeInTurns(Array.from({ length: 10_000 }), () => {
    inTurn++;
    return null;
  });
  isDone = true;
  expect(Math.max(most, inTurn)).toBe(250);
});
