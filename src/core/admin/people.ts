// Users and the money that enters and leaves with them: the operator's commands.
import type { AmendUser, CreateUser, TransferFunds } from '../command.ts';
import { FEE_ROLES, isFeeRate } from '../fee-rates.ts';
import { CloseReason } from '../fix.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { accepted, type OutcomeOf, rejected, rejectedAs } from '../outcome.ts';
import { type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { runSweep, sweepOf } from '../trading/run-sweeps.ts';
import { negate } from '../units.ts';
import { changeUser, hashUser, INSTRUMENT_FEE, newUser, USER_TERMS } from '../user.ts';
import { outcomeOfReference, shortage, transferExternally } from './external-transfer.ts';

export function createUser(state: State, command: CreateUser): OutcomeOf<'createUser'> {
  const user = newUser(state.users.length, command.kyc);
  state.users.push(user);
  hashUser(state.hash, user);
  state.hash.add();
  return accepted({ uid: user.uid });
}

/** A suspension begins to cancel the user's orders here, so that no crash leaves it half done. */
export function amendUser(state: State, command: AmendUser): OutcomeOf<'amendUser'> {
  const user = state.users[command.uid];
  if (user === undefined) return rejectedAs('userUnknown', 'uid');
  for (const role of FEE_ROLES) {
    const rate = command[role] ?? INSTRUMENT_FEE;
    if (rate !== INSTRUMENT_FEE && !isFeeRate(rate)) return rejectedAs('invalidTerms', role);
  }
  const { maxOpenOrders } = command;
  if (maxOpenOrders !== null && !(Number.isSafeInteger(maxOpenOrders) && maxOpenOrders >= 0)) {
    return rejectedAs('invalidTerms', 'maxOpenOrders');
  }

  // Cannot be rejected beyond this point.
  changeUser(state.hash, user, USER_TERMS.merge(user, command));
  if (command.suspended === true) {
    state.switches.disarm(user.uid);
    runSweep(state, sweepOf(state, user.uid, 0, CloseReason.suspension));
  }
  return accepted({ uid: user.uid });
}

export function transferFunds(state: State, command: TransferFunds): OutcomeOf<'transferFunds'> {
  const fault = checkParties(state, command);
  if (fault !== null) return rejected(fault);
  const { uid: owner, assetId, reference, direction } = command;
  const amount = direction === 'credit' ? command.amount : negate(command.amount);
  const transfer = { owner, account: AccountCode.available, assetId, amount, reference };
  const earlier = outcomeOfReference(state, transfer);
  if (earlier !== null) return earlier;
  const reject = checkDebit(state, command);
  return reject === null ? transferExternally(state, transfer) : rejected(reject);
}

/** The first rejection of a transfer with a new reference. */
export const checkTransfer = (state: State, command: TransferFunds): Reject | null =>
  checkParties(state, command) ?? checkDebit(state, command);

function checkParties(state: State, { uid, assetId, amount }: TransferFunds): Reject | null {
  if (state.users[uid] === undefined) return rejection('userUnknown', 'uid');
  if (state.assets[assetId] === undefined) return rejection('assetUnknown', 'asset');
  return amount > 0 ? null : rejection('invalidTerms', 'amount');
}

function checkDebit(
  { ledger }: State,
  { direction, uid, assetId, amount }: TransferFunds,
): Reject | null {
  if (direction === 'credit') return null;
  const available = ledger.balanceOf(uid, assetId, AccountCode.available);
  return available < amount ? shortage(assetId, 'available', available, amount) : null;
}
