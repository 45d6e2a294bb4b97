// The operator's calls, with the token of the operator console. Every one of them, reads too, is an entry of the audit log.
import type { Decimal } from '../exact/decimal.ts';
import { endOperator, operatorToken } from '../session/operator.ts';
import type { InstrumentStatus } from './market.ts';
import { isLoggedOut } from './refusal.ts';
import type { Balance } from './trading.ts';
import { type CallOptions, call, callText } from './transport.ts';

const OPERATOR = '/operator/v1';

type Signal = AbortSignal | undefined;
type Method = 'GET' | 'POST' | 'PATCH';

/** Throws Refused or NotReached; a token that is not accepted any more ends the login. */
async function ask<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  try {
    return await call<T>(method, OPERATOR + path, {
      ...options,
      bearer: operatorToken.get() ?? '',
    });
  } catch (error) {
    if (isLoggedOut(error)) endOperator(true);
    throw error;
  }
}

/** Whether this is the token, without noting it. Throws Refused where it is not. */
export const tryToken = (token: string) =>
  call<Clock>('GET', `${OPERATOR}/clock`, { bearer: token });

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly currentPage: string;
  readonly pageSize: string;
  readonly totalNum: string;
  readonly totalPage: string;
}

// People

export interface User {
  readonly uid: string;
  readonly email: string;
  readonly kyc: boolean;
  readonly status: 'active' | 'suspended';
  /** null: what the instrument charges. */
  readonly makerFee: Decimal | null;
  readonly takerFee: Decimal | null;
  readonly maxOpenOrders: string;
  readonly enterpriseId: string | null;
  readonly enterpriseAdmin: boolean;
  readonly createdAt: string;
}

export interface NewUser {
  readonly email: string;
  readonly password?: string;
  readonly kyc?: boolean;
  readonly enterpriseId?: string;
  readonly enterpriseAdmin?: boolean;
}

export interface UserTerms {
  readonly kyc?: boolean;
  readonly status?: User['status'];
  readonly makerFee?: Decimal | null;
  readonly takerFee?: Decimal | null;
  readonly maxOpenOrders?: number;
  readonly enterpriseId?: string | null;
  readonly enterpriseAdmin?: boolean;
}

