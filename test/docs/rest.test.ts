// docs/rest.md: a server gave each sample, every call of the contract is there with its fields, and
// every null has a type.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_CALLS, fieldNamesIn } from '../../docs/extensions.ts';
import { readExamples } from '../../docs/reference/openapi.ts';
import { fieldsOf } from '../../src/contract/call.ts';
import { allCalls } from '../../src/contract/calls.ts';
import { REJECTIONS } from '../../src/contract/rejections.ts';

const text = readFileSync(join(import.meta.dir, '../../docs/rest.md'), 'utf8');
const nameOf = ({ method, path }: (typeof allCalls)[number]) => `${method} ${path}`;
const called = new Map(allCalls.map((call) => [nameOf(call), call]));

/** The sections under their headings, each up to the next heading. */
const sections = text.split(/^#{2,4} /m).map((section) => {
  const end = section.indexOf('\n');
  return { heading: section.slice(0, end), body: section.slice(end) };
});
const GENERATED = /<!-- generated: (.+) -->[\s\S]*?<!-- end -->/g;
const BLOCKS = /```json\n([\s\S]*?)\n```/g;

describe('samples', () => {
  test('of a call are recorded; only rejections are written by hand', () => {
    for (const { heading, body } of sections.filter((one) => called.has(one.heading))) {
      for (const [, block = ''] of body.replaceAll(GENERATED, '').matchAll(BLOCKS)) {
        for (const line of block.split('\n')) {
          const sample = JSON.parse(line) as { readonly code?: string };
          expect({ heading, code: sample.code ?? '0' }).not.toEqual({ heading, code: '0' });
        }
      }
    }
  });

  test('are there for each call that has a section and an answer with fields', () => {
    for (const { heading, body } of sections) {
      const call = called.get(heading);
      const isShown = body.includes(`<!-- generated: answer ${heading} -->`);
      const hasFields = call !== undefined && fieldNamesIn(call.answer).length > 0;
      const isTold = SAME_AS_ANOTHER.includes(heading);
      if (hasFields && !isTold) expect([heading, isShown]).toEqual([heading, true]);
    }
  });

  test('of rejections have the code and the words of the table', () => {
    const known = new Map(Object.values(REJECTIONS).map(({ code, msg }) => [String(code), msg]));
    let count = 0;
    for (const [, block = ''] of text.matchAll(BLOCKS)) {
      for (const line of block.split('\n')) {
        const sample = JSON.parse(line) as Record<string, unknown>;
        if (sample.code === undefined || sample.code === '0') continue;
        const number = String(sample.errorCode ?? sample.code);
        expect([number, known.get(number)]).toEqual([number, sample.msg as string]);
        expect(Object.keys(sample)).toContain('userMsg');
        count++;
      }
    }
    expect(count).toBeGreaterThan(4);
  });
});

/** Its text names the call whose answer it has. */
const SAME_AS_ANOTHER = ['POST /spot-api/api/private/v2/order'];

describe('the contract', () => {
  test.each(CONTRACT_CALLS.map((one) => [one.name, one] as const))('%s', (name, listed) => {
    const call = called.get(name)!;
    expect([...fieldsOf(call).fields.keys()]).toEqual(expect.arrayContaining([...listed.request]));
    const missing = listed.answer.filter((field) => !fieldNamesIn(call.answer).includes(field));
    expect<readonly string[]>(missing).toEqual(ELSEWHERE[name] ?? []);
  });

  test('every null of an example is of a field that the table lists', () => {
    const table = text.slice(
      text.indexOf('## Fields that may be null'),
      text.indexOf('## Extensions'),
    );
    const examples = readExamples();
    for (const { client, name, access } of allCalls) {
      if (client === 'operator' || access === 'operator') continue;
      for (const field of nullsIn(examples[name]?.answer)) {
        expect({ name, field, row: table.includes(`| \`${field}\` | `) }).toMatchObject({
          row: true,
        });
      }
    }
    expect(table).not.toContain('any or null');
  });
});

/** Spellings of the document that belong to one of two calls. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'GET /earn-api/v1/user/plan/list': ['apy', 'minlockDay'],
  'GET /earn-api/v1/user/plan/detail': ['planName', 'applyId'],
};

function nullsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(nullsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    member === null ? [name] : nullsIn(member),
  );
}
