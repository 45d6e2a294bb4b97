// The versions of the rules. The journal keeps commands, not results, so a command must have the
// same effect in every later release. Each batch therefore carries the version that it was applied
// under, and a rule that changed is kept beside its successor.

/** The version that this release writes. Raise it when a release changes what a command does. */
export const RULES = 2;

/** The first version; journals of agio 0.1 previews are written under it. */
export const FIRST_RULES = 1;
