// What a key may do, in plain words, and which privilege includes which.
import type { Module } from '../../src/sdk/index.ts';

export interface Privilege {
  readonly id: Module;
  readonly area: 'Trading' | 'Earn';
  readonly name: string;
  readonly allows: string;
  /** Granted along with this one. */
  readonly includes: readonly Module[];
}

/** In the order in which they are offered. Trading does not include its reading; each act of earn does. */
export const PRIVILEGES: readonly Privilege[] = [
  {
    id: 5,
    area: 'Trading',
    name: 'Read trading',
    allows: 'Balances, orders, fills, fees and the statement. It changes nothing.',
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
    name: 'Read earn',
    allows: 'Subscriptions, interest and previews. It changes nothing.',
    includes: [],
  },
  {
    id: 2,
    area: 'Earn',
    name: 'Subscribe',
    allows: 'Puts money into plans and sets automatic renewal. Includes reading earn.',
    includes: [1],
  },
  {
    id: 3,
    area: 'Earn',
    name: 'Redeem',
    allows: 'Takes money back from plans, also early. Includes reading earn.',
    includes: [1],
  },
  {
    id: 4,
    area: 'Earn',
    name: 'Administer the enterprise',
    allows: 'Members’ subscriptions and the margin of each plan. Includes reading earn.',
    includes: [1],
  },
];

const byId = new Map(PRIVILEGES.map((privilege) => [privilege.id, privilege]));

/** Those that the chosen ones bring along, so that they need not be chosen. */
export function includedBy(chosen: readonly Module[]): ReadonlySet<Module> {
  return new Set(chosen.flatMap((id) => byId.get(id)!.includes));
}

/** Everything that a key with these may do. */
export function effective(chosen: readonly Module[]): ReadonlySet<Module> {
  return new Set([...chosen, ...includedBy(chosen)]);
}

/** A short form for lists: Read trading, Trade. Numbers that are not known are shown as such. */
export function privilegeWords(moduleIds: readonly number[]): string {
  const known = PRIVILEGES.filter(({ id }) => moduleIds.includes(id));
  const unknown = moduleIds.filter((id) => !byId.has(id as Module));
  return [...known.map(({ name }) => name), ...unknown.map((id) => `module ${id}`)].join(', ');
}

/** What to choose from: the enterprise's only for who administers one. */
export const offered = (isEnterpriseAdmin: boolean): readonly Privilege[] =>
  PRIVILEGES.filter(({ id }) => id !== 4 || isEnterpriseAdmin);
