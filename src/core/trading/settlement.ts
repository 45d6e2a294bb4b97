// Settles both sides of each fill in at most five transfers: quote to the seller, base to the
// buyer, a fee from each, and the unused part of a limit buyer's hold.
import { dayOf } from '../calendar.ts';
import { CloseReason, ExecType, OrdType, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { VENUE } from '../ledger/ledger.ts';
import type { Settlement } from '../matching/match.ts';
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
import type { FeeRole } from './fee-tiers.ts';
import { release, releaseOrder } from './holds.ts';
import { type EnteringOrder, reportEntering, reportResting } from './report.ts';

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

export class TradeSettlement implements Settlement {
  readonly #state: State;
  readonly #instrument: Instrument;
  readonly #taker: EnteringOrder;
  /** The price of the last fill, and the first trade at it. */
  #price = 0;
  #aggTradeId = 0;
  /** Quote units that an order by quote may still spend. */
  #quoteLeft: Amount;

  constructor(state: State, instrument: Instrument, taker: EnteringOrder) {
    this.#state = state;
    this.#instrument = instrument;
    this.#taker = taker;
    this.#quoteLeft = taker.terms.quoteOrderQty;
  }

  budget(): Amount | null {
    const taker = this.#taker;
    if (taker.terms.ordType === OrdType.limit || taker.terms.side === Side.sell) return null;
    if (taker.terms.orderQty === 0) return this.#quoteLeft;
    const quote = this.#instrument.quote.assetId;
    return this.#state.ledger.balanceOf(taker.terms.uid, quote, AccountCode.available);
  }

  fill(maker: number, price: Ticks, quantity: Lots): void {
    const state = this.#state;
    const { orders } = state;
    const taker = this.#taker;
    const { uid, ordType, orderQty, price: limit } = taker.terms;
    const buys = taker.terms.side === Side.buy;
    const instrument = this.#instrument;
    const quote = notional(price, quantity, instrument.perTickLot);
    const base = multiply(quantity, instrument.baseUnitsPerLot);
    const makerUid = orders.uid(maker);
    const makerReceives = buys ? quote : base;
    const takerReceives = buys ? base : quote;
    const makerFee = shareUp(makerReceives, this.#feeRate(makerUid, 'makerFee'));
    const takerFee = shareUp(takerReceives, this.#feeRate(uid, 'takerFee'));

    const paysFrom = ordType === OrdType.limit ? AccountCode.held : AccountCode.available;
    const { assetId: takerAsset } = buys ? instrument.base : instrument.quote;
    const { assetId: makerAsset } = buys ? instrument.quote : instrument.base;
    this.#pay(uid, paysFrom, makerUid, makerAsset, makerReceives, makerFee);
    this.#pay(makerUid, AccountCode.held, uid, takerAsset, takerReceives, takerFee);
    if (ordType === OrdType.limit && buys && price < limit) {
      const held = notional(limit, quantity, instrument.perTickLot);
      release(state, uid, instrument.quote.assetId, subtract(held, quote));
    }
    if (orderQty === 0) this.#quoteLeft = subtract(this.#quoteLeft, quote);

    taker.cumQty = lots(taker.cumQty + quantity);
    taker.cumQuote = add(taker.cumQuote, quote);
    const makerLeaves = orders.fill(maker, quantity, add(orders.cumQuote(maker), quote));
    instrument.lastPrice = price;
    if (state.feeTiers.table !== null) this.#countVolume(makerUid, quote);
    this.#emitTrade({ maker, price, quantity, base, quote, makerFee, takerFee });
    const makerExec = makerLeaves === 0 ? ExecType.fill : ExecType.partialFill;
    reportResting(state, maker, makerExec, price, quantity, CloseReason.none);
    this.#reportTaker(price, quantity);
  }

  #emitTrade({ maker, price, quantity, base, quote, makerFee, takerFee }: SettledFill): void {
    const state = this.#state;
    const taker = this.#taker;
    const { securityId } = this.#instrument;
    const tradeId = state.next.tradeId++;
    if (price !== this.#price) {
      this.#price = price;
      this.#aggTradeId = tradeId;
    }
    if (!state.eventFilter.includesPair(securityId)) return;
    state.events.push({
      type: 'trade',
      tradeId,
      aggTradeId: this.#aggTradeId,
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
    this.#state.orders.remove(maker);
  }

  belongsTo(maker: number, enterpriseId: number): boolean {
    const { users, orders } = this.#state;
    return users[orders.uid(maker)]!.enterpriseId === enterpriseId;
  }

  makerPrevented(maker: number): void {
    releaseOrder(this.#state, this.#instrument, maker, CloseReason.selfTrade);
  }

  /** An order by quote does not know its last fill; place-order.ts closes it after matching. */
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
