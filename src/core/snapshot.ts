// The whole state as bytes, and back. A snapshot holds facts, not memory layout: slots, levels and
// indexes are rebuilt from the orders, so a snapshot outlives changes of these structures.
import { assert } from './assert.ts';
import { BinaryReader, BinaryWriter } from './binary.ts';
import { integer, nullable, price, readAll, record, writeAll } from './codec.ts';
import { SWITCH } from './dead-man-switch.ts';
import { readEarn, writeEarn } from './earn/earn-snapshot.ts';
import type { Side } from './fix.ts';
import { ASSET, createInstrument, NEW_INSTRUMENT } from './instrument.ts';
import { LEDGER_ACCOUNT } from './ledger/ledger.ts';
import { RECORDED_TRANSFER } from './ledger/references.ts';
import { MATCH_FACTS, matchFacts, readMatchings } from './matching/matching.ts';
import { ORDER_DETAILS } from './matching/order-details.ts';
import { NONE } from './matching/order-store.ts';
import { PENDING_COMMAND } from './pending.ts';
import { REMEMBERED_SIGNATURE, SIGNATURE_FLOOR } from './replay-guard.ts';
import { COUNTERS, State } from './state.ts';
import { queueOrders, readDue, writeDue } from './trading/due-snapshot.ts';
import { DAY_VOLUME, FEE_TIER_TABLE } from './trading/fee-tiers.ts';
import { SWEEP } from './trading/sweeps.ts';
import { TRAIL_SEGMENT } from './trading/trailing-stops.ts';
import { DIRECTIONS } from './trading/trigger-book.ts';
import { type Amount, lots, ticks } from './units.ts';
import { hashUser, USER } from './user.ts';

/** Raise it with a change of the format. A node rebuilds a snapshot of another format. */
const FORMAT = 3;

/** A release of another format wrote it. */
export class SnapshotFormatError extends Error {
  override readonly name = 'SnapshotFormatError';

  constructor(part: string, found: number, known: number) {
    super(`the format of its ${part} is ${found}, and this release has ${known}`);
  }
}

const CLOCK = record({ seq: integer, time: integer, clockOffset: integer });

/** The part of an instrument that trading changes. */
const MARKET = record({ lastPrice: price, updateId: integer });

/** null for a plain order. */
const DETAILS = nullable(ORDER_DETAILS);

const FEE_TIERS = nullable(FEE_TIER_TABLE);

/** null in the place of a removed asset. */
const ASSETS = nullable(ASSET);

export function snapshot(state: State): Uint8Array {
  const { pending, guard, feeTiers } = state;
  const out = new BinaryWriter(1 << 16);
  out.integer(FORMAT);
  CLOCK.write(out, state);
  COUNTERS.write(out, state.next);
  writeAll(
    out,
    ASSETS,
    state.assets.map((asset) => asset ?? null),
  );
  writeInstruments(out, state);
  const users = state.users.filter((user) => user !== undefined);
  writeAll(out, USER, users);
  const accounts = [...state.ledger.accounts()].filter(({ balance }) => balance !== 0);
  writeAll(out, LEDGER_ACCOUNT, accounts);
  writeOrders(out, state);
  writeAll(out, MATCH_FACTS, matchFacts(state.orders, state.matches));
  writeDue(out, state);
  writeAll(out, PENDING_COMMAND, pending.all);
  writeAll(out, SIGNATURE_FLOOR, guard.keys());
  out.integer(guard.count);
  for (const each of guard.signatures()) REMEMBERED_SIGNATURE.write(out, each);
  guard.trace.write(out);
  state.outcomes.write(out);
  writeAll(out, RECORDED_TRANSFER, [...state.references.all()]);
  writeAll(out, SWITCH, state.switches.all());
  writeAll(out, SWEEP, state.sweeps.pending);
  writeEarn(out, state.earn);
  FEE_TIERS.write(out, feeTiers.table);
  writeAll(out, DAY_VOLUME, [...feeTiers.volumes()]);
  return out.view();
}

