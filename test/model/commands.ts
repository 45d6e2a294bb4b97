// The commands that the model knows: trading, money and what the operator lists. Earn commands have
// their own proof.
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
      | 'advanceClock'
      | 'runTimers';
  }
>;

/** Commands of a customer, which carry a signature and an Idempotency-Key. */
export type CustomerCommand = Extract<TradingCommand, { signature: unknown }>;

/** Before it is signed. Omit over the union, so that each member keeps its own fields. */
export type Unsigned = CustomerCommand extends infer C
  ? C extends CustomerCommand
    ? Omit<C, 'signature' | 'idempotency'>
    : never
  : never;
