// What the operator's calls answer.
import type { InstrumentStatus, Page } from './answers.ts';
import type { PlanType } from './answers-earn.ts';
import type { Key } from './answers-people.ts';
import type { Decimal } from './decimal.ts';

export interface User {
  readonly uid: number;
  readonly email: string;
  readonly kyc: boolean;
  readonly status: 'active' | 'suspended';
  /** null: what the instrument charges. */
  readonly makerFee: Decimal | null;
  readonly takerFee: Decimal | null;
  readonly maxOpenOrders: number;
  readonly enterpriseId: number | null;
  readonly enterpriseAdmin: boolean;
  readonly createdAt: number;
}

export interface CreatedUser {
  readonly uid: number;
}

export interface UserKey extends Key {
  readonly keyId: number;
  readonly uid: number;
}

/** The same for a reference that was booked before. */
export interface Booked {
  readonly transferId: number;
  readonly seq: number;
}

export interface CanceledOrders {
  readonly canceled: number;
  /** More than one command may cancel; they follow right after. */
  readonly remaining: number;
}

export type IncomeAccount = 'feeRevenue' | 'enterpriseMargin' | 'reserve';

export interface Income {
  readonly account: IncomeAccount;
  readonly planId: string | null;
  readonly enterpriseId: number | null;
  readonly asset: string;
  readonly balance: Decimal;
  /** What nobody else has a claim to. */
  readonly withdrawable: Decimal;
}

export interface Incomes {
  readonly items: readonly Income[];
}

export interface VenueTransfer {
  readonly transferId: number;
  readonly time: number;
  readonly account: IncomeAccount;
  readonly planId: string | null;
  readonly enterpriseId: number | null;
  readonly asset: string;
  /** Above 0 came in, below 0 left. */
  readonly amount: Decimal;
  readonly reference: string;
}

export interface AccountSum {
  readonly code: string;
  readonly balance: Decimal;
}

export interface AssetSums {
  readonly asset: string;
  /** 0. */
  readonly sum: Decimal;
  readonly accounts: readonly AccountSum[];
}

export interface TrialBalance {
  readonly seq: number;
  readonly assets: readonly AssetSums[];
}

export interface ListedAsset {
  readonly assetId: number;
  readonly asset: string;
  readonly scale: number;
  readonly fiat: boolean;
}

export interface ListedInstrument {
  readonly securityId: number;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly baseAssetIncrement: Decimal;
  readonly quoteAssetIncrement: Decimal;
  readonly baseAssetMinOrderSize: Decimal;
  readonly quoteAssetMinOrderSize: Decimal;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
  readonly selfTradePrevention: 'none' | 'cancelNewest' | 'cancelOldest' | 'cancelBoth';
  /** 0: none. */
  readonly priceBand: Decimal;
  readonly instrumentStatus: InstrumentStatus;
  readonly open: boolean;
  readonly lastPrice: Decimal | null;
}

export interface CreatedPlan {
  readonly planId: string;
}

export interface OfferedBooster {
  readonly coin: string;
  /** Booster coins for each coin subscribed. */
  readonly ratio: Decimal;
  readonly apr: Decimal;
}

export interface PlanReserve {
  readonly balance: Decimal;
  readonly payable: Decimal;
  readonly yearlyCost: Decimal;
  readonly dailyCost: Decimal;
  /** Whole days; a text, since it may be beyond any number. null where nothing is earned. */
  readonly daysOfCover: Decimal | null;
  readonly overdue: boolean;
  readonly alarm: boolean;
}

export interface OfferedPlan {
  readonly planId: string;
  readonly planName: string;
  readonly planType: PlanType;
  readonly coin: string;
  readonly status: 'open' | 'closed';
  readonly apr: Decimal | null;
  readonly minApr: Decimal | null;
  readonly maxApr: Decimal | null;
  readonly lockDay: number | null;
  readonly minLockDay: number | null;
  readonly maxLockDay: number | null;
  readonly userAmountMin: Decimal;
  readonly userAmountMax: Decimal;
  readonly poolCapacity: Decimal | null;
  /** What is subscribed. */
  readonly pool: Decimal;
  readonly rewardFrequency: number;
  readonly redeemLockHours: number;
  readonly supportEarlyRedemption: boolean;
  readonly supportAutoRenew: boolean;
  readonly autoCompound: boolean;
  readonly requiresKyc: boolean;
  readonly label: string;
  readonly booster: OfferedBooster | null;
  readonly reserve: PlanReserve;
}

export interface CreatedEnterprise {
  readonly enterpriseId: number;
}

export interface AmendedEnterprise {
  readonly enterpriseId: number;
  readonly selfTradePrevention: boolean;
}

export interface PlanMargin {
  readonly planId: string;
  readonly margin: Decimal;
}

export interface Enterprise {
  readonly enterpriseId: number;
  readonly name: string;
  /** Whether orders of its members do not trade with each other. */
  readonly selfTradePrevention: boolean;
  readonly members: number;
  readonly margins: readonly PlanMargin[];
}

export interface JournalHead {
  readonly seq: number;
  readonly time: number;
  readonly chainHash: string;
  readonly stateHash: string;
}

export interface TruncatedJournal {
  /** The first command that the journal still has. */
  readonly firstSeq: number;
}

export interface TakenSnapshot {
  readonly seq: number;
  readonly stateHash: string;
}

export interface AuditEntry {
  readonly id: number;
  readonly time: number;
  readonly actor: string;
  readonly ip: string | null;
  readonly action: string;
  readonly object: string | null;
  readonly result: string;
  readonly requestId: string | null;
  /** Of every form; numbers in it are texts unless they are ids. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

export interface AuditHead {
  readonly id: number;
  readonly hash: string;
}

export interface AuditPage extends Page<AuditEntry> {
  readonly head: AuditHead;
}

export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly file: string;
  readonly date: number | null;
}

export interface Outbox {
  readonly items: readonly Mail[];
}

export interface ClockState {
  /** Business time. */
  readonly now: number;
  readonly wall: number;
  readonly offset: number;
}

export interface AdvancedClock {
  readonly now: number;
}

export interface RateLimit {
  readonly name: string;
  readonly countedBy: string;
  readonly status: 'on' | 'off';
  /** null where it is off. */
  readonly quota: number | null;
  readonly windowSeconds: number | null;
  readonly burst: number | null;
  readonly refused: number;
}

export interface RateLimits {
  readonly items: readonly RateLimit[];
}
