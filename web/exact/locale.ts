// The separators of numbers in the user's locale. The pages write figures with them, and fields
// read and show amounts with them.

/** The decimal separator. */
export type DecimalSign = '.' | ',';

export interface Separators {
  readonly sign: DecimalSign;
  /** Between thousands. */
  readonly group: string;
}

/** The group separators that typed.ts reads. */
const READ = /^[.,'’ \u00a0\u202f]$/;

/** The separators of a language; those of the system without one. */
export function separatorsOf(language: string | undefined): Separators {
  const format = new Intl.NumberFormat(language, { useGrouping: 'always' });
  const parts = format.formatToParts(1_234_567.5);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const sign = partOf('decimal') === ',' ? ',' : '.';
  const group = partOf('group');
  const isUsable = READ.test(group) && group !== sign;
  return { sign, group: isUsable ? group : sign === ',' ? '.' : ',' };
}

/** The separators of the user. */
export const SEPARATORS = separatorsOf(globalThis.navigator?.language);
