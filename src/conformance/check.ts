// A check: a clause of the contract in our words, and a program that compares a server with it.
// It fails by throwing Unmet; it throws Skipped if the account lacks what it needs.
import type { Kit } from './kit.ts';

/**
 * `earn`: the earn interface and the conventions that all share. `trading`: spot trading and market
 * data. `agio`: what agio promises beyond both (docs/rest.md, docs/websocket.md).
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

/** Makes the checks of one section of a document. */
export const section =
  (document: DocumentName, name: string) =>
  (id: string, rule: string, run: Check['run']): Check => ({
    id,
    clause: { document, section: name, rule },
    run,
  });
