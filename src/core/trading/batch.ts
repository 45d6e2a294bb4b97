// Several order commands of one account as one command: in order, each with an outcome of its own.
import type {
  AmendOrder,
  BatchEntry,
  CancelOrder,
  OrderBatch,
  PlaceOco,
  PlaceOrder,
} from '../command.ts';
import { accepted, type EntryOutcome, type OutcomeOf, refused } from '../outcome.ts';
import type { State } from '../state.ts';
import { amendOrder } from './amend.ts';
import { cancelOrder } from './cancel.ts';
import { placeOco } from './place-oco.ts';
import { placeOrder } from './place-order.ts';

const MAX_BATCH_ENTRIES = 50;

/** The batch is accepted whatever its entries' outcomes are. */
export function orderBatch(state: State, command: OrderBatch): OutcomeOf<'orderBatch'> {
  const { uid, entries } = command;
  if (entries.length === 0 || entries.length > MAX_BATCH_ENTRIES) {
    return refused('invalidTerms', 'orders');
  }
  return accepted({ outcomes: entries.map((entry) => carryOut(state, uid, entry)) });
}

type EntryCommand = PlaceOrder | CancelOrder | AmendOrder | PlaceOco;

function carryOut(state: State, uid: number, entry: BatchEntry): EntryOutcome {
  const command = { ...entry, uid, signature: null, idempotency: null } as EntryCommand;
  switch (command.type) {
    case 'placeOrder':
      return placeOrder(state, command);
    case 'cancelOrder':
      return cancelOrder(state, command);
    case 'amendOrder':
      return amendOrder(state, command);
    case 'placeOco':
      return placeOco(state, command);
  }
}
