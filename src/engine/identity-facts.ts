// Facts in the journal about identity.db, which is a separate file: whether this directory has had
// MACs before, and which users own something.
import { type AccountCode, CODES_PER_ASSET } from '../core/ledger/account-code.ts';
import { FIRST_RULES } from '../core/rules.ts';
import type { State } from '../core/state.ts';

export interface JournalFacts {
  /** The highest uid. */
  readonly users: number;
  /**
   * Whether a release that authenticates identity.db has written commands. It does so before its
   * first command, so a database without MACs is then not of an older release.
   */
  readonly hasMacs: boolean;
}

/** The facts of a state right after its recovery. */
export const journalFacts = ({ seq, rules, users }: State): JournalFacts => ({
  users: users.length - 1,
  hasMacs: seq > 0 && rules > FIRST_RULES,
});

/**
 * The uids below which there is money, an open order or a subscription, and that have no owner in
 * identity.db.
 */
export function unownedUids(state: State, owned: ReadonlySet<number>): number[] {
  const unowned: number[] = [];
  for (let uid = 1; uid < state.users.length; uid++) {
    if (!owned.has(uid) && ownsSomething(state, uid)) unowned.push(uid);
  }
  return unowned;
}

/** An open order holds money, so balances tell of orders as well. */
function ownsSomething({ ledger, assets, earn }: State, uid: number): boolean {
  if (earn.subscriptions.countOf(uid) > 0) return true;
  for (const { assetId } of assets) {
    for (let code = 0; code < CODES_PER_ASSET; code++) {
      if (ledger.balanceOf(uid, assetId, code as AccountCode) !== 0) return true;
    }
  }
  return false;
}
