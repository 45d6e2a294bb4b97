// Batches: several order commands of one account as one command, in order, each with an outcome of
// its own (advance.ts). The batch is accepted whatever its entries' outcomes are.
import type { OrderBatch } from '../command.ts';
import { type Outcome, rejectedAs } from '../outcome.ts';

const MAX_BATCH_ENTRIES = 50;

/** The rejection of a batch of another size; else null. */
export const batchFault = ({ entries }: OrderBatch): Outcome | null =>
  entries.length >= 1 && entries.length <= MAX_BATCH_ENTRIES
    ? null
    : rejectedAs('invalidTerms', 'orders');
