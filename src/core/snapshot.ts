// The whole state as bytes, and back. A snapshot holds facts, not memory layout: slots, levels and
// indexes are rebuilt from the orders, so a snapshot outlives changes of these structures.
import { assert } from './assert.ts';
import { BinaryReader, BinaryWriter } from './binary.ts';
import { byte, integer, money, nullable, readAll, record, signed, writeAll } from './codec.ts';
import { readEarn, writeEarn } from './earn/earn-snapshot.ts';
import type { Side } from './fix.ts';
import { STORED_ANSWER, type StoredAnswer } from './idempotency.ts';
import { ASSET, createInstrument, NEW_INSTRUMENT } from './instrument.ts';
import type { HashSeed } from './keyed-hash.ts';
import type { LedgerAccount } from './ledger/ledger.ts';
import { RECORDED_TRANSFER } from './ledger/references.ts';
import { ORDER_DETAILS } from './matching/order-details.ts';
import { NONE } from './matching/order-store.ts';
import { SIGNATURE_FLOOR } from './replay-guard.ts';
import { COUNTERS, State } from './state.ts';
import { queueOrders, readDue, writeDue } from './trading/due-snapshot.ts';
import { DAY_VOLUME, FEE_TIER_TABLE } from './trading/fee-tiers.ts';
import { SWEEP } from './trading/sweeps.ts';
import { lots, type Ticks, ticks } from './units.ts';
import { hashUser, USER } from './user.ts';

/** Grows with every change of the format. Every released format stays readable. */
const FORMAT = 4;
const OLDEST_FORMAT = 2;
const FORMAT_OF_FEE_TIERS = 4;
/** The first format with details of orders, and with the due queue. */
const FORMAT_OF_DETAILS = 4;

const CLOCK = record<Pick<State, 'seq' | 'time' | 'clockOffset'>>({
  seq: integer,
  time: integer,
  clockOffset: integer,
});

/** Owners of the venue's own accounts are negative. */
const ACCOUNT = record<LedgerAccount>({
  owner: signed,
  assetId: integer,
  code: byte,
  balance: money,
});

/** The part of an instrument that trading changes. */
const MARKET = record<{ readonly lastPrice: Ticks; readonly updateId: number }>({
  lastPrice: integer,
  updateId: integer,
});

/** null for a plain order. */
const DETAILS = nullable(ORDER_DETAILS);

const SWITCH = record<{ readonly uid: number; readonly deadline: number }>({
  uid: integer,
  deadline: integer,
});

export function snapshot(state: State): Uint8Array {
  const out = new BinaryWriter(1 << 16);
  out.integer(FORMAT);
  CLOCK.write(out, state);
  COUNTERS.write(out, state.next);
  writeAll(out, ASSET, state.assets);
  writeInstruments(out, state);
  const users = state.users.filter((user) => user !== undefined);
  writeAll(out, USER, users);
  const accounts = [...state.ledger.accounts()].filter(({ balance }) => balance !== 0);
  writeAll(out, ACCOUNT, accounts);
  writeOrders(out, state);
  writeDue(out, state);
  writeGuard(out, state);
  out.integer(state.answers.count);
  for (const answer of state.answers.all()) STORED_ANSWER.write(out, answer);
  writeAll(out, RECORDED_TRANSFER, [...state.references.all()]);
  const switches = state.switches.all().map(([uid, deadline]) => ({ uid, deadline }));
  writeAll(out, SWITCH, switches);
  writeAll(out, SWEEP, state.sweeps.pending);
  writeEarn(out, state.earn);
  writeFeeTiers(out, state);
  return out.view();
}

export function restore(bytes: Uint8Array, seed?: HashSeed): State {
  const state = new State(seed);
  const { assets, users, ledger, references, switches, sweeps } = state;
  const input = new BinaryReader(bytes);
  const format = input.integer();
  assert(format >= OLDEST_FORMAT && format <= FORMAT, 'a snapshot has a known format');
  Object.assign(state, CLOCK.read(input));
  Object.assign(state.next, COUNTERS.read(input));
  readAll(input, ASSET, (asset) => assets.push({ assetId: assets.length, ...asset }));
  const updateIds = readInstruments(input, state);
  readAll(input, USER, (facts) => {
    const user = { uid: users.length, ...facts };
    users.push(user);
    hashUser(state.hash, user);
    state.hash.add();
  });
  readAll(input, ACCOUNT, (account) => ledger.restore(account));
  const slots = readOrders(input, format, state);
  queueOrders(state, slots, format < FORMAT_OF_DETAILS ? new Map() : readDue(input, state));
  for (const instrument of state.instruments) {
    if (instrument !== undefined) instrument.book.updateId = updateIds[instrument.securityId];
  }
  if (format === OLDEST_FORMAT) readGuardByKey(input, state);
  else readGuard(input, state);
  readAnswers(input, format, state);
  readAll(input, RECORDED_TRANSFER, (transfer) => references.record(transfer));
  readAll(input, SWITCH, ({ uid, deadline }) => switches.arm(uid, deadline));
  readAll(input, SWEEP, (sweep) => sweeps.add(sweep));
  readEarn(input, state.earn, format);
  if (format >= FORMAT_OF_FEE_TIERS) readFeeTiers(input, state);
  assert(input.atEnd, 'a snapshot ends with its last fact');
  return state;
}

const TABLE = nullable(FEE_TIER_TABLE);

function writeFeeTiers(out: BinaryWriter, { feeTiers }: State): void {
  TABLE.write(out, feeTiers.table);
  writeAll(out, DAY_VOLUME, [...feeTiers.volumes()]);
}

