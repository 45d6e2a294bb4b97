// The legacy errors of the earn calls, as tests look them up.
import { CODES, isLegacy } from '../../src/contract/codes.ts';

/** The `msg` of each legacy number. */
export const LEGACY_MESSAGES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(CODES)
    .filter(({ code }) => isLegacy(code))
    .map(({ code, msg }) => [code, msg]),
);
