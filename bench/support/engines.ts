// The compared order books behind one interface: agio's core with ledger and accounts, and the
// faster of the correct books on npm, called in its cheapest way. The measured time includes the
// arguments of a call, since every caller of that engine builds them.
import { Orderbook as OrderbookMatchEngine } from 'orderbook-match-engine';
import type { Command } from '../../src/core/command.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { Side } from '../../src/core/fix.ts';
import type { Results } from '../../src/core/outcome.ts';
import { VENUE_START } from '../../test/support/venue.ts';
import { Kind, OPERATION_WORDS } from './order-stream.ts';
import { cancelCommand, orderCommand, signatureOf, venueCommands } from './venue.ts';

/** Receives each trade: the number of the maker's order, price and quantity. */
type TradeListener = ((maker: number, price: number, quantity: number) => void) | null;

/** Orders are known by their number in the stream; a price of 0 is that of a market order. */
export interface Engine {
  place(order: number, side: Side, price: number, quantity: number): void;
  cancel(order: number): void;
}

/** Operations `from` to `to` of a stream. */
export function feed(engine: Engine, words: Int32Array, from: number, to: number): void {
  for (let at = from * OPERATION_WORDS; at < to * OPERATION_WORDS; at += OPERATION_WORDS) {
    const order = words[at + 3];
    if (words[at] >> 2 === Kind.cancel) engine.cancel(order);
    else engine.place(order, (words[at] & 3) as Side, words[at + 1], words[at + 2]);
  }
}

export const ENGINES = {
  core: (listener) => coreEngine(listener, listener !== null),
  signedCore: (listener) => coreEngine(listener, listener !== null, true),
  // Makes execution reports and trades, as the follower does; the leader makes none.
  reportingCore: (listener) => coreEngine(listener, true),
  'orderbook-match-engine': matchEngine,
} satisfies Record<string, (listener: TradeListener) => Engine>;

export type EngineName = keyof typeof ENGINES;

/** Orders take turns among these, so balances and owners' lists are spread over memory. */
const USERS = 1000;
const COMMANDS_A_MILLISECOND = 500;
/** The leader takes the state hash as often, for comparison with its follower. */
const CHECKPOINT_EVERY = 4096;

const ownerOf = (order: number): number => 1 + (order % USERS);

/** The whole core: checks, holds, matching, settlement in the ledger, state hashes. */
function coreEngine(listener: TradeListener, reports: boolean, isSigned = false): Engine {
  const exchange = new Exchange(undefined, reports ? EventFilter.all() : EventFilter.none());
  let seq = 0;
  const time = (): number => VENUE_START + Math.floor(seq / COMMANDS_A_MILLISECOND);
  const sign = (uid: number) => (isSigned ? signatureOf(uid, seq, time()) : null);
  const apply = (command: Command): unknown => {
    const outcome = exchange.apply(++seq, time(), command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
    if (seq % CHECKPOINT_EVERY === 0) exchange.state.stateHash();
    return outcome.result;
  };
  for (const command of venueCommands(USERS)) apply(command);
  return {
    place(order, side, price, quantity) {
      const uid = ownerOf(order);
      const terms = { uid, side, quantity, price, clOrdId: '', signature: sign(uid) };
      const { orderId } = apply(orderCommand(terms)) as Results['placeOrder'];
      if (orderId !== order) throw new Error(`order ${order} was given the orderId ${orderId}`);
      if (listener === null) return;
      for (const event of exchange.events) {
        if (event.type === 'trade') listener(event.makerOrderId, event.price, event.quantity);
      }
    },
    cancel(order) {
      const uid = ownerOf(order);
      apply(cancelCommand(uid, order, sign(uid)));
    },
  };
}

/** Prices that every resting order is better than, for a book that knows no market orders. */
const WORST = { [Side.buy]: 1_000_000_000, [Side.sell]: 1 } as const;

function matchEngine(listener: TradeListener): Engine {
  const book = new OrderbookMatchEngine();
  return {
    place(order, side, price, quantity) {
      // Its enum of sides is 0 for asks and 1 for bids.
      const ownSide = side === Side.buy ? 1 : 0;
      const { trades } = book.add(order, ownSide, price === 0 ? WORST[side] : price, quantity);
      if (listener === null) return;
      for (const { makerOrderId, tradePrice, tradeQuantity } of trades) {
        listener(makerOrderId, Number(`${tradePrice}`), Number(`${tradeQuantity}`));
      }
    },
    cancel(order) {
      book.cancel(order);
    },
  };
}
