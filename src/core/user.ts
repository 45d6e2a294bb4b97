// What the core knows of a person: nothing but what decides about money. Names and secrets are in identity/.
import type { StateHash } from './state-hash.ts';
import { Fact } from './state-hash.ts';

export interface User {
  readonly uid: number;
  kyc: boolean;
  /** The operator has frozen the account: it can be read, and changes nothing. */
  suspended: boolean;
  /** Own rates in 10^-8, or INSTRUMENT_FEE. */
  makerFee: number;
  takerFee: number;
  maxOpenOrders: number;
  /** The enterprise that the user belongs to; 0: none. */
  enterpriseId: number;
  enterpriseAdmin: boolean;
}

/** The fee that says: what the instrument charges. */
export const INSTRUMENT_FEE = -1;

/** Enough for a market maker on every pair; the operator may raise it for one account. */
export const DEFAULT_MAX_OPEN_ORDERS = 10_000;

export const newUser = (uid: number, kyc: boolean): User => ({
  uid,
  kyc,
  suspended: false,
  makerFee: INSTRUMENT_FEE,
  takerFee: INSTRUMENT_FEE,
  maxOpenOrders: DEFAULT_MAX_OPEN_ORDERS,
  enterpriseId: 0,
  enterpriseAdmin: false,
});

/** Mixes a user into the state hash; add or remove it after. */
export function hashUser(hash: StateHash, user: User): void {
  hash.begin(Fact.user);
  hash.number(user.uid);
  hash.number((user.kyc ? 2 : 0) + (user.suspended ? 1 : 0));
  hash.number(user.makerFee + 1);
  hash.number(user.takerFee + 1);
  hash.number(user.maxOpenOrders);
  hash.number(user.enterpriseId * 2 + (user.enterpriseAdmin ? 1 : 0));
}
