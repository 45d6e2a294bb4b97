// The house style that a machine can check, file by file: columns, function lengths, import cycles
// and the words of VOICE. test/tidy.test.ts enforces it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const MAX_COLUMNS = 100;
const MAX_FUNCTION_LINES = 70;

export interface Source {
  /** Below the root. */
  readonly path: string;
  readonly text: string;
}

export interface Finding {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The TypeScript files in these folders. */
export const sources = (...folders: string[]): Source[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name))
      .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  );

/** Generated code follows the layers, but no rule of style. */
export const isGenerated = (path: string): boolean => path.includes('/generated/');

export const isTest = (path: string): boolean => /\.test\.tsx?$|-contract\.ts$/.test(path);

/** Paths below the root that a file imports, without packages and built-in modules. */
export function importsOf({ path, text }: Source): string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, target]) => normalize(join(dirname(path), target!)));
}

/** The files that import themselves through others, each with the shortest way back to it. */
export function importCycles(files: readonly Source[]): string[][] {
  const graph = new Map(files.map((file) => [file.path, importsOf(file)]));
  return [...graph.keys()].flatMap((path) => {
    const cycle = wayBack(graph, path);
    return cycle === null ? [] : [cycle];
  });
}

function wayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | null {
  const seen = new Set<string>();
  let ways = [[start]];
  while (ways.length > 0) {
    const longer: string[][] = [];
    for (const way of ways) {
      for (const next of graph.get(way.at(-1)!) ?? []) {
        if (next === start) return [...way, start];
        if (seen.has(next)) continue;
        seen.add(next);
        longer.push([...way, next]);
      }
    }
    ways = longer;
  }
  return null;
}

/** Lines that are too long. */
function longLines({ path, text }: Source): Finding[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > MAX_COLUMNS ? { path, line: index + 1, text: `${line.length} columns` } : [],
    );
}