/** Fills an empty state with the facts of a snapshot. */
export function restore(bytes: Uint8Array, state = new State()): State {
  const { assets, users, switches, guard, feeTiers } = state;
  const input = new BinaryReader(bytes);
  const format = input.integer();
  if (format !== FORMAT) throw new SnapshotFormatError('state', format, FORMAT);
  Object.assign(state, CLOCK.read(input));
  Object.assign(state.next, COUNTERS.read(input));
  readAll(input, ASSETS, (asset) =>
    assets.push(asset === null ? undefined : { assetId: assets.length, ...asset }),
  );
  const updateIds = readInstruments(input, state);
  readAll(input, USER, (facts) => {
    const user = { uid: users.length, ...facts };
    users.push(user);
    hashUser(state.hash, user);
    state.hash.add();
  });
  readAll(input, LEDGER_ACCOUNT, (account) => state.ledger.restore(account));
  const slots = readOrders(input, state);
  restoreMatchings(input, state);
  queueOrders(state, slots, readDue(input, state));
  readAll(input, PENDING_COMMAND, (one) => state.pending.add(one));
  for (const instrument of state.instruments) {
    if (instrument !== undefined) instrument.book.updateId = updateIds[instrument.securityId];
  }
  readAll(input, SIGNATURE_FLOOR, ({ keyId, floor }) => guard.restoreFloor(keyId, floor));
  readAll(input, REMEMBERED_SIGNATURE, (signature) => guard.restore(signature));
  guard.trace.read(input);
  state.outcomes.read(input);
  readAll(input, RECORDED_TRANSFER, (transfer) => state.references.record(transfer));
  readAll(input, SWITCH, ({ uid, deadline }) => switches.arm(uid, deadline));
  readAll(input, SWEEP, (sweep) => state.sweeps.add(sweep));
  readEarn(input, state.earn);
  feeTiers.set(FEE_TIERS.read(input), assets);
  readAll(input, DAY_VOLUME, (volume) => feeTiers.restore(volume));
  assert(input.atEnd, 'a snapshot ends with its last fact');
  return state;
}

function restoreMatchings(input: BinaryReader, { orders, instruments, matching }: State): void {
  const perTickLotOf = (securityId: number): Amount => instruments[securityId]!.perTickLot;
  readMatchings(input, orders, perTickLotOf, (securityId, match) => {
    const instrument = instruments[securityId]!;
    instrument.matching = match;
    matching.push(instrument);
  });
}

function writeInstruments(out: BinaryWriter, state: State): void {
  const instruments = state.instruments.filter((instrument) => instrument !== undefined);
  out.integer(instruments.length);
  for (const instrument of instruments) {
    const { base, quote, lastPrice, book } = instrument;
    const names = { baseAsset: base.name, quoteAsset: quote.name };
    NEW_INSTRUMENT.write(out, { ...instrument, ...names });
    MARKET.write(out, { lastPrice, updateId: book.updateId });
    for (const direction of DIRECTIONS) {
      writeAll(out, TRAIL_SEGMENT, instrument.triggers.of(direction).trailing.segments);
    }
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
    const instrument = createInstrument(securityId, terms, base, quote, state);
    const { lastPrice, updateId } = MARKET.read(input);
    instrument.lastPrice = ticks(lastPrice);
    for (const direction of DIRECTIONS) {
      const { trailing } = instrument.triggers.of(direction);
      readAll(input, TRAIL_SEGMENT, ({ best, first }) => trailing.restore(best, first));
    }
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
function readOrders(input: BinaryReader, { orders }: State): number[] {
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
    const details = DETAILS.read(input);
    const terms = { uid, securityId, side, price, orderQty, postOnly, clOrdId };
    slots.push(orders.add({ terms, orderId, cumQty, cumQuote, details }, createTime));
  }
  return slots.sort((a, b) => orders.priority(a) - orders.priority(b));
}
