// The codes of refusals for the SDK and the exceptions of the ccxt class.
import { CODES, type CodeName } from '../../src/contract/codes.ts';
import { REFUSALS, settlesEarlier } from '../../src/contract/refusals.ts';
import { head } from './source.ts';

const NAMES = Object.keys(CODES) as CodeName[];

export function refusalCodes(): string {
  const constants = NAMES.map((name) => `  ${name}: ${CODES[name].code},`);
  const classes = NAMES.map((name) => `  ${CODES[name].code}: '${CODES[name].sdk}',`);
  const settling = NAMES.filter(settlesEarlier).map((name) => `  Code.${name},`);
  return `
/** The codes of refusals by name, which are finer than the classes of errors. */
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

export function ccxtExceptions(): string {
  const exact = NAMES.map((name) => `    '${CODES[name].code}': ${CODES[name].ccxt},`);
  const broad = Object.values(REFUSALS)
    .filter(({ codeName, ccxt }) => ccxt !== CODES[codeName].ccxt)
    .map(({ text, ccxt }) => `    '${beginningOf(text)}': ${ccxt},`);
  const classes = new Set(Object.values(REFUSALS).map(({ ccxt }) => ccxt));
  const imported = [...classes].sort().join(', ');
  const about = head('The ccxt exception of each refusal of the exchange.');
  return `${about}import { ${imported} } from 'ccxt';

export const EXCEPTIONS = {
  // By \`code\`; five digits are the \`errorCode\` of an earn call.
  exact: {
${exact.join('\n')}
  },
  // Causes that differ from the others of their code, by the beginning of their sentence.
  broad: {
${broad.join('\n')}
  },
};
`;
}

/** Up to the first colon or full stop: what follows may be more precise in an answer. */
const beginningOf = (text: string): string => text.split(/[:.]/)[0]!;
