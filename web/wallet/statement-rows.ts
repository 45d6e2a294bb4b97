// The entries of a statement as rows. A compounded payout has two entries, interest and a
// subscription, and one row.
import type { LedgerEntry } from '../../src/sdk/index.ts';
import { add, isZero } from '../exact/decimal.ts';

export interface Row {
  readonly entry: LedgerEntry;
  /** Whether the interest was compounded, so that the balance did not change. */
  readonly isCompounded: boolean;
}

export interface Rows {
  readonly rows: readonly Row[];
  /** The last entry of the rows; the next page starts below it. */
  readonly last: number | null;
}

/** Whether `taken` subscribed the interest of `paid`. */
const isCompounding = (taken: LedgerEntry, paid: LedgerEntry | undefined): boolean =>
  paid !== undefined &&
  taken.type === 'subscription' &&
  paid.type === 'interest' &&
  taken.applyId === paid.applyId &&
  taken.asset === paid.asset &&
  taken.time === paid.time &&
  isZero(add(taken.amount, paid.amount));

/** The first `size` of `entries`, newest first. One more entry keeps the last pair together. */
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
