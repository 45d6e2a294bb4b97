// Users and the money that enters and leaves with them: the operator's commands.
import type { AmendUser, CreateUser, TransferFunds } from '../command.ts';
import { CloseReason } from '../fix.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { VENUE } from '../ledger/ledger.ts';
import {
  accepted,
  type FundsAccepted,
  type Outcome,
  rejected,
  type UserCreated,
} from '../outcome.ts';
import { rejectPlain } from '../reject.ts';
import { SINCE } from '../rules.ts';
import type { State } from '../state.ts';
import { runSweep, sweepOf } from '../trading/run-sweeps.ts';
import { SWEEP_SLICE } from '../trading/sweeps.ts';
import { type Amount, amount, multiply, RATE_ONE } from '../units.ts';
import { changeUser, hashUser, INSTRUMENT_FEE, newUser } from '../user.ts';

export function createUser(state: State, command: CreateUser): Outcome<UserCreated> {
  const user = newUser(state.users.length, command.kyc);
  state.users.push(user);
  hashUser(state.hash, user);
  state.hash.add();
  return accepted({ uid: user.uid });
}

/**
 * A suspension starts to cancel the user's orders with this very command, so that no crash can
 * leave it half done. Rejects: userUnknown, invalidTerms.
 */
export function amendUser(state: State, command: AmendUser): Outcome<UserCreated> {
  const user = state.users[command.uid];
  if (user === undefined) return rejected(rejectPlain('userUnknown', 'uid'));
  for (const field of ['makerFee', 'takerFee'] as const) {
    const rate = command[field] ?? INSTRUMENT_FEE;
    if (!(Number.isSafeInteger(rate) && rate >= INSTRUMENT_FEE && rate < RATE_ONE)) {
      return rejected(rejectPlain('invalidTerms', field));
    }
  }
  const { maxOpenOrders } = command;
  if (maxOpenOrders !== null && !(Number.isSafeInteger(maxOpenOrders) && maxOpenOrders >= 0)) {
    return rejected(rejectPlain('invalidTerms', 'maxOpenOrders'));
  }

  // Cannot be refused beyond this point.
  changeUser(state.hash, user, {
    kyc: command.kyc ?? user.kyc,
    suspended: command.suspended ?? user.suspended,
    makerFee: command.makerFee ?? user.makerFee,
    takerFee: command.takerFee ?? user.takerFee,
    maxOpenOrders: maxOpenOrders ?? user.maxOpenOrders,
  });
  if (command.suspended === true && state.rules >= SINCE.suspensionFreezes) {
    state.switches.disarm(user.uid);
    runSweep(state, sweepOf(state, user.uid, 0, CloseReason.suspension), SWEEP_SLICE);
  }
  return accepted({ uid: user.uid });
}

/**
 * Credits or debits a customer against the world outside. The same reference with the same content
 * is answered with the first transfer and moves nothing. Rejects: userUnknown, assetUnknown,
 * invalidTerms, referenceReused, insufficientBalance.
 */
export function transferFunds(state: State, command: TransferFunds): Outcome<FundsAccepted> {
  const { uid, assetId, reference, direction } = command;
  if (state.users[uid] === undefined) return rejected(rejectPlain('userUnknown', 'uid'));
  if (state.assets[assetId] === undefined) return rejected(rejectPlain('assetUnknown', 'asset'));
  if (command.amount <= 0) return rejected(rejectPlain('invalidTerms', 'amount'));
  const signed = direction === 'credit' ? command.amount : multiply(command.amount, -1);
  const earlier = state.references.find(reference);
  if (earlier !== undefined) {
    const same = earlier.owner === uid && earlier.assetId === assetId && earlier.amount === signed;
    if (!same) return rejected(rejectPlain('referenceReused', 'reference'));
    return {
      ok: true,
      result: { transferId: earlier.transferId, seq: earlier.seq },
      replayed: true,
    };
  }
  const { ledger } = state;
  const customer = ledger.account(uid, assetId, AccountCode.available);
  const available = ledger.balance(customer);
  if (direction === 'debit' && available < command.amount) {
    const measure = (n: Amount) => ({ unit: 'amount', assetId, n }) as const;
    return rejected({
      name: 'insufficientBalance',
      field: 'amount',
      rule: 'available',
      limit: measure(available),
      value: measure(command.amount),
      nearest: available > 0 ? measure(available) : null,
    });
  }

  // Cannot be refused beyond this point.
  const external = ledger.account(VENUE, assetId, AccountCode.external);
  if (direction === 'credit') ledger.transfer(external, customer, command.amount);
  else ledger.transfer(customer, external, command.amount);
  const transferId = state.next.transferId++;
  const { seq, time } = state;
  state.references.record({ reference, transferId, seq, owner: uid, assetId, amount: signed });
  if (state.eventFilter.includesOwner(uid)) {
    state.events.push({
      type: 'fundsTransferred',
      transferId,
      uid,
      assetId,
      amount: amount(signed),
      reference,
      transactTime: time,
    });
  }
  return accepted({ transferId, seq });
}
