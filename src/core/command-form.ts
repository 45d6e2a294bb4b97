// The binary form of commands, in the journal and in snapshots. Each command type is one row: its
// permanent tag and its fields in order. A form that a release wrote never changes: a new version
// of a command gets a new tag.
import { assert } from './assert.ts';
import type { BinaryReader, BinaryWriter } from './binary.ts';
import {
  boolean,
  byte,
  type Codec,
  type FieldCodecs,
  integer,
  money,
  nullable,
  nullableFields,
  record,
  signed,
  text,
} from './codec.ts';
import type {
  BatchEntry,
  Command,
  CommandType,
  IdempotencyTag,
  WriteSignature,
} from './command.ts';
import { PLAN_KIND, PLAN_TERMS } from './earn/plan.ts';
import { INSTRUMENT_TERMS, NEW_INSTRUMENT } from './instrument.ts';
import { ORDER_EXTRAS } from './order-extras.ts';
import { FEE_TIER_TABLE } from './trading/fee-tiers.ts';

const signature = record<WriteSignature>({
  keyId: integer,
  timestamp: integer,
  digestHigh: integer,
  digestLow: integer,
});

const idempotency = record<IdempotencyTag>({ key: text, digest: text });

const DIRECTION_CODES = { credit: 1, debit: 2 } as const;
const direction: Codec<'credit' | 'debit'> = {
  write: (out, value) => out.byte(DIRECTION_CODES[value]),
  read: (input) => (input.byte() === DIRECTION_CODES.credit ? 'credit' : 'debit'),
  mix: (hash, value) => hash.number(DIRECTION_CODES[value]),
};

const terms = {
  securityId: integer,
  side: byte,
  ordType: byte,
  price: integer,
  orderQty: integer,
  quoteOrderQty: money,
  postOnly: boolean,
  clOrdId: text,
  strictClOrdId: boolean,
  extras: nullable(ORDER_EXTRAS),
};
const cancel = { orderId: integer, origClOrdId: text, clOrdId: text };
const amendment = {
  securityId: integer,
  orderId: integer,
  origClOrdId: text,
  clOrdId: text,
  orderQty: nullable(integer),
  price: nullable(integer),
  stopPx: nullable(integer),
  displayQty: nullable(integer),
  expireTime: nullable(integer),
};
const ocoTerms = {
  securityId: integer,
  side: byte,
  orderQty: integer,
  price: integer,
  stopPx: integer,
  stopLimitPx: integer,
  timeInForce: byte,
  expireTime: integer,
  selfTradePrevention: nullable(byte),
  clOrdId: text,
  stopClOrdId: text,
  strictClOrdId: boolean,
};

/** The forms of a batch's entries by their permanent numbers, which are those of their commands. */
const ENTRIES = [
  { number: 1, type: 'placeOrder', form: record(terms) },
  { number: 2, type: 'cancelOrder', form: record(cancel) },
  { number: 32, type: 'amendOrder', form: record(amendment) },
  { number: 33, type: 'placeOco', form: record(ocoTerms) },
] as const;

const entries: Codec<readonly BatchEntry[]> = {
  write(out, values) {
    out.integer(values.length);
    for (const value of values) {
      const { number, form } = ENTRIES.find(({ type }) => type === value.type)!;
      out.byte(number);
      (form as Codec<unknown>).write(out, value);
    }
  },
  read(input) {
    const values: BatchEntry[] = [];
    for (let rest = input.integer(); rest > 0; rest--) {
      const number = input.byte();
      const entry = ENTRIES.find((known) => known.number === number);
      assert(entry !== undefined, 'an entry of a batch has a known number');
      values.push({ type: entry.type, ...entry.form.read(input) } as unknown as BatchEntry);
    }
    return values;
  },
  mix: () => {},
};

interface Row<C> {
  readonly tag: number;
  readonly fields: FieldCodecs<Omit<C, 'type'>>;
}
type Table = { readonly [T in CommandType]: Row<Extract<Command, { type: T }>> };

const signedWrite = {
  uid: integer,
  signature: nullable(signature),
  idempotency: nullable(idempotency),
};

const TABLE: Table = {
  placeOrder: { tag: 1, fields: { ...signedWrite, ...terms } },
  amendOrder: { tag: 32, fields: { ...signedWrite, ...amendment } },
  placeOco: { tag: 33, fields: { ...signedWrite, ...ocoTerms } },
  orderBatch: { tag: 34, fields: { ...signedWrite, entries } },
  cancelOrder: { tag: 2, fields: { ...signedWrite, ...cancel } },
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
  createInstrument: { tag: 8, fields: NEW_INSTRUMENT.fields },
  amendInstrument: {
    tag: 9,
    fields: { securityId: integer, ...nullableFields(INSTRUMENT_TERMS.fields) },
  },
  setFeeTiers: { tag: 40, fields: { table: nullable(FEE_TIER_TABLE) } },
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
  createPlan: { tag: 13, fields: { ...PLAN_KIND.fields, ...PLAN_TERMS.fields } },
  amendPlan: { tag: 14, fields: { planId: integer, ...PLAN_TERMS.fields } },
  fundReserve: { tag: 15, fields: { planId: integer, amount: money, reference: text } },
  createEnterprise: { tag: 16, fields: { name: text } },
  amendEnterprise: { tag: 23, fields: { enterpriseId: integer, selfTradePrevention: boolean } },
  assignEnterprise: { tag: 17, fields: { uid: integer, enterpriseId: integer, admin: boolean } },
  subscribePlan: {
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

interface CommandCodec {
  readonly type: CommandType;
  readonly tag: number;
  readonly names: readonly string[];
  readonly codecs: readonly Codec<unknown>[];
}

const codecOf = (type: CommandType, tag: number, fields: object): CommandCodec => ({
  type,
  tag,
  names: Object.keys(fields),
  codecs: Object.values(fields) as Codec<unknown>[],
});

const CODECS: readonly CommandCodec[] = Object.entries(TABLE).map(([type, { tag, fields }]) =>
  codecOf(type as CommandType, tag, fields),
);
const BY_TYPE = new Map(CODECS.map((codec) => [codec.type, codec]));
const BY_TAG: readonly (CommandCodec | undefined)[] = Array.from({ length: 256 }, (_, tag) =>
  CODECS.find((codec) => codec.tag === tag),
);

export function encodeCommand(out: BinaryWriter, command: Command): void {
  const { tag, names, codecs } = BY_TYPE.get(command.type)!;
  out.byte(tag);
  const fields = command as unknown as Record<string, unknown>;
  for (let i = 0; i < names.length; i++) codecs[i].write(out, fields[names[i]]);
}

export function decodeCommand(input: BinaryReader): Command {
  const codec = BY_TAG[input.byte()];
  assert(codec !== undefined, 'a command has a known tag');
  const { names, codecs } = codec;
  const fields: Record<string, unknown> = { type: codec.type };
  for (let i = 0; i < names.length; i++) fields[names[i]] = codecs[i].read(input);
  return fields as unknown as Command;
}

export const COMMAND: Codec<Command> = {
  write: encodeCommand,
  read: decodeCommand,
  mix: () => {},
};
