// The versions of the rules. The journal keeps commands, not results, so a command must have the
// same effect in every later release. Each batch therefore carries the version that it was applied
// under; a rule that changes compares `state.rules` and keeps its earlier form for earlier batches.
import type { Command, CommandType } from './command.ts';

/** The version that this release writes. Raise it when a release changes what a command does. */
export const RULES = 3;

/** The oldest version that this release reads. 0.1.0 wrote 1; none wrote 2: tests invent it. */
export const OLDEST_RULES = 2;

/** The first version of each command that the oldest one does not have. Tests add to it. */
export const ADDED: { [T in CommandType]?: number } = {};

/** The first version of the rules under which a journal may have this command. */
export const rulesOf = ({ type }: Command): number => ADDED[type] ?? OLDEST_RULES;
