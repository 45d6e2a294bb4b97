// The compared order books behind one interface: agio's core with ledger and accounts, agio's book
// alone, and the two books from npm, each called in its cheapest way. The measured time includes
// the arguments of a call (a command, an id as text), since every caller of that engine builds
// them.
import { OrderBook as NodejsOrderBook, Side as NodejsSide } from 'nodejs-order-book';
import { Orderbook as OrderbookMatchEngine, type Trade } from 'orderbook-match-engine';
import type { WriteSignature } from '../../src/core/command.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { Side } from '../../src/core/fix.ts';
import { ANY_PRICE, Incoming, type Settlement } from '../../src/core/matching/incoming.ts';
import { match } from '../../src/core/matching/match.ts';
import { OrderBook } from '../../src/core/matching/order-book.ts';
import { NONE, OrderStore } from '../../src/core/matching/order-store.ts';
import type { Results } from '../../src/core/outcome.ts';
import { StateHash } from '../../src/core/state-hash.ts';
import {
  type Amount,
  add,
  amount,
  type Lots,
  lots,
  type Ticks,
  ticks,
} from '../../src/core/units.ts';
import { Work } from '../../src/core/work.ts';
import { Kind, OPERATION_WORDS } from './order-stream.ts';
import { cancelCommand, orderCommand, START, venueCommands } from './venue.ts';

/** Told of each trade: the number of the maker's order, price and quantity. */
export type TradeListener = (maker: number, price: number, quantity: number) => void;

/** Orders are known by their number in the stream. */
export interface Engine {
  limit(order: number, side: Side, price: number, quantity: number): void;
  market(order: number, side: Side, quantity: number): void;
  cancel(order: number): void;
}

/** Operations `from` to `to` of a stream. */
export function feed(engine: Engine, words: Int32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const at = i * OPERATION_WORDS;
    const what = words[at] >> 2;
    const side = (words[at] & 3) as Side;
    const order = words[at + 3];
    if (what === Kind.cancel) engine.cancel(order);
    else if (what === Kind.market) engine.market(order, side, words[at + 2]);
    else engine.limit(order, side, words[at + 1], words[at + 2]);
  }
}

export const ENGINES = {
  core: (listener) => new Core(exchangeFor(listener !== null), listener),
  signedCore: (listener) => new Core(exchangeFor(listener !== null), listener, true),
  // Makes execution reports and trades, as the follower does; the leader makes none.
  tellingCore: (listener) => new Core(exchangeFor(true), listener),
  book: (listener) => new Book(listener),
  'orderbook-match-engine': (listener) => new MatchEngine(listener),
  'nodejs-order-book': (listener) => new NodejsBook(listener),
} satisfies Record<string, (listener: TradeListener | null) => Engine>;

export type EngineName = keyof typeof ENGINES;

/**
 * Orders go round these, so that balances and owners' lists are spread over memory as they are in a
 * venue.
 */
const USERS = 1000;
const COMMANDS_A_MILLISECOND = 500;

const ownerOf = (order: number): number => 1 + (order % USERS);

/** The state hash is taken as often as the leader takes it for comparison with its follower. */
const CHECKPOINT_EVERY = 4096;

const exchangeFor = (tells: boolean): Exchange =>
  new Exchange(undefined, tells ? EventFilter.all() : EventFilter.none());

/**
 * The whole core: checks, holds, matching, settlement in the ledger, state hash at each checkpoint.
 */
class Core implements Engine {
  readonly #exchange: Exchange;
  readonly #signed: boolean;
  readonly #listener: TradeListener | null;
  #seq = 0;

  /** `exchange`: an empty one. */
  constructor(exchange: Exchange, listener: TradeListener | null = null, signed = false) {
    this.#exchange = exchange;
    this.#signed = signed;
    this.#listener = listener;
    for (const command of venueCommands(USERS)) this.#apply(command);
  }

  limit(order: number, side: Side, price: number, quantity: number): void {
    this.#place(order, side, price, quantity);
  }

  market(order: number, side: Side, quantity: number): void {
    this.#place(order, side, 0, quantity);
  }

  cancel(order: number): void {
    const uid = ownerOf(order);
    this.#apply(cancelCommand(uid, order, this.#signature(uid)));
  }

  #place(order: number, side: Side, price: number, quantity: number): void {
    const uid = ownerOf(order);
    const signature = this.#signature(uid);
    const { orderId } = this.#apply(
      orderCommand({ uid, side, quantity, price, clOrdId: '', signature }),
    ) as Results['placeOrder'];
    if (orderId !== order) throw new Error(`order ${order} was given the orderId ${orderId}`);
    if (this.#listener !== null) this.#tellTrades(this.#listener);
  }

  #apply(command: Parameters<Exchange['apply']>[2]): unknown {
    const seq = ++this.#seq;
    const outcome = this.#exchange.apply(seq, this.#time(), command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
    if (seq % CHECKPOINT_EVERY === 0) this.#exchange.state.stateHash();
    return outcome.result;
  }

  #time(): number {
    return START + Math.floor(this.#seq / COMMANDS_A_MILLISECOND);
  }

  /** The digest only has to differ from all others of its key. */
  #signature(uid: number): WriteSignature | null {
    if (!this.#signed) return null;
    const spread = Math.imul(this.#seq, 0x9e3779b1) >>> 0;
    return { keyId: uid, timestamp: this.#time(), digestHigh: this.#seq, digestLow: spread };
  }

  #tellTrades(listener: TradeListener): void {
    for (const event of this.#exchange.events) {
      if (event.type === 'trade') listener(event.makerOrderId, event.price, event.quantity);
    }
  }
}

