// The codes of rejections for the SDK.
import { CODES, type CodeName } from '../../src/contract/codes.ts';
import { settlesEarlier } from '../../src/contract/rejections.ts';

const NAMES = Object.keys(CODES) as CodeName[];

export function rejectionCodes(): string {
  const constants = NAMES.map((name) => `  ${name}: ${CODES[name].code},`);
  const classes = NAMES.map((name) => `  ${CODES[name].code}: '${CODES[name].sdk}',`);
  const settling = NAMES.filter(settlesEarlier).map((name) => `  Code.${name},`);
  return `
/** The codes of rejections by name, which are finer than the classes of errors. */
export const Code = {
${constants.join('\n')}
} as const;

/** The name of the error class of each code. */
export const CLASS_NAMES = {
${classes.join('\n')}
} as const;

/**
 * Codes that settle an earlier attempt of the same write that had no answer. The server decides
 * them by the request alone, or after it has looked up the Idempotency-Key or the reference.
 */
export const SETTLING: ReadonlySet<number> = new Set([
${settling.join('\n')}
]);
`;
}
