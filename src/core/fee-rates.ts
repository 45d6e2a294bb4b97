// The two rates of a fee: of an order that rests, and of one that trades on arrival. Instruments,
// tiers and users have them, and the requests and answers about these.
import { RATE_ONE } from './units.ts';

export type FeeRole = 'makerFee' | 'takerFee';

/** The maker first. */
export const FEE_ROLES: readonly FeeRole[] = ['makerFee', 'takerFee'];

/** A value for each role. */
export const byFeeRole = <T>(make: (role: FeeRole) => T): Record<FeeRole, T> => ({
  makerFee: make('makerFee'),
  takerFee: make('takerFee'),
});

/** A rate from 0 to below 1, in 10^-8: a fee of everything is a slip of the decimal point. */
export const isFeeRate = (rate: number): boolean =>
  Number.isSafeInteger(rate) && rate >= 0 && rate < RATE_ONE;
