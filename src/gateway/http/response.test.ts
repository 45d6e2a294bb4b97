// Answers of one kind share the headers that they are made from, and must not share those they are
// sent with.
import { expect, test } from 'bun:test';
import type { Reply } from './reply.ts';
import { respond } from './response.ts';

const answer = (requestId: string, seq: number | null, more: Reply['headers'] = null): Response =>
  respond({
    reply: { status: 200, body: '{}', seq, headers: more },
    route: null,
    rate: null,
    cors: null,
    requestId,
  });

test('each answer keeps the headers that it was made with', () => {
  const answers = [
    answer('a', 1),
    answer('b', null),
    answer('c', 3, { 'Retry-After': '1' }),
    answer('d', 4),
    answer('e', null),
  ];
  const shown = answers.map(({ headers }) => [
    headers.get('x-request-id'),
    headers.get('x-agio-seq'),
    headers.get('retry-after'),
  ]);
  expect(shown).toEqual([
    ['a', '1', null],
    ['b', null, null],
    ['c', '3', '1'],
    ['d', '4', null],
    ['e', null, null],
  ]);
});