export interface ApiKey {
  readonly keyId: string;
  readonly apiKey: string;
  readonly alias: string;
  readonly moduleIds: readonly string[];
  readonly ipAllowList: readonly string[] | null;
  readonly expiresAt: string | null;
  readonly strictClOrdId: boolean;
  readonly replayGuard: boolean;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface NewKey {
  readonly alias: string;
  readonly moduleIds: readonly number[];
  readonly ipAllowList?: readonly string[];
  /** Epoch ms. */
  readonly expiresAt?: number;
  readonly strictClOrdId?: boolean;
  readonly replayGuard?: boolean;
}

export interface KeyWithSecret {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** `query`: a part of the e-mail address, or the uid. */
export const users = (query: string, page: number, pageSize: number, signal?: Signal) =>
  ask<Page<User>>('GET', '/users', { query: { query, page, pageSize }, signal });
export const user = (uid: string, signal?: Signal) => ask<User>('GET', `/users/${uid}`, { signal });
export const createUser = (body: NewUser) =>
  ask<{ readonly uid: string }>('POST', '/users', { body });
export const amendUser = (uid: string, body: UserTerms) =>
  ask<User>('PATCH', `/users/${uid}`, { body });
export const balancesOf = (uid: string, signal?: Signal) =>
  ask<readonly Balance[]>('GET', `/users/${uid}/balances`, { signal });
export const keysOf = (uid: string, signal?: Signal) =>
  ask<readonly ApiKey[]>('GET', `/users/${uid}/keys`, { signal });
export const createKey = (uid: string, body: NewKey) =>
  ask<KeyWithSecret>('POST', `/users/${uid}/keys`, { body });
export const revokeKey = (uid: string, apiKey: string) =>
  ask<object>('POST', `/users/${uid}/keys/${apiKey}/revoke`);

// Money

export interface Transfer {
  readonly uid: string;
  readonly asset: string;
  readonly amount: Decimal;
  readonly reference: string;
}

/** The place of the transfer in the journal. The same for a reference that was booked before. */
export interface Booked {
  readonly transferId: string;
  readonly seq: string;
}

export interface AccountSum {
  readonly code: string;
  readonly balance: Decimal;
}

export interface AssetBalance {
  readonly asset: string;
  /** 0, or the books are wrong. */
  readonly sum: Decimal;
  readonly accounts: readonly AccountSum[];
}

export interface TrialBalance {
  readonly seq: string;
  readonly assets: readonly AssetBalance[];
}

export type Direction = 'credit' | 'debit';

export const transfer = (direction: Direction, body: Transfer) =>
  ask<Booked>('POST', `/ledger/${direction}`, { body });
export const trialBalance = (signal?: Signal) =>
  ask<TrialBalance>('GET', '/ledger/trial-balance', { signal });

// Markets

export interface Asset {
  readonly assetId: string;
  readonly asset: string;
  readonly scale: string;
  readonly fiat: boolean;
}

export interface NewAsset {
  readonly asset: string;
  readonly scale: number;
  readonly fiat: boolean;
}

export type SelfTradePrevention = 'none' | 'cancelNewest' | 'cancelOldest' | 'cancelBoth';

export interface InstrumentTerms {
  readonly baseAssetMinOrderSize: Decimal;
  readonly quoteAssetMinOrderSize: Decimal;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
  readonly selfTradePrevention: SelfTradePrevention;
  /** 0: no band. */
  readonly priceBand: Decimal;
  readonly instrumentStatus: InstrumentStatus;
}

export interface NewInstrument extends InstrumentTerms {
  readonly symbol: string;
  readonly baseAssetIncrement: Decimal;
  readonly quoteAssetIncrement: Decimal;
}

export interface Instrument extends NewInstrument {
  readonly securityId: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly open: boolean;
  readonly lastPrice: Decimal | null;
}

export const assets = (signal?: Signal) => ask<readonly Asset[]>('GET', '/assets', { signal });
export const createAsset = (body: NewAsset) => ask<Asset>('POST', '/assets', { body });
export const instruments = (signal?: Signal) =>
  ask<readonly Instrument[]>('GET', '/instruments', { signal });
export const createInstrument = (body: NewInstrument) =>
  ask<Instrument>('POST', '/instruments', { body });
export const amendInstrument = (symbol: string, body: Partial<InstrumentTerms>) =>
  ask<Instrument>('PATCH', `/instruments/${symbol}`, { body });

// Earn

/** 1 flexible, 2 fixed, 3 customized. */
export type PlanType = '1' | '2' | '3';

export interface Booster {
  readonly coin: string;
  readonly ratio: Decimal;
  readonly apr: Decimal;
}

export interface PlanReserve {
  readonly balance: Decimal;
  readonly payable: Decimal;
  readonly yearlyCost: Decimal;
  readonly dailyCost: Decimal;
  /** null where nothing is earned. */
  readonly daysOfCover: string | null;
  readonly overdue: boolean;
  readonly alarm: boolean;
}

export interface Plan {
  readonly planId: string;
  readonly planName: string;
  readonly planType: PlanType;
  readonly coin: string;
  readonly status: 'open' | 'closed';
  readonly apr: Decimal | null;
  readonly minApr: Decimal | null;
  readonly maxApr: Decimal | null;
  readonly lockDay: string | null;
  readonly minLockDay: string | null;
  readonly maxLockDay: string | null;
  readonly userAmountMin: Decimal;
  readonly userAmountMax: Decimal;
  readonly poolCapacity: Decimal | null;
  /** What is subscribed. */
  readonly pool: Decimal;
  readonly rewardFrequency: string;
  readonly redeemLockHours: string;
  readonly supportEarlyRedemption: boolean;
  readonly supportAutoRenew: boolean;
  readonly autoCompound: boolean;
  readonly requiresKyc: boolean;
  readonly label: string;
  readonly booster: Booster | null;
  readonly reserve: PlanReserve;
}

/** What an edit may change; null removes a bound and a booster. */
export interface PlanTerms {
  readonly planName?: string;
  readonly userAmountMin?: Decimal;
  readonly userAmountMax?: Decimal;
  readonly apr?: Decimal;
  readonly minApr?: Decimal;
  readonly maxApr?: Decimal;
  readonly poolCapacity?: Decimal | null;
  readonly redeemLockHours?: number;
  readonly supportEarlyRedemption?: boolean;
  readonly supportAutoRenew?: boolean;
  readonly requiresKyc?: boolean;
  readonly label?: string;
  readonly booster?: Booster | null;
  readonly status?: Plan['status'];
}

export interface NewPlan extends PlanTerms {
  readonly planType: PlanType;
  readonly coin: string;
  readonly lockDay?: number;
  readonly minLockDay?: number;
  readonly maxLockDay?: number;
  readonly rewardFrequency?: number;
  readonly autoCompound?: boolean;
}

export interface Enterprise {
  readonly enterpriseId: string;
  readonly name: string;
  readonly members: string;
  readonly margins: readonly { readonly planId: string; readonly margin: Decimal }[];
}

export const plans = (signal?: Signal) => ask<readonly Plan[]>('GET', '/plans', { signal });
export const createPlan = (body: NewPlan) =>
  ask<{ readonly planId: string }>('POST', '/plans', { body });
export const amendPlan = (planId: string, body: PlanTerms) =>
  ask<Plan>('PATCH', `/plans/${planId}`, { body });
export const fundReserve = (planId: string, body: Pick<Transfer, 'amount' | 'reference'>) =>
  ask<Booked>('POST', `/plans/${planId}/reserve`, { body });
export const enterprises = (signal?: Signal) =>
  ask<readonly Enterprise[]>('GET', '/enterprises', { signal });
export const createEnterprise = (name: string) =>
  ask<{ readonly enterpriseId: string }>('POST', '/enterprises', { body: { name } });

// The installation

export interface JournalHead {
  readonly seq: string;
  /** Business time. */
  readonly time: string;
  readonly chainHash: string;
  readonly stateHash: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly time: string;
  readonly actor: string;
  readonly ip: string | null;
  readonly action: string;
  readonly object: string | null;
  /** ok, or the code of the refusal. */
  readonly result: string;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

export interface AuditPage extends Page<AuditEntry> {
  readonly head: { readonly id: string; readonly hash: string };
}

export interface Mail {
  readonly file: string;
  readonly date: string | null;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

export interface Limit {
  readonly name: string;
  readonly countedBy: string;
  readonly status: 'on' | 'off';
  readonly quota: string | null;
  readonly windowSeconds: string | null;
  readonly burst: string | null;
  readonly refused: string;
}

export interface Clock {
  readonly now: string;
  readonly wall: string;
  readonly offset: string;
}

export interface Ready {
  readonly status: string;
  readonly seq: string;
  readonly followerSeq: string;
}

export const journalHead = (signal?: Signal) =>
  ask<JournalHead>('GET', '/journal/head', { signal });
export const snapshot = () =>
  ask<{ readonly seq: string; readonly stateHash: string }>('POST', '/snapshot');
export const audit = (page: number, pageSize: number, signal?: Signal) =>
  ask<AuditPage>('GET', '/audit', { query: { page, pageSize }, signal });
export const outbox = (limit: number, signal?: Signal) =>
  ask<{ readonly items: readonly Mail[] }>('GET', '/outbox', { query: { limit }, signal });
export const rateLimits = (signal?: Signal) =>
  ask<{ readonly items: readonly Limit[] }>('GET', '/rate-limits', { signal });
export const clock = (signal?: Signal) => ask<Clock>('GET', '/clock', { signal });
export const advanceClock = (ms: number) =>
  ask<{ readonly now: string }>('POST', '/clock/advance', { body: { ms } });

/** These two need no token and are in no log, so they may be asked as often as one likes. */
export const ready = (signal?: Signal) => call<Ready>('GET', '/ready', { signal });
export const metrics = () => callText('/metrics', {});
