// The colors of code: splits a text into tokens of a few kinds. It knows no grammar, so it never
// fails, and the tokens together are always the text.

const KINDS = ['comment', 'name', 'string', 'number', 'keyword'] as const;

export interface Token {
  /** null for a text without a color. */
  readonly kind: (typeof KINDS)[number] | null;
  readonly text: string;
}

type Patterns = Readonly<Partial<Record<(typeof KINDS)[number], RegExp>>>;

const NUMBER = /\b\d+(?:[._]\d+)*(?:[eE][+-]?\d+)?\b/;
const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
const words = (list: string): RegExp => new RegExp(`\\b(?:${list.replaceAll(' ', '|')})\\b`);

const SCRIPT: Patterns = {
  comment: /\/\/.*|\/\*[\s\S]*?\*\//,
  string: new RegExp(`${QUOTED.source}|\`(?:[^\`\\\\]|\\\\.)*\``),
  number: NUMBER,
  keyword: words(
    'as async await break case catch class const continue else export extends false finally for ' +
      'from function if import in instanceof interface let new null of readonly return switch ' +
      'this throw true try type typeof undefined using var void while yield',
  ),
};
const PYTHON: Patterns = {
  comment: /#.*/,
  string: /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/,
  number: NUMBER,
  keyword: words(
    'and as assert async await break class continue def del elif else except False finally for ' +
      'from if import in is lambda None not or pass raise return True try while with yield',
  ),
};
const SHELL: Patterns = {
  comment: /(?<=^|\s)#.*/,
  name: /\$\w+|\$\{[^}\n]*\}|(?<=\s)--?[a-zA-Z][\w-]*/,
  string: QUOTED,
};
const SQL: Patterns = {
  comment: /--.*/,
  string: QUOTED,
  number: NUMBER,
  keyword: words(
    'ALTER AND AS BY CREATE DATABASE DROP FROM GRANT IN INTO JOIN LIKE LOGIN NOT NULL ON OR ' +
      'ORDER PASSWORD REVOKE ROLE SCHEMA SELECT SET TABLE TO WHERE WITH',
  ),
};
const JSON_TEXT: Patterns = {
  name: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/,
  string: /"(?:[^"\\\n]|\\.)*"/,
  number: /-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/,
  keyword: words('true false null'),
};
const SETTINGS: Patterns = {
  comment: /(?<=^|\s)[#;].*/,
  name: /(?<=^\s*(?:- )?(?:\{ )?)[\w.-]+(?=\s*[:=])/m,
  string: QUOTED,
  number: NUMBER,
};

const LANGUAGES: Readonly<Record<string, Patterns>> = {
  ...{ json: JSON_TEXT, http: JSON_TEXT, ts: SCRIPT, js: SCRIPT, python: PYTHON, sql: SQL },
  ...{ sh: SHELL, bash: SHELL, yaml: SETTINGS, ini: SETTINGS, haproxy: SETTINGS },
};

const SCANNERS = new Map(
  Object.entries(LANGUAGES).map(([language, patterns]) => {
    const parts = KINDS.flatMap((kind) =>
      patterns[kind] === undefined ? [] : [`(?<${kind}>${patterns[kind].source})`],
    );
    return [language, new RegExp(parts.join('|'), 'gm')];
  }),
);

/** The tokens of a text; one token for a language without colors. */
export function tokensOf(text: string, language: string): readonly Token[] {
  const scanner = SCANNERS.get(language);
  if (scanner === undefined) return [{ kind: null, text }];
  const tokens: Token[] = [];
  let at = 0;
  for (const { index, 0: found, groups } of text.matchAll(scanner)) {
    if (index > at) tokens.push({ kind: null, text: text.slice(at, index) });
    tokens.push({ kind: KINDS.find((kind) => groups?.[kind] !== undefined)!, text: found });
    at = index + found.length;
  }
  if (at < text.length) tokens.push({ kind: null, text: text.slice(at) });
  return tokens;
}
