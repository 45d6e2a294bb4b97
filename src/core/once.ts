// Each write is carried out once: its signature works once, and an Idempotency-Key gets its first
// answer again.
import type { Command, IdempotencyTag } from './command.ts';
import type { StoredAnswer } from './idempotency.ts';
import { type Outcome, refused } from './outcome.ts';
import { SINCE } from './rules.ts';
import type { State } from './state.ts';

export type CustomerWrite = Extract<Command, { signature: unknown }>;

/** Every command releases some expired writes, so that the memory shrinks when writes get fewer. */
export function releaseExpired(state: State): void {
  if (state.rules < SINCE.writesAreForgotten) return;
  state.guard.release(state.wallTime);
  state.answers.release(state.time);
}

/** Carries out a customer's write unless its signature or its Idempotency-Key was used before. */
export function applyOnce(
  state: State,
  command: CustomerWrite,
  execute: (state: State, command: CustomerWrite) => Outcome,
): Outcome {
  const { uid, signature, idempotency: tag } = command;
  const withExpiry = state.rules >= SINCE.writesAreForgotten;
  if (signature !== null) {
    const answer = answerOfUsed(state, command);
    if (answer !== null) return answer;
    if (withExpiry) state.guard.remember(uid, signature, state.wallTime);
    else state.guard.rememberUnderFirstRules(signature);
  }
  if (tag === null) return execute(state, command);
  const earlier = state.answers.find(uid, tag.key, state.time);
  if (earlier !== undefined) return repeat(earlier, tag);
  const outcome = execute(state, command);
  const { seq, time } = state;
  const answer = { uid, key: tag.key, digest: tag.digest, outcome, seq, time };
  // A refusal has changed nothing: the same request may be tried again under its key.
  if (withExpiry && hasEffect(outcome)) state.answers.remember(answer);
  else if (!withExpiry) state.answers.rememberUnderFirstRules(answer);
  return outcome;
}

/** Whether anything was carried out: of a batch, at least one entry. */
function hasEffect(outcome: Outcome): boolean {
  if (!outcome.ok) return false;
  const { result } = outcome;
  return !('outcomes' in result) || result.outcomes.some(({ ok }) => ok);
}

/**
 * The answer to a write whose signature was used or is too old: the first answer if the same
 * request repeats under its Idempotency-Key, else a refusal. Null: the signature is new.
 */
export function answerOfUsed(
  state: State,
  { uid, signature, idempotency: tag }: Pick<CustomerWrite, 'uid' | 'signature' | 'idempotency'>,
): Outcome<never> | Outcome | null {
  const refusal = signature === null ? null : state.guard.check(signature);
  if (refusal === null) return null;
  if (tag !== null && state.rules >= SINCE.writesAreForgotten) {
    const earlier = state.answers.find(uid, tag.key, state.time);
    if (earlier?.digest === tag.digest) return repeat(earlier, tag);
  }
  return refused(refusal);
}

function repeat(earlier: StoredAnswer, tag: IdempotencyTag): Outcome {
  if (earlier.digest !== tag.digest) return refused('idempotencyKeyReused');
  return { ...earlier.outcome, replayed: true };
}
