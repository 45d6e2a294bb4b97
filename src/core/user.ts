// A user, as far as money depends on it. Names and secrets are in identity/.
import { boolean, fromMinusOne, integer, type Mutable, record, type ValueOf } from './codec.ts';
import { Fact, type StateHash } from './state-hash.ts';

/** A user in a snapshot. The uid is its place. */
export const USER = record({
  kyc: boolean,
  /** The operator has frozen the account: it can be read, not changed. */
  suspended: boolean,
  /** Own rates in 10^-8, or INSTRUMENT_FEE. */
  makerFee: fromMinusOne,
  takerFee: fromMinusOne,
  maxOpenOrders: integer,
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
  makerFee: INSTRUMENT_FEE,
  takerFee: INSTRUMENT_FEE,
  maxOpenOrders: DEFAULT_MAX_OPEN_ORDERS,
  enterpriseId: 0,
  enterpriseAdmin: false,
});

/** Mixes a user into the state hash; add or remove the fact afterwards. */
export function hashUser(hash: StateHash, user: User): void {
  hash.begin(Fact.user);
  hash.number(user.uid);
  hash.number((user.kyc ? 2 : 0) + (user.suspended ? 1 : 0));
  hash.number(user.makerFee + 1);
  hash.number(user.takerFee + 1);
  hash.number(user.maxOpenOrders);
  hash.number(user.enterpriseId * 2 + (user.enterpriseAdmin ? 1 : 0));
}

/** Changes fields of a user and keeps the state hash up to date. */
export function changeUser(hash: StateHash, user: User, changes: Partial<User>): void {
  hashUser(hash, user);
  hash.remove();
  Object.assign(user, changes);
  hashUser(hash, user);
  hash.add();
}
