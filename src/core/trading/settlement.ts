// Settles both sides of each fill in at most five transfers: quote to the seller, base to the
// buyer, a fee from each, and the unused part of a limit buyer's hold.
import { dayOf } from '../calendar.ts';
import type { FeeRole } from '../fee-rates.ts';
import { CloseReason, ExecType, isLimit, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { VENUE } from '../ledger/ledger.ts';
import type { OrderDetails } from '../matching/order-details.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import {
  type Amount,
  add,
  type Lots,
  lots,
  multiply,
  notional,
  shareUp,
  subtract,
  type Ticks,
} from '../units.ts';
import { closeOrder, closePair, forgetOrder } from './close-order.ts';
import type { EnteringOrder, OrderSettlement } from './entering-order.ts';
import { release } from './holds.ts';
import { reachStops } from './reached.ts';
import { reportEntering, reportResting } from './report.ts';

/** The trade ids that an aggregate spans, at most, so that a read of one is bounded. */
const MAX_AGGREGATE = 1000;

/** A fill whose money has moved. */
interface SettledFill {
  readonly maker: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly base: Amount;
  readonly quote: Amount;
  readonly makerFee: Amount;
  readonly takerFee: Amount;
}

/** One object serves all orders in turn, as one for each would cost the core 2 % of its time. */
export class TradeSettlement implements OrderSettlement {
  readonly #state: State;
  #instrument!: Instrument;
  #taker!: EnteringOrder;

  constructor(state: State) {
    this.#state = state;
  }

  begin(instrument: Instrument, taker: EnteringOrder): void {
    this.#instrument = instrument;
    this.#taker = taker;
  }

  fill(maker: number, price: Ticks, quantity: Lots, quote: Amount): void {
    const state = this.#state;
    const { orders } = state;
    const taker = this.#taker;
    const { uid, ordType, price: limit } = taker.terms;
    const buys = taker.terms.side === Side.buy;
    const instrument = this.#instrument;
    const base = multiply(quantity, instrument.baseUnitsPerLot);
    const makerUid = orders.uid(maker);
    const makerReceives = buys ? quote : base;
    const takerReceives = buys ? base : quote;
    const makerFee = shareUp(makerReceives, this.#feeRate(makerUid, 'makerFee'));
    const takerFee = shareUp(takerReceives, this.#feeRate(uid, 'takerFee'));

    const paysFrom = isLimit(ordType) ? AccountCode.held : AccountCode.available;
    const { assetId: takerAsset } = buys ? instrument.base : instrument.quote;
    const { assetId: makerAsset } = buys ? instrument.quote : instrument.base;
    this.#pay(uid, paysFrom, makerUid, makerAsset, makerReceives, makerFee);
    this.#pay(makerUid, AccountCode.held, uid, takerAsset, takerReceives, takerFee);
    if (paysFrom === AccountCode.held && buys && price < limit) {
      const held = notional(limit, quantity, instrument.perTickLot);
      release(state, uid, instrument.quote.assetId, subtract(held, quote));
    }

    taker.cumQty = lots(taker.cumQty + quantity);
    taker.cumQuote = add(taker.cumQuote, quote);
    const makerLeaves = orders.fill(maker, quantity, add(orders.cumQuote(maker), quote));
    const isPlain = !orders.hasDetails(maker);
    if (!isPlain) this.#addFee(maker, makerFee);
    instrument.lastPrice = price;
    if (state.feeTiers.table !== null) this.#countVolume(makerUid, quote);
    this.#emitTrade({ maker, price, quantity, base, quote, makerFee, takerFee });
    const makerExec = makerLeaves === 0 ? ExecType.fill : ExecType.partialFill;
    reportResting(state, maker, makerExec, CloseReason.none, price, quantity);
    this.#reportTaker(price, quantity);
    if (taker.details !== null) this.#afterTakerFill(taker.details, takerFee);
    if (!isPlain) this.#closePartner(orders.details(maker)!);
    const { triggers } = instrument;
    if (price >= triggers.lowestUp || price <= triggers.highestDown) {
      reachStops(state, instrument);
    }
  }

  /** Keeps the fees of an order with a bracket. */
  #addFee(maker: number, fee: Amount): void {
    const { orders } = this.#state;
    const { extras, fees } = orders.details(maker)!;
    if (extras.bracket !== null) orders.changeDetails(maker, { fees: add(fees, fee) });
  }

  #afterTakerFill(details: OrderDetails, fee: Amount): void {
    const { slot } = this.#taker;
    if (details.extras.bracket !== null) {
      const fees = add(details.fees, fee);
      if (slot === NONE) details.fees = fees;
      else this.#state.orders.changeDetails(slot, { fees });
    }
    this.#closePartner(details);
  }

