// The binary form of commands in the journal. Each command type is one row: its permanent tag, and its fields in
// order with their form. A form that was ever written is never changed: a new version of a command gets a new tag.
import { assert, InvariantError } from '../core/assert.ts';
import { BinaryReader, type BinaryWriter } from '../core/binary.ts';
import type {
  Command,
  CommandType,
  IdempotencyTag,
  Increment,
  WriteSignature,
} from '../core/command.ts';
import type { BoosterTerms } from '../core/earn/plan.ts';
import { FIRST_RULES, RULES } from '../core/rules.ts';
import type { Amount } from '../core/units.ts';

interface Form<T> {
  write(out: BinaryWriter, value: T): void;
  read(input: BinaryReader): T;
}

const integer: Form<number> = {
  write: (out, value) => out.integer(value),
  read: (input) => input.integer(),
};
const byte: Form<number> = {
  write: (out, value) => out.byte(value),
  read: (input) => input.byte(),
};
const boolean: Form<boolean> = {
  write: (out, value) => out.boolean(value),
  read: (input) => input.boolean(),
};
const text: Form<string> = {
  write: (out, value) => out.text(value),
  read: (input) => input.text(),
};
const money: Form<Amount> = {
  write: (out, value) => out.amount(value),
  read: (input) => input.amount(),
};
/** An integer of any sign, as its Amount. */
const signed: Form<number> = {
  write: (out, value) => out.amount(value as Amount),
  read: (input) => input.amount() as number,
};
const increment: Form<Increment> = {
  write(out, value) {
    out.integer(value.mantissa);
    out.byte(value.decimals);
  },
  read: (input) => ({ mantissa: input.integer(), decimals: input.byte() }),
};
const signature: Form<WriteSignature> = {
  write(out, value) {
    out.integer(value.keyId);
    out.integer(value.timestamp);
    out.integer(value.digestHigh);
    out.integer(value.digestLow);
  },
  read: (input) => ({
    keyId: input.integer(),
    timestamp: input.integer(),
    digestHigh: input.integer(),
    digestLow: input.integer(),
  }),
};
const idempotency: Form<IdempotencyTag> = {
  write(out, value) {
    out.text(value.key);
    out.text(value.digest);
  },
  read: (input) => ({ key: input.text(), digest: input.text() }),
};
const booster: Form<BoosterTerms> = {
  write(out, value) {
    out.integer(value.assetId);
    out.integer(value.ratio);
    out.integer(value.rate);
  },
  read: (input) => ({
    assetId: input.integer(),
    ratio: input.integer(),
    rate: input.integer(),
  }),
};
const direction: Form<'credit' | 'debit'> = {
  write: (out, value) => out.byte(value === 'credit' ? 1 : 2),
  read: (input) => (input.byte() === 1 ? 'credit' : 'debit'),
};

/** One byte says whether the value is there. */
function nullable<T>(form: Form<T>): Form<T | null> {
  return {
    write(out, value) {
      out.boolean(value !== null);
      if (value !== null) form.write(out, value);
    },
    read: (input) => (input.boolean() ? form.read(input) : null),
  };
}

/** A form is written for the general number; a field's narrower type is a promise of the writer. */
type FormFor<T> =
  | Form<T>
  | (T extends number ? Form<number> : T extends number | null ? Form<number | null> : never);
type Fields<C> = { readonly [K in Exclude<keyof C, 'type'>]: FormFor<C[K]> };
interface Row<C> {
  readonly tag: number;
  readonly fields: Fields<C>;
}
type Table = { readonly [T in CommandType]: Row<Extract<Command, { type: T }>> };

const signedWrite = {
  uid: integer,
  signature: nullable(signature),
  idempotency: nullable(idempotency),
};

const planTerms = {
  planName: text,
  minRate: integer,
  maxRate: integer,
  userAmountMin: money,
  userAmountMax: money,
  poolCapacity: nullable(money),
  redeemLockHours: integer,
  supportEarlyRedemption: boolean,
  supportAutoRenew: boolean,
  requiresKyc: boolean,
  label: text,
  booster: nullable(booster),
  open: boolean,
};

