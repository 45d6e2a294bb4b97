// Everything that can change the state, with all that apply() needs: resolved ids and core units.
// The edge (contract/) has checked its form; the core decides.
//
// Each command is declared once: its permanent tag and its fields, in the order of their binary
// form. Its type derives from them, and so does its form in journals and snapshots.
import { assert } from './assert.ts';
import {
  boolean,
  byte,
  type Codec,
  code,
  integer,
  list,
  money,
  nullable,
  nullableFields,
  oneOf,
  price,
  quantity,
  type RecordOf,
  record,
  signed,
  text,
  transported,
  type ValueOf,
} from './codec.ts';
import { PLAN_KIND, PLAN_TERMS } from './earn/plan.ts';
import type { SelfTradePrevention, Side, TimeInForce } from './fix.ts';
import { INSTRUMENT_TERMS, NEW_INSTRUMENT } from './instrument.ts';
import type { IncomeAccount } from './ledger/account-code.ts';
import { BRACKET, ORDER_EXTRAS } from './order-extras.ts';
import { ORDER_TERMS } from './order-terms.ts';
import { FEE_TIER_TABLE } from './trading/fee-tiers.ts';
import { USER_TERMS } from './user.ts';

/** The signature that authorized a write: each works once per key (core/replay-guard.ts). */
export type WriteSignature = ValueOf<typeof SIGNATURE>;

export const SIGNATURE = record({
  keyId: integer,
  /** The request's own timestamp, wall clock, ms. */
  timestamp: integer,
  /** The first 64 bits of the signature, as two unsigned 32-bit halves. */
  digestHigh: integer,
  digestLow: integer,
});

/** The caller's Idempotency-Key and a digest of what it was sent with. */
export type IdempotencyTag = ValueOf<typeof IDEMPOTENCY_TAG>;

const IDEMPOTENCY_TAG = record({
  key: text,
  /** Digest of route and body: another body under the same key is rejected. */
  digest: text,
});

const direction = oneOf(['debit', 'credit']);

const customer = {
  uid: integer,
  signature: nullable(SIGNATURE),
  idempotency: nullable(IDEMPOTENCY_TAG),
};

const order = {
  ...ORDER_TERMS,
  /** Reject a clOrdId that an open order of the account already has. */
  strictClOrdId: boolean,
  /** null for an order of v1, and for one whose extras are all as v1 has them. */
  extras: nullable(ORDER_EXTRAS),
};

const cancel = {
  /** 0 when the order is named by origClOrdId alone. */
  orderId: integer,
  /** Empty when the order is named by orderId alone. */
  origClOrdId: text,
  /** Id of this request; empty: generated. */
  clOrdId: text,
};

/** Changes an open order, which keeps its clOrdId; a null field stays as it is. */
const amendment = {
  /** The instrument whose increments the prices and quantities are counted in. */
  securityId: integer,
  ...cancel,
  /** The total quantity, with what is filled. */
  orderQty: nullable(quantity),
  price: nullable(price),
  stopPx: nullable(price),
  /** 0: the whole order is shown. */
  displayQty: nullable(quantity),
  expireTime: nullable(integer),
  /** All exits of an order that has a bracket. */
  bracket: nullable(BRACKET),
};

/** A limit order and a stop of one quantity: the first to trade cancels the other. */
const oco = {
  securityId: integer,
  side: code<Side>(),
  orderQty: quantity,
  /** The price of the limit order. */
  price,
  /** 0: the stop trails from the last price. */
  stopPx: price,
  /** 0: the stop is a market order. */
  stopLimitPx: price,
  /** The `trail` of the stop, as in the extras of an order. */
  trail: signed,
  timeInForce: code<TimeInForce>(),
  /** Business time, ms; 0 unless goodTillDate. */
  expireTime: integer,
  /** null: the instrument's. */
  selfTradePrevention: nullable(code<SelfTradePrevention>()),
  /** Empty: generated. */
  clOrdId: text,
  stopClOrdId: text,
  /** Reject a clOrdId that an open order of the account already has. */
  strictClOrdId: boolean,
};

