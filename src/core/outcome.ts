// The outcome of a command: the answer that the caller gets, and that an Idempotency-Key repeats.
import type { Command } from './command.ts';
import type { Reject } from './reject.ts';
import type { Amount } from './units.ts';

export interface OrderPlaced {
  readonly orderId: number;
  /** As given; empty when it follows from the orderId (cl-ord-id.ts). */
  readonly clOrdId: string;
  /** Business time of creation, ms. */
  readonly transactTime: number;
}

/** The name of a cancel request. */
interface RequestName {
  /** As given; empty when it follows from the requestId (cl-ord-id.ts). */
  readonly clOrdId: string;
  /** 0 when a clOrdId was given. */
  readonly requestId: number;
}

export interface CancelAccepted extends RequestName {
  readonly orderId: number;
  /** As given; empty when it follows from the orderId. */
  readonly origClOrdId: string;
}

export interface MassCancelAccepted extends RequestName {
  readonly canceled: number;
}

export interface OrdersCanceled {
  readonly canceled: number;
  /** More than one command may cancel: the next ones cancel these. */
  readonly remaining: number;
}

export interface CancelAllAfterSet {
  /** When the switch fires; null when it was disarmed. */
  readonly triggerTime: number | null;
  readonly currentTime: number;
}

export interface UserCreated {
  readonly uid: number;
}

export interface AssetCreated {
  readonly assetId: number;
}

export interface InstrumentAccepted {
  readonly securityId: number;
}

export interface FundsAccepted {
  readonly transferId: number;
  /** The seq of the command that moved the money, also when the same reference came again. */
  readonly seq: number;
}

export interface KeyForgotten {
  readonly keyId: number;
  /** Signatures of the key that are still remembered: send the command again. */
  readonly left: number;
}

export interface ClockAdvanced {
  readonly now: number;
}

export interface PlanAccepted {
  readonly planId: number;
}

export interface EnterpriseCreated {
  readonly enterpriseId: number;
}

export interface PlanSubscribed {
  readonly applyId: number;
  /** The amount subscribed or added. */
  readonly amount: Amount;
}

export interface RedemptionAccepted {
  /** 0 when only interest was left to collect. */
  readonly redemptionId: number;
}

export interface AutoRenewSet {
  /** Subscriptions that it was set for. */
  readonly subscriptions: number;
}

/** The result of each command type. */
export interface Results {
  placeOrder: OrderPlaced;
  cancelOrder: CancelAccepted;
  massCancel: MassCancelAccepted;
  cancelAllAfter: CancelAllAfterSet;
  cancelOrders: OrdersCanceled;
  createUser: UserCreated;
  amendUser: UserCreated;
  createAsset: AssetCreated;
  createInstrument: InstrumentAccepted;
  amendInstrument: InstrumentAccepted;
  transferFunds: FundsAccepted;
  withdrawIncome: FundsAccepted;
  createPlan: PlanAccepted;
  amendPlan: PlanAccepted;
  fundReserve: FundsAccepted;
  createEnterprise: EnterpriseCreated;
  amendEnterprise: EnterpriseCreated;
  assignEnterprise: UserCreated;
  subscribePlan: PlanSubscribed;
  redeemPlan: RedemptionAccepted;
  setAutoRenew: AutoRenewSet;
  setMargin: PlanAccepted;
  forgetKey: KeyForgotten;
  advanceClock: ClockAdvanced;
  runTimers: TimersRun;
}

export interface TimersRun {
  /** Orders that switches and sweeps canceled. */
  readonly canceled: number;
}

export type ResultOf<C extends Command> = Results[C['type']];
export type AnyResult = Results[keyof Results];

export type Outcome<R extends AnyResult = AnyResult> =
  | { readonly ok: true; readonly result: R; readonly replayed: boolean }
  | { readonly ok: false; readonly reject: Reject; readonly replayed: boolean };

export const accepted = <R extends AnyResult>(result: R): Outcome<R> => ({
  ok: true,
  result,
  replayed: false,
});

export const rejected = (reject: Reject): Outcome<never> => ({
  ok: false,
  reject,
  replayed: false,
});