const TABLE: Table = {
  placeOrder: {
    tag: 1,
    fields: {
      ...signedWrite,
      securityId: integer,
      side: byte,
      ordType: byte,
      price: integer,
      orderQty: integer,
      quoteOrderQty: money,
      postOnly: boolean,
      clOrdId: text,
      strictClOrdId: boolean,
    },
  },
  cancelOrder: {
    tag: 2,
    fields: { ...signedWrite, orderId: integer, origClOrdId: text, clOrdId: text },
  },
  massCancel: { tag: 3, fields: { ...signedWrite, securityId: integer, clOrdId: text } },
  cancelAllAfter: { tag: 4, fields: { ...signedWrite, timeout: integer } },
  cancelOrders: { tag: 22, fields: { uid: integer, securityId: integer } },
  createUser: { tag: 5, fields: { kyc: boolean } },
  amendUser: {
    tag: 6,
    fields: {
      uid: integer,
      kyc: nullable(boolean),
      suspended: nullable(boolean),
      makerFee: nullable(signed),
      takerFee: nullable(signed),
      maxOpenOrders: nullable(integer),
    },
  },
  createAsset: { tag: 7, fields: { asset: text, scale: byte, fiat: boolean } },
  createInstrument: {
    tag: 8,
    fields: {
      symbol: text,
      baseAsset: text,
      quoteAsset: text,
      tick: increment,
      lot: increment,
      minQuantity: integer,
      minNotional: money,
      makerFee: integer,
      takerFee: integer,
      selfTradePrevention: byte,
      priceBand: integer,
      status: byte,
    },
  },
  amendInstrument: {
    tag: 9,
    fields: {
      securityId: integer,
      minQuantity: nullable(integer),
      minNotional: nullable(money),
      makerFee: nullable(integer),
      takerFee: nullable(integer),
      selfTradePrevention: nullable(byte),
      priceBand: nullable(integer),
      status: nullable(byte),
    },
  },
  transferFunds: {
    tag: 10,
    fields: { direction, uid: integer, assetId: integer, amount: money, reference: text },
  },
  withdrawIncome: {
    tag: 24,
    fields: {
      account: byte,
      planId: integer,
      enterpriseId: integer,
      assetId: integer,
      amount: money,
      reference: text,
    },
  },
  createPlan: {
    tag: 13,
    fields: {
      planType: byte,
      assetId: integer,
      minLockDay: integer,
      maxLockDay: integer,
      rewardFrequency: integer,
      autoCompound: boolean,
      ...planTerms,
    },
  },
  amendPlan: { tag: 14, fields: { planId: integer, ...planTerms } },
  fundReserve: { tag: 15, fields: { planId: integer, amount: money, reference: text } },
  createEnterprise: { tag: 16, fields: { name: text } },
  amendEnterprise: {
    tag: 23,
    fields: { enterpriseId: integer, selfTradePrevention: boolean },
  },
  assignEnterprise: { tag: 17, fields: { uid: integer, enterpriseId: integer, admin: boolean } },
  applyPlan: {
    tag: 18,
    fields: {
      ...signedWrite,
      planId: integer,
      amount: money,
      lockDay: integer,
      autoRenew: boolean,
      boosterAmount: nullable(money),
      applyId: integer,
    },
  },
  redeemPlan: { tag: 19, fields: { ...signedWrite, applyId: integer, amount: money } },
  setAutoRenew: { tag: 20, fields: { ...signedWrite, applyId: integer, autoRenew: boolean } },
  setMargin: { tag: 21, fields: { ...signedWrite, planId: integer, margin: integer } },
  forgetKey: { tag: 30, fields: { keyId: integer } },
  advanceClock: { tag: 11, fields: { milliseconds: integer } },
  runTimers: { tag: 12, fields: {} },
};

interface Codec {
  readonly type: CommandType;
  readonly tag: number;
  readonly names: readonly string[];
  readonly forms: readonly Form<unknown>[];
}

const CODECS: readonly Codec[] = Object.entries(TABLE).map(([type, row]) => ({
  type: type as CommandType,
  tag: row.tag,
  names: Object.keys(row.fields),
  forms: Object.values(row.fields) as Form<unknown>[],
}));
const BY_TYPE = new Map(CODECS.map((codec) => [codec.type, codec]));
const BY_TAG: readonly (Codec | undefined)[] = Array.from({ length: 256 }, (_, tag) =>
  CODECS.find((codec) => codec.tag === tag),
);

export interface Batch {
  /** The version of the rules that its commands are applied under. */
  readonly rules: number;
  /** Business time of all commands of the batch, ms. */
  readonly time: number;
  readonly commands: readonly Command[];
}

/** Appends a command to a batch that is being written. */
export function encodeCommand(out: BinaryWriter, command: Command): void {
  const codec = BY_TYPE.get(command.type)!;
  out.byte(codec.tag);
  const { names, forms } = codec;
  const fields = command as unknown as Record<string, unknown>;
  for (let i = 0; i < names.length; i++) forms[i].write(out, fields[names[i]]);
}

/** Starts a batch in an empty writer. */
export function encodeBatchHeader(
  out: BinaryWriter,
  rules: number,
  time: number,
  count: number,
): void {
  out.byte(rules);
  out.integer(time);
  out.integer(count);
}

/** The bytes of a batch under the rules of this release, as a view on the writer's memory. */
export function encodeBatch(out: BinaryWriter, batch: Omit<Batch, 'rules'>): Uint8Array {
  out.reset();
  encodeBatchHeader(out, RULES, batch.time, batch.commands.length);
  for (const command of batch.commands) encodeCommand(out, command);
  return out.view();
}

/** Reads a batch back. Throws InvariantError on bytes that no release up to this one wrote. */
export function decodeBatch(payload: Uint8Array): Batch {
  const input = new BinaryReader(payload);
  const rules = input.byte();
  if (rules < FIRST_RULES || rules > RULES) throw new InvariantError(unknownRules(rules));
  const time = input.integer();
  const count = input.integer();
  const commands: Command[] = [];
  for (let i = 0; i < count; i++) commands.push(decodeCommand(input));
  assert(input.atEnd, 'a batch ends with its last command');
  return { rules, time, commands };
}

const unknownRules = (rules: number): string =>
  `a batch has rules ${FIRST_RULES} to ${RULES}, not ${rules}; a newer agio may have written it`;

function decodeCommand(input: BinaryReader): Command {
  const codec = BY_TAG[input.byte()];
  assert(codec !== undefined, 'a command has a known tag');
  const { names, forms } = codec;
  const fields: Record<string, unknown> = { type: codec.type };
  for (let i = 0; i < names.length; i++) fields[names[i]] = forms[i].read(input);
  return fields as unknown as Command;
}
