// A refused earn command names the nearest value that would pass. This takes the core at its word,
// on a copy of its state: the same command with that value must not be refused for the same rule
// again, nor for being too little now.
import type { Command } from '../../src/core/command.ts';
import { Exchange } from '../../src/core/exchange.ts';
import type { Reject } from '../../src/core/reject.ts';
import { restore, snapshot } from '../../src/core/snapshot.ts';

/** What is wrong with the remedy of a reject, or null. */
export function earnRemedyFault(
  { state }: Exchange,
  time: number,
  command: Command,
  { name, field, nearest }: Reject,
): string | null {
  if (nearest === null) return null;
  if (field === null || !(field in command)) return `remedy: ${name} names field ${field}`;
  const unsigned = 'signature' in command ? { signature: null, idempotency: null } : {};
  const amended = { ...command, ...unsigned, [field]: nearest.n } as Command;
  const copy = new Exchange(restore(snapshot(state)));
  const again = copy.apply(state.seq + 1, time, amended);
  if (again.ok || again.reject.field !== field) return null;
  if (again.reject.name !== name && again.reject.name !== 'belowUserMinimum') return null;
  return `remedy: ${name} → ${field} ${nearest.n}, and this is refused as ${again.reject.name}`;
}