/** The entries of a batch have the numbers of their commands. */
const ENTRIES = {
  placeOrder: { tag: 1, form: record(order) },
  cancelOrder: { tag: 2, form: record(cancel) },
  amendOrder: { tag: 32, form: record(amendment) },
  placeOco: { tag: 33, form: record(oco) },
} as const;
type EntryType = keyof typeof ENTRIES;
const KNOWN_ENTRIES = Object.entries(ENTRIES);

export type BatchEntry = {
  [T in EntryType]: { readonly type: T } & ValueOf<(typeof ENTRIES)[T]['form']>;
}[EntryType];

const entry = transported<BatchEntry>({
  write(out, value) {
    const { tag, form } = ENTRIES[value.type];
    out.byte(tag);
    (form as Codec<unknown>).write(out, value);
  },
  read(input) {
    const tag = input.byte();
    const found = KNOWN_ENTRIES.find(([, known]) => known.tag === tag);
    assert(found !== undefined, 'an entry of a batch has a known number');
    const [type, { form }] = found;
    // In place: a batch has many entries, and a copy of each costs the core two percent.
    const value: object = form.read(input);
    return Object.assign(value, { type }) as BatchEntry;
  },
});

export const COMMANDS = {
  placeOrder: { tag: 1, fields: { ...customer, ...order } },
  amendOrder: { tag: 32, fields: { ...customer, ...amendment } },
  placeOco: { tag: 33, fields: { ...customer, ...oco } },
  /** 1 to 50 entries in order, each with an outcome of its own. */
  orderBatch: { tag: 34, fields: { ...customer, entries: list(entry) } },
  cancelOrder: { tag: 2, fields: { ...customer, ...cancel } },
  massCancel: {
    tag: 3,
    fields: {
      ...customer,
      /** 0: every instrument. */
      securityId: integer,
      clOrdId: text,
    },
  },
  /** Dead man's switch: cancels all orders of the account after `timeout` ms; 0 disarms. */
  cancelAllAfter: { tag: 4, fields: { ...customer, timeout: integer } },
  /** The operator cancels orders; at least one of both is named. */
  cancelOrders: {
    tag: 22,
    fields: {
      /** 0: every user. */
      uid: integer,
      /** 0: every instrument. */
      securityId: integer,
    },
  },
  createUser: { tag: 5, fields: { kyc: boolean } },
  /** A null field stays as it is. A fee is a rate in 10^-8; −1 returns to the instrument's. */
  amendUser: { tag: 6, fields: { uid: integer, ...nullableFields(USER_TERMS.fields) } },
  createAsset: { tag: 7, fields: { asset: text, scale: byte, fiat: boolean } },
  /** Only for an asset that nothing uses. */
  amendAsset: { tag: 41, fields: { assetId: integer, scale: byte } },
  removeAsset: { tag: 42, fields: { assetId: integer } },
  createInstrument: { tag: 8, fields: NEW_INSTRUMENT.fields },
  /** A null field stays as it is. */
  amendInstrument: {
    tag: 9,
    fields: { securityId: integer, ...nullableFields(INSTRUMENT_TERMS.fields) },
  },
  /** Sets the table of fees by volume, whole; null: there are no tiers. */
  setFeeTiers: { tag: 40, fields: { table: nullable(FEE_TIER_TABLE) } },
  /** Money enters (credit) or leaves (debit) the venue for a customer, once per reference. */
  transferFunds: {
    tag: 10,
    fields: { direction, uid: integer, assetId: integer, amount: money, reference: text },
  },
  /** Income, or a reserve's surplus, leaves the venue; once per reference. */
  withdrawIncome: {
    tag: 24,
    fields: {
      account: code<IncomeAccount>(),
      /** The plan of a reserve, the enterprise of margins; otherwise 0. */
      planId: integer,
      enterpriseId: integer,
      assetId: integer,
      amount: money,
      reference: text,
    },
  },
  createPlan: { tag: 13, fields: { ...PLAN_KIND.fields, ...PLAN_TERMS.fields } },
  /** Gives a plan its next version of terms, whole; running terms keep theirs. */
  amendPlan: { tag: 14, fields: { planId: integer, ...PLAN_TERMS.fields } },
  /** Money from outside into the reserve that pays a plan's interest; once per reference. */
  fundReserve: { tag: 15, fields: { planId: integer, amount: money, reference: text } },
  createEnterprise: { tag: 16, fields: { name: text } },
  amendEnterprise: { tag: 23, fields: { enterpriseId: integer, selfTradePrevention: boolean } },
  /** Makes a user a member of an enterprise (0: of none), or its admin. */
  assignEnterprise: { tag: 17, fields: { uid: integer, enterpriseId: integer, admin: boolean } },
  /** Subscribes to a plan, or adds to the flexible subscription that the user holds of it. */
  subscribePlan: {
    tag: 18,
    fields: {
      ...customer,
      planId: integer,
      /** In the plan's coin. */
      amount: money,
      /** Days; 0 when it was not given. */
      lockDay: integer,
      autoRenew: boolean,
      /** In the booster's coin; null without a booster. */
      boosterAmount: nullable(money),
      /** Add to this subscription and no other; 0 when none is named. */
      applyId: integer,
    },
  },
  redeemPlan: { tag: 19, fields: { ...customer, applyId: integer, amount: money } },
  setAutoRenew: {
    tag: 20,
    fields: {
      ...customer,
      /** 0: all of the user's fixed and customized subscriptions. */
      applyId: integer,
      autoRenew: boolean,
    },
  },
  /** An enterprise's admin sets what the enterprise keeps in a plan, an annual rate in 10^-8. */
  setMargin: { tag: 21, fields: { ...customer, planId: integer, margin: integer } },
  /** Spends a signature that opens a session, or could open one. It has no other effect. */
  spendSignature: { tag: 44, fields: customer },
  /** Forgets a slice of a revoked key's signatures; engine/key-memory.ts repeats it. */
  forgetKey: { tag: 30, fields: { keyId: integer } },
  /** Sandbox only: moves the business clock forward. */
  advanceClock: { tag: 11, fields: { milliseconds: integer } },
  /** Does a slice of the work that is due: sweeps, switches, interest days, redemptions. */
  runTimers: { tag: 12, fields: {} },
};

