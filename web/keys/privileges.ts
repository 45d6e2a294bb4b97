// The privileges of a key in plain words, and the privileges that each includes.
import type { Module } from '../../src/sdk/index.ts';

export interface Privilege {
  readonly id: Module;
  readonly area: 'Trading' | 'Earn';
  readonly name: string;
  readonly allows: string;
  /** Privileges that this one includes. */
  readonly includes: readonly Module[];
}

/** In the order of the form. Trading does not include reading; the Earn privileges do. */
export const PRIVILEGES: readonly Privilege[] = [
  {
    id: 5,
    area: 'Trading',
    name: 'Read trading',
    allows: 'Reads balances, orders, fills, fees and the statement.',
    includes: [],
  },
  {
    id: 6,
    area: 'Trading',
    name: 'Trade',
    allows:
      'Places and cancels orders. It does not include reading: choose both for a program that looks at its orders.',
    includes: [],
  },
  {
    id: 1,
    area: 'Earn',
    name: 'Read Earn',
    allows: 'Reads subscriptions, interest and previews.',
    includes: [],
  },
  {
    id: 2,
    area: 'Earn',
    name: 'Subscribe',
    allows: 'Subscribes to plans and sets auto renew. Includes Read Earn.',
    includes: [1],
  },
  {
    id: 3,
    area: 'Earn',
    name: 'Redeem',
    allows: 'Redeems from plans, also early. Includes Read Earn.',
    includes: [1],
  },
  {
    id: 4,
    area: 'Earn',
    name: 'Administer the enterprise',
    allows: 'Reads members’ subscriptions and sets margins. Includes Read Earn.',
    includes: [1],
  },
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
  return [...known.map(({ name }) => name), ...unknown.map((id) => `module ${id}`)].join(', ');
}

/** The privileges to choose from; only an enterprise admin can choose the enterprise's. */
export const offered = (isEnterpriseAdmin: boolean): readonly Privilege[] =>
  PRIVILEGES.filter(({ id }) => id !== 4 || isEnterpriseAdmin);
