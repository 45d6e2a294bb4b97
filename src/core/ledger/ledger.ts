// The double-entry ledger: every movement of money is a transfer between two accounts of one asset,
// so the balances of an asset sum to zero. A balance is credits minus debits. The caller decides
// whether money may be taken; here an overdraft is a broken invariant.

import { assert } from '../assert.ts';
import { code, integer, money, record, signed, type ValueOf } from '../codec.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { type Amount, add, subtract, ZERO } from '../units.ts';
import { type AccountCode, CODES_PER_ASSET, mayBeNegative } from './account-code.ts';

/** A dense index of an account. */
export type AccountId = number;

export const VENUE = 0;

export type LedgerAccount = ValueOf<typeof LEDGER_ACCOUNT>;

/** Owners of the venue's own accounts are negative. */
export const LEDGER_ACCOUNT = record({
  owner: signed,
  assetId: integer,
  code: code<AccountCode>(),
  balance: money,
});

/** Balances that may wait to be hashed: less than a millisecond of work. */
const MOST_STALE = 8192;

export class Ledger {
  readonly #hash: StateHash;
  readonly #balances: Amount[] = [];
  readonly #owners: number[] = [];
  /** assetId × CODES_PER_ASSET + code, per account. */
  readonly #keys: number[] = [];
  /** The two halves of each account's fact in the state hash. */
  readonly #hashA: number[] = [];
  readonly #hashB: number[] = [];
  readonly #stale: boolean[] = [];
  #staleIds: AccountId[] = [];
  /** Accounts of an owner, by key. Owners below zero are plans and enterprises (earn/plan.ts). */
  readonly #byOwner: AccountId[][] = [];
  readonly #byInternalOwner: AccountId[][] = [];

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  /** The account of an owner, opened at zero when it is first named. */
  account(owner: number, assetId: number, code: AccountCode): AccountId {
    const accounts = this.#accountsOf(owner) ?? this.#newOwner(owner);
    const key = assetId * CODES_PER_ASSET + code;
    while (accounts.length <= key) accounts.push(-1);
    const known = accounts[key];
    return known >= 0 ? known : this.#open(accounts, owner, key);
  }

  #accountsOf(owner: number): AccountId[] | undefined {
    return owner >= 0 ? this.#byOwner[owner] : this.#byInternalOwner[-owner];
  }

  #newOwner(owner: number): AccountId[] {
    const accounts: AccountId[] = [];
    if (owner >= 0) this.#byOwner[owner] = accounts;
    else this.#byInternalOwner[-owner] = accounts;
    return accounts;
  }

  #open(accounts: AccountId[], owner: number, key: number): AccountId {
    const id = this.#balances.length;
    this.#balances.push(ZERO);
    this.#hashA.push(0);
    this.#hashB.push(0);
    this.#stale.push(false);
    this.#owners.push(owner);
    this.#keys.push(key);
    accounts[key] = id;
    return id;
  }

  balance(id: AccountId): Amount {
    return this.#balances[id];
  }

  /** The balance of an account that need not exist. */
  balanceOf(owner: number, assetId: number, code: AccountCode): Amount {
    const id = this.#accountsOf(owner)?.[assetId * CODES_PER_ASSET + code] ?? -1;
    return id < 0 ? ZERO : this.#balances[id];
  }

  /** Moves `money` ≥ 0 from the debited to the credited account, which are of the same asset. */
  transfer(debited: AccountId, credited: AccountId, money: Amount): void {
    assert(money >= 0, 'a transfer moves a natural amount');
    if (money === 0) return;
    this.#set(debited, subtract(this.#balances[debited], money));
    this.#set(credited, add(this.#balances[credited], money));
  }

  move(owner: number, assetId: number, from: AccountCode, to: AccountCode, money: Amount): void {
    this.transfer(this.account(owner, assetId, from), this.account(owner, assetId, to), money);
  }

  #set(id: AccountId, balance: Amount): void {
    if (balance < 0) {
      const code = (this.#keys[id] % CODES_PER_ASSET) as AccountCode;
      assert(mayBeNegative(code), 'no customer is overdrawn');
    }
    this.#balances[id] = balance;
    if (this.#stale[id]) return;
    this.#stale[id] = true;
    // In portions, so that a day with a million payouts does not delay the next checkpoint.
    if (this.#staleIds.push(id) >= MOST_STALE) this.settleHash();
  }

  /** Brings the state hash up to date with the balances that changed since the last time. */
  settleHash(): void {
    const hash = this.#hash;
    for (const id of this.#staleIds) {
      this.#stale[id] = false;
      hash.removeHashed(this.#hashA[id], this.#hashB[id]);
      const balance = this.#balances[id];
      if (balance === 0) {
        // The state hash must be that of an account that was never opened.
        this.#hashA[id] = 0;
        this.#hashB[id] = 0;
        continue;
      }
      hash.begin(Fact.balance);
      hash.amount(this.#owners[id] as Amount);
      hash.number(this.#keys[id]);
      hash.amount(balance);
      hash.add();
      this.#hashA[id] = hash.a;
      this.#hashB[id] = hash.b;
    }
    this.#staleIds = [];
  }

  /** Every account that was ever opened, in order of opening. */
  *accounts(): Generator<LedgerAccount> {
    for (let id = 0; id < this.#balances.length; id++) {
      const key = this.#keys[id];
      const code = (key % CODES_PER_ASSET) as AccountCode;
      const assetId = (key - code) / CODES_PER_ASSET;
      yield { owner: this.#owners[id], assetId, code, balance: this.#balances[id] };
    }
  }

  /** Sets the balance of an account while a snapshot is restored. */
  restore({ owner, assetId, code, balance }: LedgerAccount): void {
    const id = this.account(owner, assetId, code);
    assert(this.#balances[id] === 0, 'an account is restored once');
    this.#set(id, balance);
  }
}
