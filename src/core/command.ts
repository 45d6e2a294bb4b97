// Everything that can change the state, with all that apply() needs: resolved ids and core units.
// The edge (contract/) has checked its form; the core decides.
import type { Nullable } from './codec.ts';
import type { PlanKind, PlanTerms } from './earn/plan.ts';
import type { OrdType, SelfTradePrevention, Side, TimeInForce } from './fix.ts';
import type { InstrumentTerms, NewInstrument } from './instrument.ts';
import type { IncomeAccount } from './ledger/account-code.ts';
import type { OrderExtras } from './order-extras.ts';
import type { FeeTierTable } from './trading/fee-tiers.ts';
import type { Amount, Lots, Ticks } from './units.ts';

/** The signature that authorized a write: each works once per key (core/replay-guard.ts). */
export interface WriteSignature {
  readonly keyId: number;
  /** The request's own timestamp, wall clock, ms. */
  readonly timestamp: number;
  /** The first 64 bits of the signature, as two unsigned 32-bit halves. */
  readonly digestHigh: number;
  readonly digestLow: number;
}

/** The caller's Idempotency-Key and a digest of what it was sent with. */
export interface IdempotencyTag {
  readonly key: string;
  /** Digest of route and body: another body under the same key is refused. */
  readonly digest: string;
}

interface CustomerCommand {
  readonly uid: number;
  readonly signature: WriteSignature | null;
  readonly idempotency: IdempotencyTag | null;
}

export interface PlaceOrder extends CustomerCommand {
  readonly type: 'placeOrder';
  readonly securityId: number;
  readonly side: Side;
  readonly ordType: OrdType;
  /** 0 for orders that have none: market orders and stops. */
  readonly price: Ticks;
  /** 0 when the order is by quote. */
  readonly orderQty: Lots;
  /** The most that an order by quote spends or brings, before fees; 0 otherwise. */
  readonly quoteOrderQty: Amount;
  readonly postOnly: boolean;
  /** Empty: the core generates `api_<uid>_<orderId>`. */
  readonly clOrdId: string;
  /** Refuse a clOrdId that an open order of the account already has. */
  readonly strictClOrdId: boolean;
  /** null for an order of v1, and for one whose extras are all as v1 has them. */
  readonly extras: OrderExtras | null;
}

/** Changes an open order; a null field stays as it is. */
export interface AmendOrder extends CustomerCommand {
  readonly type: 'amendOrder';
  /** The instrument whose increments the prices and quantities are counted in. */
  readonly securityId: number;
  /** 0 when the order is named by origClOrdId alone. */
  readonly orderId: number;
  /** Empty when the order is named by orderId alone. */
  readonly origClOrdId: string;
  /** Id of this request; empty: generated. The order keeps its own. */
  readonly clOrdId: string;
  /** The total quantity, with what is filled. */
  readonly orderQty: Lots | null;
  readonly price: Ticks | null;
  readonly stopPx: Ticks | null;
  /** 0: the whole order is shown. */
  readonly displayQty: Lots | null;
  readonly expireTime: number | null;
}

/** A limit order and a stop of one quantity: the first to trade cancels the other. */
export interface PlaceOco extends CustomerCommand {
  readonly type: 'placeOco';
  readonly securityId: number;
  readonly side: Side;
  readonly orderQty: Lots;
  /** The price of the limit order. */
  readonly price: Ticks;
  readonly stopPx: Ticks;
  /** 0: the stop is a market order. */
  readonly stopLimitPx: Ticks;
  readonly timeInForce: TimeInForce;
  /** Business time, ms; 0 unless goodTillDate. */
  readonly expireTime: number;
  /** null: the instrument's. */
  readonly selfTradePrevention: SelfTradePrevention | null;
  /** Empty: generated. */
  readonly clOrdId: string;
  readonly stopClOrdId: string;
  /** Refuse a clOrdId that an open order of the account already has. */
  readonly strictClOrdId: boolean;
}

type Entry<C extends CustomerCommand> = Omit<C, keyof CustomerCommand>;

export type BatchEntry =
  | Entry<PlaceOrder>
  | Entry<CancelOrder>
  | Entry<AmendOrder>
  | Entry<PlaceOco>;

/** 1 to 50 entries in order, each with an outcome of its own. */
export interface OrderBatch extends CustomerCommand {
  readonly type: 'orderBatch';
  readonly entries: readonly BatchEntry[];
}

export interface CancelOrder extends CustomerCommand {
  readonly type: 'cancelOrder';
  /** 0 when the order is named by origClOrdId alone. */
  readonly orderId: number;
  /** Empty when the order is named by orderId alone. */
  readonly origClOrdId: string;
  /** Id of this request; empty: generated. */
  readonly clOrdId: string;
}

export interface MassCancel extends CustomerCommand {
  readonly type: 'massCancel';
  /** 0: every instrument. */
  readonly securityId: number;
  readonly clOrdId: string;
}

/**
 * Dead man's switch: cancels all orders of the account after `timeout` ms unless renewed; 0
 * disarms.
 */
export interface CancelAllAfter extends CustomerCommand {
  readonly type: 'cancelAllAfter';
  readonly timeout: number;
}

/** The operator cancels orders; at least one of both is named. */
export interface CancelOrders {
  readonly type: 'cancelOrders';
  /** 0: every user. */
  readonly uid: number;
  /** 0: every instrument. */
  readonly securityId: number;
}

