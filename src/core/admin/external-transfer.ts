// Transfers between an account and the world outside, each once per reference.
import type { FundsTransferred, VenueTransferred } from '../event.ts';
import { AccountCode, type IncomeAccount } from '../ledger/account-code.ts';
import { VENUE } from '../ledger/ledger.ts';
import { accepted, type OutcomeOf, rejectedAs } from '../outcome.ts';
import { inAsset, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, negate } from '../units.ts';

interface ExternalTransfer {
  readonly owner: number;
  readonly account: typeof AccountCode.available | IncomeAccount;
  readonly assetId: number;
  /** Into the account (> 0) or out of it (< 0). */
  readonly amount: Amount;
  readonly reference: string;
}

/** The outcome of a used reference: its first transfer, or a rejection if the content differs. */
export function outcomeOfReference(
  state: State,
  { owner, assetId, amount, reference }: ExternalTransfer,
): OutcomeOf<'transferFunds'> | null {
  const earlier = state.references.find(reference);
  if (earlier === undefined) return null;
  if (earlier.owner !== owner || earlier.assetId !== assetId || earlier.amount !== amount) {
    return rejectedAs('referenceReused', 'reference');
  }
  const { transferId, seq } = earlier;
  return { ok: true, result: { transferId, seq }, replayed: true };
}

export function transferExternally(
  state: State,
  transfer: ExternalTransfer,
): OutcomeOf<'transferFunds'> {
  const { owner, account, assetId, amount, reference } = transfer;
  const { ledger, seq } = state;
  const inside = ledger.account(owner, assetId, account);
  const outside = ledger.account(VENUE, assetId, AccountCode.external);
  const asset = state.assets[assetId]!;
  if (!asset.hasMoved) asset.hasMoved = true;
  if (amount > 0) ledger.transfer(outside, inside, amount);
  else ledger.transfer(inside, outside, negate(amount));
  const transferId = state.next.transferId++;
  state.references.record({ reference, transferId, seq, owner, assetId, amount });
  if (state.eventFilter.includesOwner(owner))
    state.events.push(eventOf(state, transferId, transfer));
  return accepted({ transferId, seq });
}

function eventOf(
  { time: transactTime }: State,
  transferId: number,
  { owner, account, assetId, amount, reference }: ExternalTransfer,
): FundsTransferred | VenueTransferred {
  const fields = { transferId, assetId, amount, reference, transactTime };
  return account === AccountCode.available
    ? { type: 'fundsTransferred', uid: owner, ...fields }
    : { type: 'venueTransferred', owner, account, ...fields };
}

/** The rejection of a debit of `value` where only `free` may leave. */
export function shortage(assetId: number, rule: string, free: Amount, value: Amount): Reject {
  const limit = inAsset(assetId, free);
  const measures = { limit, value: inAsset(assetId, value), nearest: free > 0 ? limit : null };
  return rejection('insufficientBalance', 'amount', rule, measures);
}
