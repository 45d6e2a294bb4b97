// The whole state as bytes, and back. A snapshot holds facts, not memory layout: slots, levels and indexes are built
// again from the orders, so a snapshot outlives changes of the structures that hold them.

import { assert } from './assert.ts';
import type { Asset } from './asset.ts';
import { BinaryReader, BinaryWriter, readList, writeList } from './binary.ts';
import { readEarn, writeEarn } from './earn/earn-snapshot.ts';
import type { CloseReason, InstrumentStatus, SelfTradePrevention, Side } from './fix.ts';
import type { StoredAnswer } from './idempotency.ts';
import { createInstrument, type Instrument } from './instrument.ts';
import type { HashSeed } from './keyed-hash.ts';
import type { AccountCode } from './ledger/account-code.ts';
import { NONE } from './matching/order-store.ts';
import { outcomeOfText, textOfOutcome } from './outcome-form.ts';
import { present } from './present.ts';
import { State } from './state.ts';
import type { Amount, Lots, Ticks } from './units.ts';
import { hashUser } from './user.ts';

/** Grows with every change of the form; older forms are read as long as a release wrote them. */
const FORMAT = 3;
/** The oldest form that is read. */
const FIRST_FORMAT = 2;

export function snapshot(state: State): Uint8Array {
  const out = new BinaryWriter(1 << 16);
  out.integer(FORMAT);
  for (const n of [state.seq, state.time, state.clockOffset]) out.integer(n);
  const { orderId, execId, tradeId, transferId } = state.next;
  for (const n of [orderId, execId, tradeId, transferId]) out.integer(n);
  writeList(out, state.assets, writeAsset);
  writeList(out, present(state.instruments), writeInstrument);
  writeUsers(out, state);
  writeList(
    out,
    [...state.ledger.accounts()].filter(({ balance }) => balance !== 0),
    writeAccount,
  );
  writeOrders(out, state);
  writeGuard(out, state);
  writeAnswers(out, state);
  writeReferences(out, state);
  writeList(out, state.switches.all(), (o, [uid, deadline]) => {
    o.integer(uid);
    o.integer(deadline);
  });
  writeList(out, state.sweeps.pending, (o, sweep) => {
    for (const n of [sweep.uid, sweep.securityId, sweep.upToOrderId, sweep.reason]) o.integer(n);
  });
  writeEarn(out, state.earn);
  return out.view();
}

/** The state that a snapshot was made of: the same state hash, and the same answers to the same commands. */
export function restore(bytes: Uint8Array, seed?: HashSeed): State {
  const state = new State(seed);
  const input = new BinaryReader(bytes);
  const format = input.integer();
  assert(format >= FIRST_FORMAT && format <= FORMAT, 'a snapshot has a known format');
  state.seq = input.integer();
  state.time = input.integer();
  state.clockOffset = input.integer();
  state.next.orderId = input.integer();
  state.next.execId = input.integer();
  state.next.tradeId = input.integer();
  state.next.transferId = input.integer();
  readList(input, () => state.assets.push(readAsset(input, state.assets.length)));
  const updateIds: number[] = [];
  readList(input, () => readInstrument(input, state, updateIds));
  readUsers(input, state);
  readList(input, () => {
    const owner = input.amount() as number;
    const assetId = input.integer();
    const code = input.byte() as AccountCode;
    state.ledger.restore(owner, assetId, code, input.amount());
  });
  readOrders(input, state);
  for (const instrument of present(state.instruments)) {
    instrument.book.updateId = updateIds[instrument.securityId];
  }
  if (format === FIRST_FORMAT) readGuardByKey(input, state);
  else readGuard(input, state);
  readAnswers(input, format, state);
  readReferences(input, state);
  readList(input, () => {
    const uid = input.integer();
    state.switches.arm(uid, input.integer());
  });
  readList(input, () => {
    state.sweeps.add({
      uid: input.integer(),
      securityId: input.integer(),
      upToOrderId: input.integer(),
      reason: input.integer() as CloseReason,
    });
  });
  readEarn(input, state.earn, format);
  assert(input.atEnd, 'a snapshot ends with its last fact');
  return state;
}