/** Store, book and matching, with a settlement that moves no money. */
class Book implements Engine, Settlement {
  readonly #incoming = new Incoming();
  readonly #work = new Work();
  readonly #orders = new OrderStore(new StateHash());
  readonly #book = new OrderBook(this.#orders);
  readonly #listener: TradeListener | null;
  readonly time = START;
  fills = 0;

  constructor(listener: TradeListener | null) {
    this.#listener = listener;
  }

  limit(order: number, side: Side, price: number, quantity: number): void {
    const { uid, leaves } = this.#match(order, side, ticks(price), quantity);
    if (leaves === 0) return;
    const terms = {
      uid,
      securityId: 1,
      side,
      price: ticks(price),
      orderQty: lots(quantity),
      postOnly: false,
      clOrdId: '',
    };
    const filled = { cumQty: lots(quantity - leaves), cumQuote: amount(0) };
    this.#book.add(this.#orders.add({ terms, orderId: order, ...filled, details: null }, START));
  }

  market(order: number, side: Side, quantity: number): void {
    this.#match(order, side, ANY_PRICE, quantity);
  }

  cancel(order: number): void {
    const slot = this.#orders.find(order);
    if (slot === NONE) throw new Error(`order ${order} does not rest`);
    this.#book.remove(slot);
    this.#orders.remove(slot);
  }

  #match(order: number, side: Side, worstPrice: Ticks, quantity: number): Incoming {
    const incoming = this.#incoming;
    incoming.uid = ownerOf(order);
    incoming.side = side;
    incoming.worstPrice = worstPrice;
    incoming.leaves = lots(quantity);
    incoming.perTickLot = amount(1);
    this.#work.beginRecord();
    const [book, orders, work] = [this.#book, this.#orders, this.#work];
    match({ book, orders, incoming, settlement: this, work });
    return incoming;
  }

  fill(maker: number, price: Ticks, quantity: Lots): Amount {
    this.fills++;
    const orders = this.#orders;
    const quote = amount(price * quantity);
    orders.fill(maker, quantity, add(orders.cumQuote(maker), quote));
    this.#listener?.(orders.orderId(maker), price, quantity);
    return quote;
  }

  makerDone(maker: number): void {
    this.#orders.remove(maker);
  }

  belongsTo(): boolean {
    return false;
  }

  takePartNumbers(): number {
    throw new Error('no order is an iceberg');
  }

  makerPrevented(): void {
    throw new Error('self-trade prevention is off');
  }
}

/** A price that every resting order is better than, for books that know no market orders. */
const WORST_BUY = 1_000_000_000;
const WORST_SELL = 1;

class MatchEngine implements Engine {
  readonly #book = new OrderbookMatchEngine();
  readonly #listener: TradeListener | null;

  constructor(listener: TradeListener | null) {
    this.#listener = listener;
  }

  limit(order: number, side: Side, price: number, quantity: number): void {
    // Its enum of sides is 0 for asks and 1 for bids.
    const { trades } = this.#book.add(order, side === Side.buy ? 1 : 0, price, quantity);
    if (this.#listener !== null) this.#tell(trades, this.#listener);
  }

  market(order: number, side: Side, quantity: number): void {
    this.limit(order, side, side === Side.buy ? WORST_BUY : WORST_SELL, quantity);
  }

  cancel(order: number): void {
    this.#book.cancel(order);
  }

  #tell(trades: readonly Trade[], listener: TradeListener): void {
    for (const { makerOrderId, tradePrice, tradeQuantity } of trades) {
      listener(makerOrderId, Number(tradePrice.toString()), Number(tradeQuantity.toString()));
    }
  }
}

type Processed = ReturnType<NodejsOrderBook['market']>;

class NodejsBook implements Engine {
  readonly #book = new NodejsOrderBook();
  readonly #listener: TradeListener | null;

  constructor(listener: TradeListener | null) {
    this.#listener = listener;
  }

  limit(order: number, side: Side, price: number, size: number): void {
    const id = String(order);
    this.#tell(this.#book.limit({ id, side: this.#side(side), size, price }), id);
  }

  market(order: number, side: Side, size: number): void {
    this.#tell(this.#book.market({ side: this.#side(side), size }), String(order));
  }

  cancel(order: number): void {
    this.#book.cancel(String(order));
  }

  #side(side: Side): NodejsSide {
    return side === Side.buy ? NodejsSide.BUY : NodejsSide.SELL;
  }

  /**
   * It tells of orders, not of trades: those it filled, with what they had left, and the one it
   * filled in part.
   */
  #tell({ err, done, partial, partialQuantityProcessed }: Processed, own: string): void {
    if (err !== null) throw err;
    const listener = this.#listener;
    if (listener === null) return;
    for (const filled of done) {
      if (filled.id !== own && 'price' in filled) {
        listener(Number(filled.id), filled.price, filled.size);
      }
    }
    if (partial !== null && partial.id !== own) {
      listener(Number(partial.id), partial.price, partialQuantityProcessed);
    }
  }
}
