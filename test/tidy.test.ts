// The house style that a machine can check, as a test: who may import whom, that the core is pure,
// how long a file may be, and what must not be left behind. Run by `npm run check` and with every
// test run.
import { describe, expect, test } from 'bun:test';
import { relative } from 'node:path';
import {
  importCycles,
  importsOf,
  isGenerated,
  isTest,
  RULES,
  type Rule,
  ruledSources,
  sources,
} from './support/tidy-rules.ts';

const MAX_LINES = 500;

/** What each folder of src may import from, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  journal: ['core'],
  engine: ['core', 'journal', 'views'],
  views: ['core'],
  messages: [],
  identity: ['contract', 'messages'],
  contract: ['core'],
  streams: ['core', 'contract', 'engine', 'views', 'identity'],
  // Its threads pass on commands in the form of the journal.
  gateway: ['core', 'engine', 'journal', 'views', 'identity', 'contract', 'streams', 'config.ts'],
  dialects: ['core', 'contract', 'engine', 'views', 'identity', 'streams', 'gateway'],
  cluster: ['core', 'journal', 'engine', 'identity', 'contract', 'gateway'],
  sandbox: ['core', 'contract', 'gateway', 'identity', 'sdk'],
  // It runs in browsers and other people's programs: nothing of the server comes in.
  sdk: [],
  // A judge of servers knows the contract, and nothing of how this one is made.
  conformance: ['contract', 'sdk'],
};

/** Files at the top of src wire the folders together; these two are read by all of them. */
const CONFIG_READS = ['identity'];

/** src/core/units.ts → core; src/config.ts → config.ts */
const partOf = (path: string): string => relative('src', path).split('/')[0]!;

describe('layers', () => {
  const files = sources('src').filter(({ path }) => !isTest(path));

  test('a folder imports only permitted folders', () => {
    const wrong = files.flatMap((file) => {
      const allowed = MAY_IMPORT[partOf(file.path)];
      if (allowed === undefined) return [];
      return importsOf(file)
        .filter((target) => target.startsWith('src/'))
        .filter(
          (target) => partOf(target) !== partOf(file.path) && !allowed.includes(partOf(target)),
        )
        .map((target) => `${file.path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('the user interface knows the wire and nothing behind it', () => {
    const wrong = sources('web')
      .filter(({ path }) => !isTest(path))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => target.startsWith('src/'))
          .filter((target) => !['contract', 'sdk', 'messages'].includes(partOf(target)))
          .map((target) => `${file.path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the SDK uses what Node, Bun and browsers have alike', () => {
    const own = /\bBun\.|\bprocess\.|\bBuffer\b|from '(node:|bun)|\brequire\(/;
    const wrong = sources('src/sdk')
      .filter(({ path, text }) => path !== 'src/sdk/build.ts' && own.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  test('in the user interface only the data layer sends requests', () => {
    const wrong = sources('web')
      .filter(({ path }) => !/^web\/(live|api|session)\//.test(path) && !isTest(path))
      .filter(({ text }) => /@tanstack\/react-query|\bfetch\(/.test(text))
      .map(({ path }) => path);
    // The reference sends what is typed in, byte for byte, and shows it.
    expect(wrong.sort()).toEqual(['web/docs/reference/request.ts', 'web/main.tsx']);
  });

  test('the configuration reads no folder but identity', () => {
    const wrong = files
      .filter(({ path }) => /^src\/config/.test(path))
      .flatMap(importsOf)
      .filter((target) => target.split('/').length > 2 && !CONFIG_READS.includes(partOf(target)));
    expect(wrong).toEqual([]);
  });

  test('modules have no import cycles, not even of types', () => {
    expect(importCycles(sources('src', 'web'))).toEqual([]);
  });
});

describe('the house style', () => {
  const files = ruledSources();

  test.each(Object.keys(RULES) as Rule[])('%s', (rule) => {
    const findings = files.flatMap((file) => RULES[rule](file));
    expect(findings.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual([]);
  });
});

describe('the core', () => {
  const IMPURE =
    /Date\.now|new Date\(|Math\.random|\bcrypto\.|\bprocess\.|\bBun\.|from '(node:|bun)|\basync\b|\bawait\b|parseFloat|toFixed\(|Number\.EPSILON|\bperformance\.|setTimeout/;

  test('does no I/O, reads no clock, is not random and never waits', () => {
    const wrong = sources('src/core')
      .filter(({ path }) => !isTest(path))
      .flatMap(({ path, text }) =>
        withoutComments(text)
          .split('\n')
          .flatMap((line, i) => (IMPURE.test(line) ? `${path}:${i + 1} ${line.trim()}` : [])),
      );
    expect(wrong).toEqual([]);
  });
});

/** Blanks out comments and keeps the lines. */
const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, '$1');

describe('files', () => {
  const files = sources('src', 'test', 'bench', 'examples', 'web').filter(
    ({ path }) => !isGenerated(path),
  );

  test('none is longer than 500 lines', () => {
    const long = files
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  test('each begins with what it owns', () => {
    const mute = files.filter(({ text }) => !/^(#!.*\n)?(\/\/|\/\*\*?) \S/.test(text));
    expect(mute.map(({ path }) => path)).toEqual([]);
  });

  test('nothing unfinished, switched off or untyped is left behind', () => {
    const words = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|');
    const left = new RegExp(
      `\\b(${words})\\b|\\b(test|it|describe)\\.(only|todo)\\b|\\bas any\\b|: any\\b|@ts-(ignore|nocheck)`,
    );
    const others = files.filter(({ path }) => path !== 'test/tidy.test.ts');
    const wrong = others.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, i) => (left.test(line) ? `${path}:${i + 1} ${line.trim()}` : [])),
    );
    expect(wrong).toEqual([]);
  });
});
