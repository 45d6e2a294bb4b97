// Settles both sides of each fill in at most five transfers: quote to the seller, base to the
// buyer, a fee from each, and the unused part of a limit buyer's hold.
import { dayOf } from '../calendar.ts';
import type { Trade } from '../event.ts';
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
import { hasExpired } from './expire.ts';
import type { FeeRole } from './fee-tiers.ts';
import { release } from './holds.ts';
import { queueReached } from './reached.ts';
import { reportEntering, reportResting } from './report.ts';

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
  /** The taker's last trade that was emitted. */
  #trade: Trade | null = null;
  /** Quote units that the taker may still trade for; null without a budget. */
  #quoteLeft: Amount | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  begin(instrument: Instrument, taker: EnteringOrder, budget: Amount): void {
    this.#instrument = instrument;
    this.#taker = taker;
    this.#trade = null;
    this.#quoteLeft = budget === 0 ? null : budget;
  }

  budget(): Amount | null {
    const taker = this.#taker;
    if (isLimit(taker.terms.ordType)) return null;
    if (this.#quoteLeft !== null) return this.#quoteLeft;
    if (taker.terms.side === Side.sell) return null;
    const quote = this.#instrument.quote.assetId;
    return this.#state.ledger.balanceOf(taker.terms.uid, quote, AccountCode.available);
  }

  fill(maker: number, price: Ticks, quantity: Lots): void {
    const state = this.#state;
    const { orders } = state;
    const taker = this.#taker;
    const { uid, ordType, price: limit } = taker.terms;
    const buys = taker.terms.side === Side.buy;
    const instrument = this.#instrument;
    const quote = notional(price, quantity, instrument.perTickLot);
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
    if (this.#quoteLeft !== null) this.#quoteLeft = subtract(this.#quoteLeft, quote);

    taker.cumQty = lots(taker.cumQty + quantity);
    taker.cumQuote = add(taker.cumQuote, quote);
    const makerLeaves = orders.fill(maker, quantity, add(orders.cumQuote(maker), quote));
    const isPlain = !orders.hasDetails(maker);
    if (!isPlain) this.#fillDetails(maker, quantity, makerFee);
    instrument.lastPrice = price;
    if (state.feeTiers.table !== null) this.#countVolume(makerUid, quote);
    this.#emitTrade({ maker, price, quantity, base, quote, makerFee, takerFee });
    const makerExec = makerLeaves === 0 ? ExecType.fill : ExecType.partialFill;
    reportResting(state, maker, makerExec, price, quantity, CloseReason.none);
    this.#reportTaker(price, quantity);
    if (taker.details !== null) this.#afterTakerFill(taker.details, takerFee);
    if (!isPlain) this.#closePartner(orders.details(maker)!);
    const { triggers } = instrument;
    if (price >= triggers.lowestUp || price <= triggers.highestDown) {
      queueReached(state, instrument);
    }
  }

  /** Keeps what an iceberg shows, and the fees of an order with a bracket. */
  #fillDetails(maker: number, quantity: Lots, fee: Amount): void {
    const { orders } = this.#state;
    const { displayQty, shownQty, bracket, fees } = orders.details(maker)!;
    if (displayQty !== 0) {
      orders.changeDetails(maker, { shownQty: lots(shownQty - quantity) });
    }
    if (bracket !== null) orders.changeDetails(maker, { fees: add(fees, fee) });
  }

  #afterTakerFill(details: OrderDetails, fee: Amount): void {
    const { slot } = this.#taker;
    if (details.bracket !== null) {
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
    const tradeId = state.next.tradeId++;
    if (!state.eventFilter.includesPair(securityId)) return;
    const last = this.#trade;
    this.#trade = {
      type: 'trade',
      tradeId,
      aggTradeId: last?.price === price ? last.aggTradeId : tradeId,
      securityId,
      price,
      quantity,
      baseAmount: base,
      quoteAmount: quote,
      takerSide: taker.terms.side,
      makerOrderId: state.orders.orderId(maker),
      takerOrderId: taker.orderId,
      makerUid: state.orders.uid(maker),
      takerUid: taker.terms.uid,
      makerFee,
      takerFee,
      transactTime: state.time,
    };
    state.events.push(this.#trade);
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
    else if (orders.leavesQty(maker) === 0) forgetOrder(this.#state, this.#instrument, maker);
    else this.#showNext(maker);
  }

  /** An iceberg shows its next part, behind all others of its price. */
  #showNext(maker: number): void {
    const { orders, next } = this.#state;
    const { displayQty } = orders.details(maker)!;
    const leaves = orders.leavesQty(maker);
    const shownQty = leaves < displayQty ? leaves : displayQty;
    orders.changeDetails(maker, { shownQty, priority: next.orderId++ });
    this.#instrument.book.add(maker);
  }

  hasExpired(maker: number): boolean {
    return hasExpired(this.#state, maker);
  }

  makerExpired(maker: number): void {
    closePair(this.#state, this.#instrument, maker, CloseReason.expired);
  }

  belongsTo(maker: number, enterpriseId: number): boolean {
    const { users, orders } = this.#state;
    return users[orders.uid(maker)]!.enterpriseId === enterpriseId;
  }

  makerPrevented(maker: number): void {
    closePair(this.#state, this.#instrument, maker, CloseReason.selfTrade);
  }

  /** An order by quote does not know its last fill; enter.ts closes it after matching. */
  #reportTaker(price: Ticks, quantity: Lots): void {
    const taker = this.#taker;
    const leaves = lots(taker.terms.orderQty === 0 ? 0 : taker.terms.orderQty - taker.cumQty);
    const done = taker.terms.orderQty !== 0 && leaves === 0;
    const execType = done ? ExecType.fill : ExecType.partialFill;
    reportEntering(this.#state, taker, execType, leaves, price, quantity);
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
