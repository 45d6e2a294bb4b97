// The audit log of a simulated venue: no transfer of the operator stands in the journal without an
// entry, whatever ended the process between the two.
import { expect } from 'bun:test';
import type { Wish } from './callers.ts';

/** `done` has the names in the journal; `details` are those of all audit entries, as JSON. */
export function requireAudited(
  wishes: readonly Wish[],
  done: ReadonlyMap<string, unknown>,
  details: readonly string[],
): void {
  const audited = new Set(details.map((text) => JSON.parse(text).reference as unknown));
  const transfers = wishes.filter(({ what, name }) => what === 'transferFunds' && done.has(name));
  expect(transfers.filter(({ name }) => !audited.has(name))).toEqual([]);
}
