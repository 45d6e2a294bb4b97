// Facts in the journal about identity.db, which is a separate file: which users own something.
import { type AccountCode, CODES_PER_ASSET } from '../core/ledger/account-code.ts';
import type { State } from '../core/state.ts';

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
function ownsSomething({ ledger, listedAssets, earn }: State, uid: number): boolean {
  if (earn.subscriptions.countOf(uid) > 0) return true;
  for (const { assetId } of listedAssets) {
    for (let code = 0; code < CODES_PER_ASSET; code++) {
      if (ledger.balanceOf(uid, assetId, code as AccountCode) !== 0) return true;
    }
  }
  return false;
}
