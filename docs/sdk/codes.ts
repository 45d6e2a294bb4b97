// The codes of rejections for the SDK.
import { CODES, type CodeName, SDK_CLASSES } from '../../src/contract/codes.ts';
import { settlesEarlier } from '../../src/contract/rejections.ts';
import { comment } from './source.ts';

const NAMES = Object.keys(CODES) as CodeName[];

export function rejectionCodes(): string {
  const constants = NAMES.map((name) => `  ${name}: ${CODES[name].code},`);
  const settling = NAMES.filter(settlesEarlier).map((name) => `  Code.${name},`);
  return `
/** The codes of rejections by name, which are finer than the classes of errors. */
export const Code = {
${constants.join('\n')}
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

/** A class for each reaction to a rejection, and the class of each code. */
export function rejectionClasses(): string {
  const classes = Object.entries(SDK_CLASSES).map(
    ([name, about]) => `
${comment(about)}export class ${name} extends Rejection {
  override readonly name = '${name}';
}
`,
  );
  const rows = NAMES.map((name) => `  [${CODES[name].code}, ${CODES[name].sdk}],`);
  return `import { EarnRejection, Rejection } from '../errors.ts';
${classes.join('')}
const classes: readonly (readonly [code: number, is: typeof Rejection])[] = [
${rows.join('\n')}
];

/** The class of each code. */
export const ERROR_CLASSES: ReadonlyMap<number, typeof Rejection> = new Map(classes);
`;
}