function writeAsset(out: BinaryWriter, asset: Asset): void {
  out.text(asset.name);
  out.byte(asset.scale);
  out.boolean(asset.fiat);
}

function readAsset(input: BinaryReader, assetId: number): Asset {
  return { assetId, name: input.text(), scale: input.byte(), fiat: input.boolean() };
}

function writeInstrument(out: BinaryWriter, instrument: Instrument): void {
  out.text(instrument.symbol);
  out.text(instrument.base.name);
  out.text(instrument.quote.name);
  for (const { mantissa, decimals } of [instrument.tick, instrument.lot]) {
    out.integer(mantissa);
    out.byte(decimals);
  }
  out.integer(instrument.minQuantity);
  out.amount(instrument.minNotional);
  out.integer(instrument.makerFee);
  out.integer(instrument.takerFee);
  out.byte(instrument.selfTradePrevention);
  out.integer(instrument.priceBand);
  out.byte(instrument.status);
  out.integer(instrument.lastPrice);
  out.integer(instrument.book.updateId);
}

function readInstrument(input: BinaryReader, state: State, updateIds: number[]): void {
  const securityId = state.instruments.length;
  const symbol = input.text();
  const baseAsset = input.text();
  const quoteAsset = input.text();
  const increment = () => ({ mantissa: input.integer(), decimals: input.byte() });
  const terms = {
    type: 'createInstrument',
    symbol,
    baseAsset,
    quoteAsset,
    tick: increment(),
    lot: increment(),
    minQuantity: input.integer() as Lots,
    minNotional: input.amount(),
    makerFee: input.integer(),
    takerFee: input.integer(),
    selfTradePrevention: input.byte() as SelfTradePrevention,
    priceBand: input.integer(),
    status: input.byte() as InstrumentStatus,
  } as const;
  const base = state.assetNamed(baseAsset);
  const quote = state.assetNamed(quoteAsset);
  assert(base !== undefined && quote !== undefined, 'an instrument trades listed assets');
  const instrument = createInstrument(securityId, terms, base, quote, state.orders);
  instrument.lastPrice = input.integer() as Ticks;
  updateIds[securityId] = input.integer();
  state.list(instrument);
}

function writeUsers(out: BinaryWriter, state: State): void {
  writeList(out, present(state.users), (o, user) => {
    o.boolean(user.kyc);
    o.boolean(user.suspended);
    // Shifted by one: INSTRUMENT_FEE is −1.
    o.integer(user.makerFee + 1);
    o.integer(user.takerFee + 1);
    o.integer(user.maxOpenOrders);
    o.integer(user.enterpriseId);
    o.boolean(user.enterpriseAdmin);
  });
}

function readUsers(input: BinaryReader, state: State): void {
  readList(input, () => {
    const user = {
      uid: state.users.length,
      kyc: input.boolean(),
      suspended: input.boolean(),
      makerFee: input.integer() - 1,
      takerFee: input.integer() - 1,
      maxOpenOrders: input.integer(),
      enterpriseId: input.integer(),
      enterpriseAdmin: input.boolean(),
    };
    state.users.push(user);
    hashUser(state.hash, user);
    state.hash.add();
  });
}

function writeAccount(
  out: BinaryWriter,
  account: {
    owner: number;
    assetId: number;
    code: AccountCode;
    balance: Parameters<BinaryWriter['amount']>[0];
  },
): void {
  // Internal owners are negative.
  out.amount(account.owner as Amount);
  out.integer(account.assetId);
  out.byte(account.code);
  out.amount(account.balance);
}

/** By orderId: the order in which they arrived, which is their priority in every queue. */
function writeOrders(out: BinaryWriter, state: State): void {
  const { orders } = state;
  const slots: number[] = [];
  for (const user of present(state.users)) {
    for (let slot = orders.firstOf(user.uid); slot !== NONE; slot = orders.newerOf(slot)) {
      slots.push(slot);
    }
  }
  slots.sort((a, b) => orders.orderId(a) - orders.orderId(b));
  writeList(out, slots, (o, slot) => {
    o.integer(orders.orderId(slot));
    o.integer(orders.uid(slot));
    o.integer(orders.securityId(slot));
    o.byte(orders.side(slot));
    o.integer(orders.price(slot));
    o.integer(orders.orderQty(slot));
    o.integer(orders.cumQty(slot));
    o.amount(orders.cumQuote(slot));
    o.integer(orders.createTime(slot));
    o.boolean(orders.postOnly(slot));
    o.text(orders.givenClOrdId(slot));
  });
}

