// The branches of the rules that the runs must meet, and how often one met each. The model says so
// itself, at each branch, so that a workload which no longer reaches one is a failing test.
import { CloseReason, ExecType } from '../../src/core/fix.ts';
import { REJECT_NAMES, type RejectName } from '../../src/core/reject.ts';
import { type EARN_BRANCHES, EARN_ONLY_REJECTS } from './earn-coverage.ts';
import { ORDER_BRANCHES } from './order-coverage.ts';

const namesOf = <K extends string>(values: Readonly<Record<K, number>>): K[] =>
  Object.keys(values) as K[];

export const nameOf = <K extends string>(values: Readonly<Record<K, number>>, value: number): K =>
  namesOf(values).find((name) => values[name] === value)!;

/** Rejects of the edge, before there is a command. */
const EDGE_ONLY: readonly RejectName[] = ['aboveMaximum'];

/** Random runs do not reach these numbers; test/contract/earn-edges.test.ts does. */
const OF_LARGE_NUMBERS: readonly RejectName[] = ['tooManySubscriptions'];

const NOT_HERE: readonly RejectName[] = [...EDGE_ONLY, ...OF_LARGE_NUMBERS, ...EARN_ONLY_REJECTS];

/** Branches that must be met, by name. */
export const BRANCHES = [
  ...REJECT_NAMES.filter((name) => !NOT_HERE.includes(name)).map(
    (name) => `reject ${name}` as const,
  ),
  ...namesOf(CloseReason)
    .filter((name) => name !== 'none')
    .map((name) => `close ${name}` as const),
  // A cancel is immediate, so no order is ever pending.
  ...namesOf(ExecType)
    .filter((name) => name !== 'pendingCancel')
    .map((name) => `exec ${name}` as const),
  'self-trade none: traded with oneself',
  'self-trade cancelNewest: taker out',
  'self-trade cancelOldest: maker out',
  'self-trade cancelBoth: both out',
  'self-trade: taker partly filled before',
  'self-trade of an enterprise: maker out',
  'self-trade of an enterprise: members trade where nothing prevents it',
  'asset: scale changed',
  'asset: removed',
  'income: fees withdrawn',
  'income: more than is free',
  'orders of a halted instrument canceled by their owner',
  'operator: orders of a user canceled',
  'operator: orders of an instrument canceled',
  'taker fee',
  'maker fee',
  'fee takes all that was received',
  'amount beyond 2^53',
  'level quantity beyond 2^53',
  'price improvement',
  'many makers in one order',
  'by quote: budget spent',
  'by quote: rest too small for a lot',
  'answer replayed',
  'answer replayed to its own signature',
  'key forgotten',
  'transfer replayed: user',
  'transfer replayed: fees',
  'cancel by clOrdId',
  'several orders canceled together',
  'large cancel left for later',
  ...ORDER_BRANCHES,
] as const;

export type Branch =
  | (typeof BRANCHES)[number]
  | (typeof EARN_BRANCHES)[number]
  | 'transfer replayed: enterprise'
  | `reject ${RejectName}`
  | `close ${keyof typeof CloseReason}`
  | `exec ${keyof typeof ExecType}`;

/** How often a run met each branch. */
export class BranchCounts {
  readonly counts = new Map<Branch, number>();

  count(branch: Branch, times = 1): void {
    this.counts.set(branch, (this.counts.get(branch) ?? 0) + times);
  }

  add({ counts }: BranchCounts): void {
    for (const [branch, times] of counts) this.count(branch, times);
  }

  /** The branches that were met less often than `least` times. */
  missing(branches: readonly Branch[], least: number): Branch[] {
    return branches.filter((branch) => (this.counts.get(branch) ?? 0) < least);
  }

  toString(): string {
    const rows = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return rows.map(([branch, count]) => `${String(count).padStart(9)}  ${branch}`).join('\n');
  }
}
