// The privileges of a key in plain words, and the privileges that each includes.
import type { Module } from '../../src/sdk/index.ts';
import { keysText } from '../messages/keys.ts';

const t = keysText.privileges;

export interface Privilege {
  readonly id: Module;
  readonly area: keyof typeof t.areas;
  readonly name: string;
  readonly allows: string;
  /** Privileges that this one includes. */
  readonly includes: readonly Module[];
}

/** In the order of the form. Trading does not include reading; the Earn privileges do. */
export const PRIVILEGES: readonly Privilege[] = [
  { id: 5, area: 'trading', ...t[5], includes: [] },
  { id: 6, area: 'trading', ...t[6], includes: [] },
  { id: 1, area: 'earn', ...t[1], includes: [] },
  { id: 2, area: 'earn', ...t[2], includes: [1] },
  { id: 3, area: 'earn', ...t[3], includes: [1] },
  { id: 4, area: 'earn', ...t[4], includes: [1] },
];

const byId = new Map(PRIVILEGES.map((privilege) => [privilege.id, privilege]));

/** The privileges that the chosen ones include. */
export function includedBy(chosen: readonly Module[]): ReadonlySet<Module> {
  return new Set(chosen.flatMap((id) => byId.get(id)!.includes));
}

/** All privileges of a key with these. */
export function effective(chosen: readonly Module[]): ReadonlySet<Module> {
  return new Set([...chosen, ...includedBy(chosen)]);
}

/** A short form for lists: Read trading, Trade. Shows unknown ids as numbers. */
export function privilegeWords(moduleIds: readonly number[]): string {
  const known = PRIVILEGES.filter(({ id }) => moduleIds.includes(id));
  const unknown = moduleIds.filter((id) => !byId.has(id as Module));
  return [...known.map(({ name }) => name), ...unknown.map(t.other)].join(', ');
}

/** The privileges to choose from; only an enterprise admin can choose the enterprise's. */
export const offered = (isEnterpriseAdmin: boolean): readonly Privilege[] =>
  PRIVILEGES.filter(({ id }) => id !== 4 || isEnterpriseAdmin);
