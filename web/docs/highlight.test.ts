// The tokens of code.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { tokensOf } from './highlight.ts';

const LANGUAGES = ['json', 'http', 'ts', 'python', 'sh', 'sql', 'yaml', 'ini', 'text'];
const kindsOf = (text: string, language: string) =>
  tokensOf(text, language)
    .filter(({ kind }) => kind !== null)
    .map(({ kind, text }) => `${kind} ${text}`);

test.each([
  [
    'json',
    '{"a": -1.5, "b": [true, "x"]}',
    ['name "a"', 'number -1.5', 'name "b"', 'keyword true', 'string "x"'],
  ],
  [
    'ts',
    "const a = await f('x', 10); // b",
    ['keyword const', 'keyword await', "string 'x'", 'number 10', 'comment // b'],
  ],
  ['python', 'import hmac  # sign\nx = None', ['keyword import', 'comment # sign', 'keyword None']],
  [
    'sh',
    'agio plan fund 7 --reference "a b" # c',
    ['name --reference', 'string "a b"', 'comment # c'],
  ],
  ['sh', 'curl $URL#x', ['name $URL']],
  [
    'sql',
    "CREATE ROLE a PASSWORD 'x'; -- b",
    ['keyword CREATE', 'keyword ROLE', 'keyword PASSWORD', "string 'x'", 'comment -- b'],
  ],
  ['text', 'const a', []],
] as const)('%s: %p', (language, text, kinds) => {
  expect(kindsOf(text, language)).toEqual([...kinds]);
});

test('the tokens of any text are the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...LANGUAGES),
      (text, language) => {
        expect(
          tokensOf(text, language)
            .map((token) => token.text)
            .join(''),
        ).toBe(text);
      },
    ),
  );
});

test('every language of the documents has colors', () => {
  const docs = join(import.meta.dir, '../../docs');
  const plain = new Set(['', 'text']);
  for (const name of [
    'rest',
    'orders',
    'earn',
    'sdk',
    'ccxt',
    'binance',
    'websocket',
    'operating',
  ]) {
    const text = readFileSync(join(docs, `${name}.md`), 'utf8');
    for (const [, language = ''] of text.matchAll(/^```(\w+)/gm)) {
      if (plain.has(language)) continue;
      expect([name, language, tokensOf('"a" # b', language).length > 1]).toEqual([
        name,
        language,
        true,
      ]);
    }
  }
});
