// What a check is: a clause of the contract in our words, and a program that holds a server against
// it. It fails by throwing Unmet, which says what was expected and what came, and is skipped by
// throwing Skipped, which says what it lacked.
import type { Kit } from './kit.ts';

/**
 * Where a clause stands. `earn`: the earn interface and the conventions that all share. `trading`: spot trading and market data.
 * `agio`: what agio promises beyond both (docs/rest.md, docs/websocket.md).
 */
export type DocumentName = 'earn' | 'trading' | 'agio';

export interface Clause {
  readonly document: DocumentName;
  readonly section: string;
  /** One sentence. */
  readonly rule: string;
}

export interface Check {
  /** Permanent, such as AUTH-03. */
  readonly id: string;
  readonly clause: Clause;
  run(kit: Kit): Promise<void> | void;
}

/** The server does not do what the clause says. */
export class Unmet extends Error {
  override readonly name = 'Unmet';
  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
  }
}

/** The check cannot be made with this account or at this time. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

type Run = Check['run'];

/** Makes the checks of one section of a document. */
export const section =
  (document: DocumentName, name: string) =>
  (id: string, rule: string, run: Run): Check => ({
    id,
    clause: { document, section: name, rule },
    run,
  });

const MAX_SHOWN = 300;

/** A value as a person reads it, cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** Throws Unmet unless it holds. */
export function expect(holds: boolean, expected: string, got: unknown): void {
  if (!holds) throw new Unmet(expected, shown(got));
}

/** Throws Unmet unless both are the same JSON. */
export function expectSame(what: string, got: unknown, wanted: unknown): void {
  if (JSON.stringify(got) === JSON.stringify(wanted)) return;
  throw new Unmet(`${what} to be ${shown(wanted)}`, shown(got));
}
