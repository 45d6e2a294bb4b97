// The entries of a statement as rows, with the texts for their kinds and references.
import type { LedgerEntry } from '../../src/sdk/index.ts';
import { add, isZero } from '../exact/decimal.ts';
import { walletText } from '../messages/wallet.ts';

const t = walletText.statement;

export interface Row {
  readonly entry: LedgerEntry;
  /**
   * True if the interest was compounded, so that the balance did not change. Such a payout has two
   * entries, interest and a subscription, and one row.
   */
  readonly isCompounded: boolean;
}

interface Rows {
  readonly rows: readonly Row[];
  /** The last entry of the rows; the next page starts below it. */
  readonly last: number | null;
}

/** True if `taken` subscribed the interest of `paid`. */
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

/** Automatic transfers of a sandbox (gateway/routes/user-center/faucet.ts). */
const FAUCET = /^faucet-\d+-/;

/** The kind of an entry; a kind without a text shows its name. */
export function kindText({ type, reference }: Pick<LedgerEntry, 'type' | 'reference'>): string {
  if (type === 'credit' && FAUCET.test(reference ?? '')) return t.testMoney;
  return t.kinds[type] ?? type;
}

interface Detail {
  readonly text: string;
  /** The page of the object; absent if it has none. */
  readonly href?: string;
}

/** The object of an entry, by its id; null if it has none. */
export function detailOf(entry: LedgerEntry): Detail | null {
  const { tradeId, orderId, applyId, reference, transferId } = entry;
  if (orderId !== null) return { text: t.order(orderId, tradeId) };
  if (applyId !== null) {
    return { text: t.subscription(applyId), href: `/earn/subscriptions/${applyId}` };
  }
  if (reference !== null && !FAUCET.test(reference)) return { text: t.referenceOf(reference) };
  return transferId === null ? null : { text: t.transfer(transferId) };
}
