// The statement in words: what each kind of entry is, and what it belongs to.
import type { LedgerEntry } from '../../src/sdk/index.ts';

const KINDS: Readonly<Record<string, string>> = {
  credit: 'Deposit',
  debit: 'Withdrawal',
  trade: 'Trade',
  fee: 'Trading fee',
  subscription: 'Earn subscription',
  redemption: 'Earn redemption',
  interest: 'Interest',
  forfeit: 'Interest given back',
  boosterLock: 'Locked as booster',
  boosterReturn: 'Booster returned',
};

/** Interest that comes and joins the plan in one. */
export const COMPOUNDED = 'Interest added to the plan';

/** Of transfers that a sandbox makes by itself (gateway/routes/user-center/faucet.ts). */
const FAUCET = /^faucet-\d+-/;

/** What happened: a kind that came after these words is shown by its name. */
export function kindWords({ type, reference }: Pick<LedgerEntry, 'type' | 'reference'>): string {
  if (type === 'credit' && FAUCET.test(reference ?? '')) return 'Play money';
  return KINDS[type] ?? type;
}

export interface Detail {
  readonly text: string;
  /** Where it is shown by itself; absent where there is no such page. */
  readonly href?: string;
}

/** What it belongs to, with the numbers by which it is found elsewhere; null for nothing. */
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
