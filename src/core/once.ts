// Each write is executed once: its signature works once, and an Idempotency-Key gets its first
// outcome again.
import type { Command, IdempotencyTag } from './command.ts';
import type { KeptOutcome } from './idempotency.ts';
import { type Outcome, rejectedAs } from './outcome.ts';
import type { State } from './state.ts';

export type CustomerWrite = Extract<Command, { signature: unknown }>;
export type WriteIdentity = Pick<CustomerWrite, 'uid' | 'signature' | 'idempotency'>;

export const isCustomerWrite = (command: Command): command is CustomerWrite =>
  'signature' in command;

/** Every command releases some expired writes, so that the memory shrinks when writes get fewer. */
export function releaseExpired(state: State): void {
  state.guard.release(state.wallTime);
  state.outcomes.release(state.time);
}

/**
 * The outcome of a write whose signature was used or is too old: the first outcome if the same
 * request repeats under its Idempotency-Key, else a rejection. Null: the signature is new, or the
 * same request is still in progress.
 */
export function outcomeOfUsed(state: State, write: WriteIdentity): Outcome | null {
  const { signature } = write;
  const rejection = signature === null ? null : state.guard.check(signature);
  return rejection === null || isInProgress(state, write) ? null : firstOutcome(state, write);
}

/** The outcome of a write whose signature is used, and which is not in progress. */
export function firstOutcome(
  state: State,
  { uid, signature, idempotency: tag }: WriteIdentity,
): Outcome {
  const earlier = tag === null ? undefined : state.outcomes.find(uid, tag.key, state.time);
  if (earlier?.digest === tag?.digest && earlier !== undefined) return repeat(earlier, tag!);
  return rejectedAs(state.guard.check(signature!)!);
}

/** True if the same request, by its Idempotency-Key, is pending. */
const isInProgress = ({ pending }: State, { uid, idempotency: tag }: WriteIdentity): boolean =>
  tag !== null &&
  pending.all.some(
    ({ command }) =>
      isCustomerWrite(command) &&
      command.uid === uid &&
      command.idempotency?.key === tag.key &&
      command.idempotency.digest === tag.digest,
  );

/** The outcome of an earlier write with the same Idempotency-Key; null: there is none. */
export function earlierOutcome(
  state: State,
  { uid, idempotency: tag }: WriteIdentity,
): Outcome | null {
  const earlier = tag === null ? undefined : state.outcomes.find(uid, tag.key, state.time);
  return earlier === undefined ? null : repeat(earlier, tag!);
}

/** A rejection has changed nothing: the same request may be tried again under its key. */
export function rememberOutcome(state: State, write: WriteIdentity, outcome: Outcome): void {
  const { uid, idempotency: tag } = write;
  if (tag === null || !hasEffect(outcome)) return;
  const { seq, time } = state;
  state.outcomes.remember({ uid, key: tag.key, digest: tag.digest, outcome, seq, time });
}

/** True if the command changed the state: at least one entry of a batch did. */
function hasEffect(outcome: Outcome): boolean {
  if (!outcome.ok) return false;
  const { result } = outcome;
  return !('outcomes' in result) || result.outcomes.some(({ ok }) => ok);
}

function repeat(earlier: KeptOutcome, tag: IdempotencyTag): Outcome {
  if (earlier.digest !== tag.digest) return rejectedAs('idempotencyKeyReused');
  return { ...earlier.outcome, replayed: true };
}