export interface CreateUser {
  readonly type: 'createUser';
  readonly kyc: boolean;
}

/** A null field stays as it is. A fee is a rate in 10^-8; −1 returns to the instrument's. */
export interface AmendUser {
  readonly type: 'amendUser';
  readonly uid: number;
  readonly kyc: boolean | null;
  readonly suspended: boolean | null;
  readonly makerFee: number | null;
  readonly takerFee: number | null;
  readonly maxOpenOrders: number | null;
}

export interface CreateAsset {
  readonly type: 'createAsset';
  readonly asset: string;
  readonly scale: number;
  readonly fiat: boolean;
}

export interface CreateInstrument extends NewInstrument {
  readonly type: 'createInstrument';
}

/** A null field stays as it is. */
export interface AmendInstrument extends Nullable<InstrumentTerms> {
  readonly type: 'amendInstrument';
  readonly securityId: number;
}

/** Sets the table of fees by volume, whole; null: there are no tiers. */
export interface SetFeeTiers {
  readonly type: 'setFeeTiers';
  readonly table: FeeTierTable | null;
}

/** Money enters (credit) or leaves (debit) the venue for a customer, once per reference. */
export interface TransferFunds {
  readonly type: 'transferFunds';
  readonly direction: 'credit' | 'debit';
  readonly uid: number;
  readonly assetId: number;
  readonly amount: Amount;
  readonly reference: string;
}

/** Income, or a reserve's surplus, leaves the venue; once per reference. */
export interface WithdrawIncome {
  readonly type: 'withdrawIncome';
  readonly account: IncomeAccount;
  /** The plan of a reserve, the enterprise of margins; otherwise 0. */
  readonly planId: number;
  readonly enterpriseId: number;
  readonly assetId: number;
  readonly amount: Amount;
  readonly reference: string;
}

export interface CreatePlan extends PlanKind, PlanTerms {
  readonly type: 'createPlan';
}

/** Gives a plan its next version of terms, whole; running terms keep theirs. */
export interface AmendPlan extends PlanTerms {
  readonly type: 'amendPlan';
  readonly planId: number;
}

/** Money from outside into the reserve that a plan pays its interest from; once per reference. */
export interface FundReserve {
  readonly type: 'fundReserve';
  readonly planId: number;
  readonly amount: Amount;
  readonly reference: string;
}

export interface CreateEnterprise {
  readonly type: 'createEnterprise';
  readonly name: string;
}

export interface AmendEnterprise {
  readonly type: 'amendEnterprise';
  readonly enterpriseId: number;
  readonly selfTradePrevention: boolean;
}

/** Makes a user a member of an enterprise (0: of none), or its admin. */
export interface AssignEnterprise {
  readonly type: 'assignEnterprise';
  readonly uid: number;
  readonly enterpriseId: number;
  readonly admin: boolean;
}

/** Subscribes to a plan, or adds to the flexible subscription that the user holds of it. */
export interface SubscribePlan extends CustomerCommand {
  readonly type: 'subscribePlan';
  readonly planId: number;
  /** In the plan's coin. */
  readonly amount: Amount;
  /** Days; 0 when it was not given. */
  readonly lockDay: number;
  readonly autoRenew: boolean;
  /** In the booster's coin; null without a booster. */
  readonly boosterAmount: Amount | null;
  /** Add to this subscription and no other; 0 when none is named. */
  readonly applyId: number;
}

export interface RedeemPlan extends CustomerCommand {
  readonly type: 'redeemPlan';
  readonly applyId: number;
  readonly amount: Amount;
}

export interface SetAutoRenew extends CustomerCommand {
  readonly type: 'setAutoRenew';
  /** 0: all of the user's fixed and customized subscriptions. */
  readonly applyId: number;
  readonly autoRenew: boolean;
}

/** An enterprise's admin sets what the enterprise keeps in a plan. */
export interface SetMargin extends CustomerCommand {
  readonly type: 'setMargin';
  readonly planId: number;
  /** Annual rate in 10^-8. */
  readonly margin: number;
}

/**
 * Forgets a slice of a revoked key's signatures; engine/key-memory.ts repeats it until none is
 * left.
 */
interface ForgetKey {
  readonly type: 'forgetKey';
  readonly keyId: number;
}

/** Sandbox only: moves the business clock forward. */
interface AdvanceClock {
  readonly type: 'advanceClock';
  readonly milliseconds: number;
}

/** Does a slice of the work that is due: sweeps, switches, interest days, redemptions. */
interface RunTimers {
  readonly type: 'runTimers';
}

export type Command =
  | PlaceOrder
  | AmendOrder
  | PlaceOco
  | OrderBatch
  | CancelOrder
  | MassCancel
  | CancelAllAfter
  | CancelOrders
  | CreateUser
  | AmendUser
  | CreateAsset
  | CreateInstrument
  | AmendInstrument
  | SetFeeTiers
  | TransferFunds
  | WithdrawIncome
  | CreatePlan
  | AmendPlan
  | FundReserve
  | CreateEnterprise
  | AmendEnterprise
  | AssignEnterprise
  | SubscribePlan
  | RedeemPlan
  | SetAutoRenew
  | SetMargin
  | ForgetKey
  | AdvanceClock
  | RunTimers;

export type CommandType = Command['type'];
