// agio for ccxt: after `register(ccxt)`, `new ccxt.agio(…)` and `new ccxt.pro.agio(…)` work as for
// any other exchange.
import * as own from 'ccxt';
import { AgioOrderEntry } from './order-entry.ts';

/** One class for ccxt and ccxt.pro, named as ccxt names its classes. */
export class agio extends AgioOrderEntry {}

/** The parts of ccxt that `register` reads and extends. */
export interface Library {
  readonly Exchange: unknown;
  readonly exchanges: string[];
  readonly pro: object & { readonly exchanges?: string[] };
}

/** ccxt with agio in it. */
export type WithAgio = { readonly agio: typeof agio; readonly pro: { readonly agio: typeof agio } };

/**
 * Adds agio to ccxt; calling it again changes nothing. Throws TypeError for another copy of ccxt
 * than the one that this module imports, because the exceptions would not be the caller's.
 */
export function register<T extends Library>(ccxt: T): asserts ccxt is T & WithAgio {
  if (ccxt.Exchange !== own.Exchange) {
    throw new TypeError(
      'agio/ccxt: this is not the ccxt that agio was loaded with; install one copy of ccxt',
    );
  }
  Object.assign(ccxt, { agio });
  Object.assign(ccxt.pro, { agio });
  for (const names of [ccxt.exchanges, ccxt.pro.exchanges ?? []]) {
    if (!names.includes('agio')) names.push('agio');
  }
}

/** @alias */
export default agio;