export type CommandType = keyof typeof COMMANDS;

type CommandOf<T extends CommandType> = { readonly type: T } & RecordOf<
  (typeof COMMANDS)[T]['fields']
>;

export type Command = { [T in CommandType]: CommandOf<T> }[CommandType];

export type PlaceOrder = CommandOf<'placeOrder'>;
export type AmendOrder = CommandOf<'amendOrder'>;
export type PlaceOco = CommandOf<'placeOco'>;
export type OrderBatch = CommandOf<'orderBatch'>;
export type CancelOrder = CommandOf<'cancelOrder'>;
export type MassCancel = CommandOf<'massCancel'>;
export type CancelAllAfter = CommandOf<'cancelAllAfter'>;
export type CancelOrders = CommandOf<'cancelOrders'>;
export type CreateUser = CommandOf<'createUser'>;
export type AmendUser = CommandOf<'amendUser'>;
export type CreateAsset = CommandOf<'createAsset'>;
export type AmendAsset = CommandOf<'amendAsset'>;
export type RemoveAsset = CommandOf<'removeAsset'>;
export type CreateInstrument = CommandOf<'createInstrument'>;
export type AmendInstrument = CommandOf<'amendInstrument'>;
export type SetFeeTiers = CommandOf<'setFeeTiers'>;
export type TransferFunds = CommandOf<'transferFunds'>;
export type WithdrawIncome = CommandOf<'withdrawIncome'>;
export type CreatePlan = CommandOf<'createPlan'>;
export type AmendPlan = CommandOf<'amendPlan'>;
export type FundReserve = CommandOf<'fundReserve'>;
export type CreateEnterprise = CommandOf<'createEnterprise'>;
export type AmendEnterprise = CommandOf<'amendEnterprise'>;
export type AssignEnterprise = CommandOf<'assignEnterprise'>;
export type SubscribePlan = CommandOf<'subscribePlan'>;
export type RedeemPlan = CommandOf<'redeemPlan'>;
export type SetAutoRenew = CommandOf<'setAutoRenew'>;
export type SetMargin = CommandOf<'setMargin'>;
