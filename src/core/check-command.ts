// The rejection that a command would get now, without its execution.
import { checkWithdrawal } from './admin/income.ts';
import { checkTransfer } from './admin/people.ts';
import type { Command } from './command.ts';
import { checkRedeemPlan } from './earn/redeem.ts';
import { checkMargin } from './earn/settings.ts';
import { checkSubscribe } from './earn/subscribe.ts';
import type { Reject } from './reject.ts';
import type { State } from './state.ts';
import { checkAmend } from './trading/amend.ts';
import { checkOrder } from './trading/checks.ts';
import { checkPair } from './trading/place-oco.ts';
import { Work } from './work.ts';

/** The checks of commands with values that the state bounds. */
export function checkCommand(state: State, command: Command, work = new Work()): Reject | null {
  switch (command.type) {
    case 'placeOrder':
      return checkOrder(state, command, work);
    case 'amendOrder':
      return checkAmend(state, command, work);
    case 'placeOco':
      return checkPair(state, command);
    case 'subscribePlan':
      return checkSubscribe(state, command);
    case 'redeemPlan':
      return checkRedeemPlan(state, command);
    case 'setMargin':
      return checkMargin(state, command);
    case 'transferFunds':
      return checkTransfer(state, command);
    case 'withdrawIncome':
      return checkWithdrawal(state, command);
    default:
      return null;
  }
}
