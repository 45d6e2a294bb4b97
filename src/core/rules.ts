// The versions of the rules. The journal keeps commands, not results, so a command must have the
// same effect in every later release. Each batch therefore carries the version that it was applied
// under, and a rule that changed is kept beside its successor.
import type { Command, CommandType } from './command.ts';

/** The version that this release writes. Raise it when a release changes what a command does. */
export const RULES = 3;

/** The first version; journals of agio 0.1 previews are written under it. */
export const FIRST_RULES = 1;

/** The first version of each changed rule. Earlier versions apply the rule's earlier form. */
export const SINCE = {
  /** Owners cancel in a halted instrument too. */
  cancelWhileHalted: 2,
  /** Suspending a user cancels all that is open, and the user's commands are refused. */
  suspensionFreezes: 2,
  /** A market buy must cover only what the price band lets it take. */
  costWithinBand: 2,
  /** A term renews only at a rate above zero, and at most at the margin that its owner accepted. */
  renewalNeedsConsent: 2,
  /**
   * Signatures and answers expire, refusals are not kept, and a used signature gets the answer to
   * its Idempotency-Key again.
   */
  writesAreForgotten: 2,
  /** Orders with extras, amendments, OCO pairs and batches: nodes of earlier releases have none. */
  orderTypes: 3,
} as const;

/** The commands that nodes of earlier releases cannot read. */
const ADDED: { readonly [T in CommandType]?: number } = {
  amendOrder: SINCE.orderTypes,
  placeOco: SINCE.orderTypes,
  orderBatch: SINCE.orderTypes,
  setFeeTiers: SINCE.orderTypes,
};

/** The first version of the rules under which a journal may have this command. */
export function rulesOf(command: Command): number {
  const isExtended = command.type === 'placeOrder' && command.extras !== null;
  return isExtended ? SINCE.orderTypes : (ADDED[command.type] ?? FIRST_RULES);
}
