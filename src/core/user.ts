// A user, as far as money depends on it. Names and secrets are in identity/.
import { boolean, integer, type Mutable, record, signed, type ValueOf } from './codec.ts';
import { byFeeRole } from './fee-rates.ts';
import { Fact, type StateHash } from './state-hash.ts';

/** The terms that the operator may amend. */
export const USER_TERMS = record({
  kyc: boolean,
  /** The operator has frozen the account: it can be read, not changed. */
  suspended: boolean,
  /** Own rates in 10^-8, or INSTRUMENT_FEE. */
  ...byFeeRole(() => signed),
  maxOpenOrders: integer,
});

/** A user in a snapshot. The uid is its place. */
export const USER = record({
  ...USER_TERMS.fields,
  /** The enterprise that the user belongs to; 0: none. */
  enterpriseId: integer,
  enterpriseAdmin: boolean,
});

export interface User extends Mutable<ValueOf<typeof USER>> {
  readonly uid: number;
}

/** In place of a fee: the instrument's fee applies. */
export const INSTRUMENT_FEE = -1;

/** Enough for a market maker on every pair. The operator can raise it for an account. */
const DEFAULT_MAX_OPEN_ORDERS = 10_000;

export const newUser = (uid: number, kyc: boolean): User => ({
  uid,
  kyc,
  suspended: false,
  ...byFeeRole(() => INSTRUMENT_FEE),
  maxOpenOrders: DEFAULT_MAX_OPEN_ORDERS,
  enterpriseId: 0,
  enterpriseAdmin: false,
});

/** Mixes a user into the state hash; add or remove the fact afterwards. */
export function hashUser(hash: StateHash, user: User): void {
  hash.begin(Fact.user);
  hash.number(user.uid);
  USER.mix(hash, user);
}

/** Changes fields of a user and keeps the state hash up to date. */
export function changeUser(hash: StateHash, user: User, changes: Partial<User>): void {
  hashUser(hash, user);
  hash.remove();
  Object.assign(user, changes);
  hashUser(hash, user);
  hash.add();
}