function readFeeTiers(input: BinaryReader, { assets, feeTiers }: State): void {
  feeTiers.set(TABLE.read(input), assets);
  readAll(input, DAY_VOLUME, (volume) => feeTiers.restore(volume));
}

function writeInstruments(out: BinaryWriter, state: State): void {
  const instruments = state.instruments.filter((instrument) => instrument !== undefined);
  out.integer(instruments.length);
  for (const instrument of instruments) {
    const { base, quote, lastPrice, book } = instrument;
    const names = { baseAsset: base.name, quoteAsset: quote.name };
    NEW_INSTRUMENT.write(out, { ...instrument, ...names });
    MARKET.write(out, { lastPrice, updateId: book.updateId });
  }
}

/** Returns the books' updateIds by securityId: entering the orders raises them. */
function readInstruments(input: BinaryReader, state: State): number[] {
  const updateIds: number[] = [];
  readAll(input, NEW_INSTRUMENT, (terms) => {
    const securityId = state.instruments.length;
    const base = state.assetNamed(terms.baseAsset);
    const quote = state.assetNamed(terms.quoteAsset);
    assert(base !== undefined && quote !== undefined, 'an instrument trades listed assets');
    const instrument = createInstrument(securityId, terms, base, quote, state.orders);
    const { lastPrice, updateId } = MARKET.read(input);
    instrument.lastPrice = ticks(lastPrice);
    updateIds[securityId] = updateId;
    state.list(instrument);
  });
  return updateIds;
}

/** By orderId: the order in which their owners placed them. */
function writeOrders(out: BinaryWriter, { orders, users }: State): void {
  const slots: number[] = [];
  for (let uid = 1; uid < users.length; uid++) {
    for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
      slots.push(slot);
    }
  }
  slots.sort((a, b) => orders.orderId(a) - orders.orderId(b));
  out.integer(slots.length);
  for (const slot of slots) {
    out.integer(orders.orderId(slot));
    out.integer(orders.uid(slot));
    out.integer(orders.securityId(slot));
    out.byte(orders.side(slot));
    out.integer(orders.price(slot));
    out.integer(orders.orderQty(slot));
    out.integer(orders.cumQty(slot));
    out.amount(orders.cumQuote(slot));
    out.integer(orders.createTime(slot));
    out.boolean(orders.postOnly(slot));
    out.text(orders.givenClOrdId(slot));
    DETAILS.write(out, orders.details(slot));
  }
}

/** Returns the slots in order of priority, which is their order in every queue. */
function readOrders(input: BinaryReader, format: number, { orders }: State): number[] {
  const slots: number[] = [];
  for (let rest = input.integer(); rest > 0; rest--) {
    const orderId = input.integer();
    const uid = input.integer();
    const securityId = input.integer();
    const side = input.byte() as Side;
    const price = ticks(input.integer());
    const orderQty = lots(input.integer());
    const cumQty = lots(input.integer());
    const cumQuote = input.amount();
    const createTime = input.integer();
    const postOnly = input.boolean();
    const clOrdId = input.text();
    const details = format < FORMAT_OF_DETAILS ? null : DETAILS.read(input);
    const terms = { uid, securityId, side, price, orderQty, postOnly, clOrdId };
    slots.push(orders.add({ terms, orderId, cumQty, cumQuote, details }, createTime));
  }
  return slots.sort((a, b) => orders.priority(a) - orders.priority(b));
}

function writeGuard(out: BinaryWriter, { guard }: State): void {
  writeAll(out, SIGNATURE_FLOOR, guard.keys());
  out.integer(guard.count);
  for (const signature of guard.signatures()) {
    out.integer(signature.keyId);
    out.integer(signature.uid);
    out.integer(signature.digestHigh);
    out.integer(signature.digestLow);
    out.integer(signature.timestamp);
    out.integer(signature.arrival);
  }
}

function readGuard(input: BinaryReader, { guard }: State): void {
  readAll(input, SIGNATURE_FLOOR, ({ keyId, floor }) => guard.restoreFloor(keyId, floor));
  for (let rest = input.integer(); rest > 0; rest--) {
    guard.restore({
      keyId: input.integer(),
      uid: input.integer(),
      digestHigh: input.integer(),
      digestLow: input.integer(),
      timestamp: input.integer(),
      arrival: input.integer(),
    });
  }
}

/** Format 2 has the signatures of each key, without account and arrival. */
const SIGNATURE_OF_KEY = record<Record<'digestHigh' | 'digestLow' | 'timestamp', number>>({
  digestHigh: integer,
  digestLow: integer,
  timestamp: integer,
});

function readGuardByKey(input: BinaryReader, { guard }: State): void {
  readAll(input, SIGNATURE_FLOOR, ({ keyId, floor }) => {
    guard.restoreFloor(keyId, floor);
    readAll(input, SIGNATURE_OF_KEY, (signature) =>
      guard.restore({ ...signature, keyId, uid: 0, arrival: 0 }),
    );
  });
}

/** In order of arrival. Format 2 does not keep this order, which is that of the seqs. */
function readAnswers(input: BinaryReader, format: number, { answers }: State): void {
  if (format !== OLDEST_FORMAT) {
    readAll(input, STORED_ANSWER, (answer) => answers.restore(answer));
    return;
  }
  const unordered: StoredAnswer[] = [];
  readAll(input, STORED_ANSWER, (answer) => unordered.push(answer));
  for (const answer of unordered.sort((a, b) => a.seq - b.seq)) answers.restore(answer);
}
