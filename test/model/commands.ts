// The commands of the two workloads: trading with what the operator lists for it, and earn.
import type { Command } from '../../src/core/command.ts';

export type TradingCommand = Extract<
  Command,
  {
    type:
      | 'placeOrder'
      | 'cancelOrder'
      | 'massCancel'
      | 'cancelAllAfter'
      | 'createUser'
      | 'amendUser'
      | 'createAsset'
      | 'createInstrument'
      | 'amendInstrument'
      | 'transferFunds'
      | 'withdrawIncome'
      | 'cancelOrders'
      | 'createEnterprise'
      | 'amendEnterprise'
      | 'assignEnterprise'
      | 'forgetKey'
      | 'advanceClock'
      | 'runTimers';
  }
>;

export type EarnCommand = Extract<
  Command,
  {
    type:
      | 'createPlan'
      | 'amendPlan'
      | 'fundReserve'
      | 'createEnterprise'
      | 'assignEnterprise'
      | 'subscribePlan'
      | 'redeemPlan'
      | 'setAutoRenew'
      | 'setMargin'
      | 'createUser'
      | 'amendUser'
      | 'createAsset'
      | 'transferFunds'
      | 'withdrawIncome'
      | 'runTimers';
  }
>;

/** Commands of a customer, which carry a signature and an Idempotency-Key. */
export type CustomerCommand<C extends Command = TradingCommand> = Extract<
  C,
  { signature: unknown }
>;

/** Before it is signed. Omit over the union, so that each member keeps its own fields. */
export type Unsigned<C extends Command = TradingCommand> =
  CustomerCommand<C> extends infer U
    ? U extends CustomerCommand<C>
      ? Omit<U, 'signature' | 'idempotency'>
      : never
    : never;
