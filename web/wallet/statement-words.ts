// Texts for the kinds of statement entries, and their references.
import type { LedgerEntry } from '../../src/sdk/index.ts';

const KINDS: Readonly<Record<string, string>> = {
  credit: 'Deposit',
  debit: 'Withdrawal',
  trade: 'Trade',
  fee: 'Trading fee',
  subscription: 'Earn subscription',
  redemption: 'Earn redemption',
  interest: 'Interest',
  forfeit: 'Interest taken back',
  boosterLock: 'Booster locked',
  boosterReturn: 'Booster returned',
};

/** Interest that was compounded. */
export const COMPOUNDED = 'Interest compounded';

/** Automatic transfers of a sandbox (gateway/routes/user-center/faucet.ts). */
const FAUCET = /^faucet-\d+-/;

/** The kind of an entry; a kind without a text shows its name. */
export function kindWords({ type, reference }: Pick<LedgerEntry, 'type' | 'reference'>): string {
  if (type === 'credit' && FAUCET.test(reference ?? '')) return 'Test money';
  return KINDS[type] ?? type;
}

export interface Detail {
  readonly text: string;
  /** The page of the object; absent if it has none. */
  readonly href?: string;
}

/** The object of an entry, by its id; null if it has none. */
export function detailOf(entry: LedgerEntry): Detail | null {
  const { tradeId, orderId, applyId, reference, transferId } = entry;
  if (orderId !== null) {
    return { text: `Order ${orderId}${tradeId === null ? '' : `, trade ${tradeId}`}` };
  }
  if (applyId !== null) {
    return { text: `Subscription ${applyId}`, href: `/earn/subscriptions/${applyId}` };
  }
  if (reference !== null && !FAUCET.test(reference)) return { text: `Reference ${reference}` };
  return transferId === null ? null : { text: `Transfer ${transferId}` };
}
