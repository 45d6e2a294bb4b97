// The entries of a statement as rows. A payout that compounds is two entries, interest that comes and a subscription that takes
// it: one row says so.
import type { LedgerEntry } from '../../src/sdk/index.ts';
import { add, isZero } from '../exact/decimal.ts';

export interface Row {
  readonly entry: LedgerEntry;
  /** Interest that joined the plan at once: the balance is as it was. */
  readonly isCompounded: boolean;
}

export interface Rows {
  readonly rows: readonly Row[];
  /** The last entry that is in a row: the next page begins below it. */
  readonly last: number | null;
}

/** Whether `taken` put into a plan what `paid` had just brought. */
const isCompounding = (taken: LedgerEntry, paid: LedgerEntry | undefined): boolean =>
  paid !== undefined &&
  taken.type === 'subscription' &&
  paid.type === 'interest' &&
  taken.applyId === paid.applyId &&
  taken.asset === paid.asset &&
  taken.time === paid.time &&
  isZero(add(taken.amount, paid.amount));

/** The first `size` of `entries`, newest first. One more may be given, so that no pair is cut in two. */
export function rowsOf(entries: readonly LedgerEntry[], size: number): Rows {
  const rows: Row[] = [];
  let at = 0;
  while (at < Math.min(size, entries.length)) {
    const entry = entries[at]!;
    const paid = entries[at + 1];
    const isCompounded = isCompounding(entry, paid);
    rows.push(
      isCompounded
        ? { entry: { ...paid!, balance: entry.balance }, isCompounded }
        : { entry, isCompounded },
    );
    at += isCompounded ? 2 : 1;
  }
  return { rows, last: entries[at - 1]?.entryId ?? null };
}
