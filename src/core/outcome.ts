// The outcome of a command: its result or its rejection, which an Idempotency-Key repeats.
import type { BatchEntry, Command, CommandType } from './command.ts';
import { type Reject, type RejectName, rejection } from './reject.ts';
import type { Amount } from './units.ts';

/** The name of a request about an open order. */
interface CancelRequest {
  /** The sent one; empty when it follows from the requestId (cl-ord-id.ts). */
  readonly clOrdId: string;
  /** 0 when the caller sent a clOrdId. */
  readonly requestId: number;
}

interface ExternalTransfer {
  readonly transferId: number;
  /** The seq of the command that moved the money, also for a repeated reference. */
  readonly seq: number;
}

type UserId = { readonly uid: number };
type AssetId = { readonly assetId: number };
type InstrumentId = { readonly securityId: number };
type PlanId = { readonly planId: number };
type EnterpriseId = { readonly enterpriseId: number };

export interface Results {
  placeOrder: {
    readonly orderId: number;
    /** The sent one; empty when it follows from the orderId (cl-ord-id.ts). */
    readonly clOrdId: string;
    /** Business time of creation, ms. */
    readonly transactTime: number;
  };
  cancelOrder: CancelRequest & {
    readonly orderId: number;
    /** The sent one; empty when it follows from the orderId. */
    readonly origClOrdId: string;
  };
  amendOrder: CancelRequest & {
    readonly orderId: number;
    /** The sent one; empty when it follows from the orderId. */
    readonly origClOrdId: string;
    readonly transactTime: number;
  };
  placeOco: {
    /** The limit order. */
    readonly orderId: number;
    readonly stopOrderId: number;
    /** The sent one; empty when they follow from the orderIds. */
    readonly clOrdId: string;
    readonly stopClOrdId: string;
    readonly transactTime: number;
  };
  /**
   * The ids that the next order and the next instrument got then: later ones do not change the
   * answer to a repeated batch.
   */
  orderBatch: {
    readonly outcomes: readonly EntryOutcome[];
    readonly nextOrderId: number;
    readonly nextSecurityId: number;
  };
  massCancel: CancelRequest & { readonly canceled: number };
  cancelAllAfter: {
    /** When the switch fires; null when it was disarmed. */
    readonly triggerTime: number | null;
    readonly currentTime: number;
  };
  /** `remaining`: orders that the next commands cancel. */
  cancelOrders: { readonly canceled: number; readonly remaining: number };
  createUser: UserId;
  amendUser: UserId;
  createAsset: AssetId;
  amendAsset: AssetId;
  removeAsset: AssetId;
  createInstrument: InstrumentId;
  amendInstrument: InstrumentId;
  /** The number of tiers. */
  setFeeTiers: { readonly tiers: number };
  transferFunds: ExternalTransfer;
  withdrawIncome: ExternalTransfer;
  createPlan: PlanId;
  amendPlan: PlanId;
  fundReserve: ExternalTransfer;
  createEnterprise: EnterpriseId;
  amendEnterprise: EnterpriseId;
  assignEnterprise: UserId;
  /** `amount`: the amount subscribed or added. */
  subscribePlan: { readonly applyId: number; readonly amount: Amount };
  /** `redemptionId` 0: only interest was left to collect. */
  redeemPlan: { readonly redemptionId: number };
  /** The number of subscriptions that it was set for. */
  setAutoRenew: { readonly subscriptions: number };
  setMargin: PlanId;
  spendSignature: UserId;
  /** `left`: signatures of the key that are still remembered; send the command again. */
  forgetKey: { readonly keyId: number; readonly left: number };
  advanceClock: { readonly now: number };
  /** Orders that switches and sweeps canceled. */
  runTimers: { readonly canceled: number };
}

export type ResultOf<C extends Command> = Results[C['type']];
export type AnyResult = Results[keyof Results];

export type Outcome<R = AnyResult> =
  | { readonly ok: true; readonly result: R; readonly replayed: boolean }
  | { readonly ok: false; readonly reject: Reject; readonly replayed: boolean };

/**
 * In place of the outcome of a command that later commands continue (advance.ts). It is answered
 * when it is done.
 */
export const IN_PROGRESS: Outcome<never> = { ok: true, result: {} as never, replayed: false };

/** The outcome of an entry of a batch. */
export type EntryOutcome = Outcome<Results[BatchEntry['type']]>;

export type OutcomeOf<T extends CommandType> = Outcome<Results[T]>;

export const accepted = <R>(result: R): Outcome<R> => ({
  ok: true,
  result,
  replayed: false,
});

export const rejected = (reject: Reject): Outcome<never> => ({
  ok: false,
  reject,
  replayed: false,
});

/** The outcome of a command that breaks a rule without measures. */
export const rejectedAs = (name: RejectName, field?: string, rule?: string): Outcome<never> =>
  rejected(rejection(name, field, rule));
