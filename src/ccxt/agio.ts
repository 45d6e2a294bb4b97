// agio for ccxt: `register(ccxt)`, and from then on `new ccxt.agio(…)` and `new ccxt.pro.agio(…)` as for any other exchange.
import * as own from 'ccxt';
import { AgioPrivateStreams } from './private-streams.ts';

/** One class serves ccxt and ccxt.pro. Named as ccxt names its classes. */
export class agio extends AgioPrivateStreams {}

/** What `register` needs of ccxt, and what it adds to. */
export interface Library {
  readonly Exchange: unknown;
  readonly exchanges: string[];
  readonly pro: object & { readonly exchanges?: string[] };
}

/** ccxt with agio in it. */
export type WithAgio = { readonly agio: typeof agio; readonly pro: { readonly agio: typeof agio } };

/**
 * Adds agio to ccxt. A second time changes nothing. Throws TypeError for another copy of ccxt than the one that this module
 * finds: its exceptions would not be the caller's.
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

export default agio;
