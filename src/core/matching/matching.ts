// The match of an order that goes on in later commands, because one command may not do all of its
// work. Meanwhile the order is stored and open, it is in no queue, and nothing else uses the book.
import type { BinaryReader } from '../binary.ts';
import {
  boolean,
  byte,
  integer,
  money,
  nullable,
  price,
  quantity,
  readAll,
  record,
  type ValueOf,
} from '../codec.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import type { Amount } from '../units.ts';
import { FRONT, IcebergVisit } from './iceberg-visit.ts';
import { Incoming } from './incoming.ts';
import { NONE, type OrderStore } from './order-store.ts';

export interface Matching {
  readonly slot: number;
  readonly incoming: Incoming;
  /** The money that a market order may still spend; 0 for a limit order, which holds its cost. */
  readonly held: Amount;
}

const NO_VISIT = new IcebergVisit();

/** A match in a snapshot and in the state hash: it names orders by their ids. */
export const MATCH_FACTS = record({
  orderId: integer,
  worstPrice: price,
  leaves: quantity,
  budget: nullable(money),
  isSpent: boolean,
  held: money,
  prevention: byte,
  memberPrevention: byte,
  enterpriseId: integer,
  lastPrice: price,
  aggTradeId: integer,
  isNew: boolean,
  isUndecided: boolean,
  reachedSeq: integer,
  /** True in the middle of a level with icebergs; the fields below are of this level. */
  isOpen: boolean,
  rounds: integer,
  rest: quantity,
  exits: integer,
  nextNumber: integer,
  /** 0: none. */
  firstMoved: integer,
  /** 0: the front of the queue. */
  cursor: integer,
});

function factsOf(
  orders: OrderStore,
  { slot, incoming, held }: Matching,
): ValueOf<typeof MATCH_FACTS> {
  // A visit that has ended keeps the figures of some earlier match.
  const visit = incoming.visit.isOpen ? incoming.visit : NO_VISIT;
  const idOf = (other: number): number => (other < 0 ? 0 : orders.orderId(other));
  return {
    ...incoming,
    ...visit,
    held,
    orderId: orders.orderId(slot),
    firstMoved: idOf(visit.firstMoved),
    cursor: idOf(visit.cursor),
  };
}

export const matchFacts = (
  orders: OrderStore,
  all: readonly Matching[],
): ValueOf<typeof MATCH_FACTS>[] => all.map((matching) => factsOf(orders, matching));

/** `all`: in the order of their turns. */
export function addMatchings(hash: StateHash, orders: OrderStore, all: readonly Matching[]): void {
  matchFacts(orders, all).forEach((facts, place) => {
    hash.begin(Fact.matching);
    hash.number(place);
    MATCH_FACTS.mix(hash, facts);
    hash.add();
  });
}

/** The orders are stored already, and are not in the book yet. */
export function readMatchings(
  input: BinaryReader,
  orders: OrderStore,
  perTickLotOf: (securityId: number) => Amount,
  each: (securityId: number, matching: Matching) => void,
): void {
  readAll(input, MATCH_FACTS, (facts) => {
    const slot = orders.find(facts.orderId);
    const securityId = orders.securityId(slot);
    const incoming = new Incoming();
    const { worstPrice, leaves, budget, isSpent } = facts;
    const { prevention, memberPrevention, enterpriseId } = facts;
    const { lastPrice, aggTradeId, isNew, isUndecided, reachedSeq } = facts;
    Object.assign(incoming, { worstPrice, leaves, budget, isSpent });
    Object.assign(incoming, { prevention, memberPrevention, enterpriseId });
    Object.assign(incoming, { lastPrice, aggTradeId, isNew, isUndecided, reachedSeq });
    Object.assign(incoming, { uid: orders.uid(slot), securityId, side: orders.side(slot) });
    incoming.perTickLot = perTickLotOf(securityId);
    const { isOpen, rounds, rest, exits, nextNumber, firstMoved, cursor } = facts;
    Object.assign(incoming.visit, { isOpen, rounds, rest, exits, nextNumber });
    incoming.visit.firstMoved = firstMoved === 0 ? NONE : orders.find(firstMoved);
    incoming.visit.cursor = cursor === 0 ? FRONT : orders.find(cursor);
    each(securityId, { slot, incoming, held: facts.held });
  });
}