  /** The first fill of an OCO pair's limit order cancels the stop. */
  #closePartner({ ocoOrderId }: OrderDetails): void {
    const partner = ocoOrderId === 0 ? NONE : this.#state.orders.find(ocoOrderId);
    if (partner !== NONE) closeOrder(this.#state, this.#instrument, partner, CloseReason.oco);
  }

  #emitTrade({ maker, price, quantity, base, quote, makerFee, takerFee }: SettledFill): void {
    const state = this.#state;
    const taker = this.#taker;
    const { securityId } = this.#instrument;
    const { incoming } = state;
    const tradeId = state.next.tradeId++;
    const isFull = tradeId - incoming.aggTradeId >= MAX_AGGREGATE;
    if (incoming.lastPrice !== price || isFull) {
      incoming.lastPrice = price;
      incoming.aggTradeId = tradeId;
    }
    const makerUid = state.orders.uid(maker);
    const takerUid = taker.terms.uid;
    if (!state.eventFilter.includesTrade(securityId, makerUid, takerUid)) return;
    state.events.push({
      type: 'trade',
      tradeId,
      aggTradeId: incoming.aggTradeId,
      securityId,
      price,
      quantity,
      baseAmount: base,
      quoteAmount: quote,
      takerSide: taker.terms.side,
      makerOrderId: state.orders.orderId(maker),
      takerOrderId: taker.orderId,
      makerUid,
      takerUid,
      makerFee,
      takerFee,
      transactTime: state.time,
    });
  }

  #countVolume(makerUid: number, quote: Amount): void {
    const { feeTiers, time } = this.#state;
    const { assetId } = this.#instrument.quote;
    for (const uid of [makerUid, this.#taker.terms.uid]) {
      feeTiers.count(uid, dayOf(time), assetId, quote);
    }
  }

  makerDone(maker: number): void {
    const { orders } = this.#state;
    if (!orders.hasDetails(maker)) orders.remove(maker);
    else forgetOrder(this.#state, this.#instrument, maker);
  }

  get time(): number {
    return this.#state.time;
  }

  takePartNumbers(count: number): number {
    const { next } = this.#state;
    const first = next.orderId;
    next.orderId += count;
    return first;
  }

  belongsTo(maker: number, enterpriseId: number): boolean {
    const { users, orders } = this.#state;
    return users[orders.uid(maker)]!.enterpriseId === enterpriseId;
  }

  makerPrevented(maker: number): void {
    closePair(this.#state, this.#instrument, maker, CloseReason.selfTrade);
  }

  #reportTaker(price: Ticks, quantity: Lots): void {
    const state = this.#state;
    const taker = this.#taker;
    const { orderQty } = taker.terms;
    const leaves = lots(orderQty === 0 ? 0 : orderQty - taker.cumQty);
    const isDone = orderQty === 0 ? state.incoming.isSpent : leaves === 0;
    const execType = isDone ? ExecType.fill : ExecType.partialFill;
    reportEntering(state, taker, execType, leaves, CloseReason.none, price, quantity);
  }

  #feeRate(uid: number, role: FeeRole): number {
    const { users, feeTiers, time } = this.#state;
    return feeTiers.rateOf(users[uid]!, this.#instrument, role, time);
  }

  /** Moves `money` from the payer to the receiver, who pays the fee out of it. */
  #pay(
    payer: number,
    from: AccountCode,
    receiver: number,
    assetId: number,
    money: Amount,
    fee: Amount,
  ): void {
    const ledger = this.#state.ledger;
    const source = ledger.account(payer, assetId, from);
    const target = ledger.account(receiver, assetId, AccountCode.available);
    ledger.transfer(source, target, money);
    if (fee > 0) {
      ledger.transfer(target, ledger.account(VENUE, assetId, AccountCode.feeRevenue), fee);
    }
  }
}