/** The first line of a function: a declaration, a method or an arrow function with a body. */
const FUNCTION =
  /\bfunction\b|=> [{(]$|^\s*(?:(?:static|async|get|set|override|\*) ?)*#?\w+(?:<.*>)?\(.*\{$/;
const STATEMENT = /^\s*(?:\} )?(?:if|for|while|switch|catch|else|return|do|try)\b/;
/** A list of tests is not a function with a job of its own. */
const SUITE = /^\s*(?:describe|suite|story)\b/;

/**
 * Functions that are too long. It relies on the formatter: a function ends at the first brace in
 * the column of its first line.
 */
function longFunctions({ path, text }: Source): Finding[] {
  const lines = text.split('\n');
  const findings: Finding[] = [];
  for (const [index, line] of lines.entries()) {
    if (!/(?:\{|=> \()$/.test(line)) continue;
    const indent = /^\s*/.exec(line)![0];
    const first = firstLine(lines, index, indent);
    if (!FUNCTION.test(first === index ? line : `${lines[first]}) {`)) continue;
    if (STATEMENT.test(lines[first]!) || SUITE.test(lines[first]!)) continue;
    const brace = line.endsWith('{') ? '}' : ')';
    const end = lines.findIndex((other, at) => at > index && other.startsWith(indent + brace));
    const length = end - first + 1;
    if (length > MAX_FUNCTION_LINES) {
      findings.push({ path, line: first + 1, text: `${length} lines: ${lines[first]!.trim()}` });
    }
  }
  return findings;
}

/** Where the signature begins that ends on this line. */
function firstLine(lines: readonly string[], last: number, indent: string): number {
  if (!lines[last]!.startsWith(`${indent})`)) return last;
  for (let at = last - 1; at >= 0; at--) {
    if (lines[at]!.startsWith(indent) && !/^\s/.test(lines[at]!.slice(indent.length))) return at;
  }
  return last;
}

/** Old and literary words, British spelling, and names that were replaced. */
const WORDS = [
  /\bwho(?:m?so)?ever\b/i,
  /\banew\b/i,
  /\bthere(?:of|in|by|upon)\b/i,
  /\bhereby\b/i,
  /\bdawdl/i,
  /\bveiled\b|isVeiled/i,
  /\bfor good\b|FOR_GOOD/,
  /\bof (?:now|before)\b/,
  /\bworth nothing\b/,
  /\bat once\b/i,
  /\bby itself\b/i,
  /\b(?:least|most)[A-Z]\w*/,
  /\bstrangersCall\b|\bFading\b|\bJudged\b|\bCheckedCodes\b/,
  /cancelled|cancelling|behaviour|colour|favour|honour|authoris|recognis|\bcentre\b/i,
] as const;

function forbiddenWords({ path, text }: Source): Finding[] {
  return text.split('\n').flatMap((line, index) =>
    WORDS.flatMap((word) => {
      const found = word.exec(line);
      return found === null ? [] : { path, line: index + 1, text: `"${found[0]}": ${line.trim()}` };
    }),
  );
}

/** A clause in the place of a subject. A question may begin with one. */
const HEADLESS = /^(?:Who|Whoever|Whom|What|Whether|Of|Those)\b/;

/** Sentences in comments that begin with a clause instead of a subject. */
function headlessSentences({ path, text }: Source): Finding[] {
  return commentsIn(text).flatMap(({ line, comment }) =>
    comment
      .split(/(?<=[.!?:;]) +/)
      .filter((sentence) => HEADLESS.test(sentence) && !sentence.endsWith('?'))
      .map((sentence) => ({ path, line, text: sentence })),
  );
}

interface Comment {
  readonly line: number;
  readonly comment: string;
}

/** Comments as single lines of text; consecutive line comments are one. */
function commentsIn(text: string): Comment[] {
  const found: Comment[] = [];
  let open: { line: number; words: string[] } | null = null;
  const close = () => {
    if (open !== null) found.push({ line: open.line, comment: open.words.join(' ').trim() });
    open = null;
  };
  let inBlock = false;
  for (const [index, line] of text.split('\n').entries()) {
    const begins = !inBlock && /^\s*\/\*/.test(line);
    const isLine = !inBlock && /^\s*\/\//.test(line);
    if (begins || (!isLine && !inBlock)) close();
    if (!begins && !isLine && !inBlock) {
      const trailing = /\s\/\/ (.*)$/.exec(line);
      if (trailing !== null) found.push({ line: index + 1, comment: trailing[1]! });
      continue;
    }
    open ??= { line: index + 1, words: [] };
    open.words.push(
      line.replace(/^\s*(?:\/\/|\/\*\*?|\*(?!\/))?\s?/, '').replace(/\s*\*\/.*$/, ''),
    );
    if (begins) inBlock = true;
    if (inBlock && line.includes('*/')) {
      inBlock = false;
      close();
    }
  }
  close();
  return found;
}

/** The folders of what customers can make large. */
const LARGE = /^src\/(?:core|engine|views|streams|gateway|dialects)\//;
/** A list in place of arguments: the call fails at some hundred thousand elements. */
const SPREAD = /\b(?:push|unshift|splice|concat|Math\.(?:max|min)|fromCharCode)\(\s*\.\.\./g;

/** Calls that get a whole list as their arguments, in the code of the server. */
function spreadArguments({ path, text }: Source): Finding[] {
  if (!LARGE.test(path) || path.endsWith('.test.ts')) return [];
  return [...text.matchAll(SPREAD)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    return { path, line, text: `${match[0]}: a large list is too many arguments` };
  });
}

/** The rules for every file. */
export const RULES = {
  columns: longLines,
  functions: longFunctions,
  words: forbiddenWords,
  headless: headlessSentences,
  arguments: spreadArguments,
} as const satisfies Readonly<Record<string, (file: Source) => Finding[]>>;

export type Rule = keyof typeof RULES;

/** The rules name the words that they forbid. */
const OWN = ['test/support/tidy-rules.ts', 'test/tidy.test.ts'];

/** All files that the rules hold for. */
export function ruledSources(): Source[] {
  return sources('src', 'web', 'test', 'bench', 'examples', 'docs').filter(
    ({ path }) => !OWN.includes(path) && !isGenerated(path),
  );
}