function readOrders(input: BinaryReader, state: State): void {
  readList(input, () => {
    const orderId = input.integer();
    const uid = input.integer();
    const securityId = input.integer();
    const side = input.byte() as Side;
    const price = input.integer() as Ticks;
    const orderQty = input.integer() as Lots;
    const cumQty = input.integer() as Lots;
    const cumQuote = input.amount();
    const createTime = input.integer();
    const postOnly = input.boolean();
    const clOrdId = input.text();
    const terms = { uid, securityId, side, price, orderQty, postOnly, clOrdId };
    const slot = state.orders.add({ terms, orderId, cumQty, cumQuote, createTime });
    state.instruments[securityId]!.book.add(slot);
  });
}

function writeGuard(out: BinaryWriter, { guard }: State): void {
  writeList(out, guard.keys(), (o, { keyId, floor }) => {
    o.integer(keyId);
    o.integer(floor);
  });
  out.integer(guard.count);
  for (const each of guard.signatures()) {
    const { keyId, uid, digestHigh, digestLow, timestamp, arrival } = each;
    for (const n of [keyId, uid, digestHigh, digestLow, timestamp, arrival]) out.integer(n);
  }
}

function readGuard(input: BinaryReader, { guard }: State): void {
  readList(input, () => guard.restoreFloor(input.integer(), input.integer()));
  readList(input, () => {
    guard.restore({
      keyId: input.integer(),
      uid: input.integer(),
      digestHigh: input.integer(),
      digestLow: input.integer(),
      timestamp: input.integer(),
      arrival: input.integer(),
    });
  });
}

function readGuardByKey(input: BinaryReader, { guard }: State): void {
  readList(input, () => {
    const keyId = input.integer();
    guard.restoreFloor(keyId, input.integer());
    readList(input, () => {
      const digestHigh = input.integer();
      const digestLow = input.integer();
      const timestamp = input.integer();
      guard.restore({ keyId, uid: 0, digestHigh, digestLow, timestamp, arrival: 0 });
    });
  });
}

function writeAnswers(out: BinaryWriter, { answers }: State): void {
  out.integer(answers.count);
  for (const answer of answers.all()) {
    out.integer(answer.uid);
    out.text(answer.key);
    out.text(answer.digest);
    out.text(textOfOutcome(answer.outcome));
    out.integer(answer.seq);
    out.integer(answer.time);
  }
}

/** In order of arrival, which an earlier format did not keep: it is that of their seqs. */
function readAnswers(input: BinaryReader, format: number, { answers }: State): void {
  const read: StoredAnswer[] = [];
  readList(input, () => {
    const answer = {
      uid: input.integer(),
      key: input.text(),
      digest: input.text(),
      outcome: outcomeOfText(input.text()),
      seq: input.integer(),
      time: input.integer(),
    };
    if (format === FIRST_FORMAT) read.push(answer);
    else answers.restore(answer);
  });
  for (const answer of read.sort((a, b) => a.seq - b.seq)) answers.restore(answer);
}

function writeReferences(out: BinaryWriter, state: State): void {
  writeList(out, [...state.references.all()], (o, transfer) => {
    o.text(transfer.reference);
    o.integer(transfer.transferId);
    o.integer(transfer.seq);
    o.amount(transfer.owner as Amount);
    o.integer(transfer.assetId);
    o.amount(transfer.amount);
  });
}

function readReferences(input: BinaryReader, state: State): void {
  readList(input, () => {
    state.references.record({
      reference: input.text(),
      transferId: input.integer(),
      seq: input.integer(),
      owner: input.amount() as number,
      assetId: input.integer(),
      amount: input.amount(),
    });
  });
}
