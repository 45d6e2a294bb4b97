// The order that is being written: what the form shows, and how the book, the shares of the balance and the keyboard change
// it. It is kept outside of the components, so that a click in the book draws the form anew and nothing else.

import { useSyncExternalStore } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import {
  add,
  compare,
  type Decimal,
  fromInput,
  isPositive,
  subtract,
} from '../../exact/decimal.ts';

export type OrderKind = 'limit' | 'market';
/** Which of the two the person has typed; the other follows from it. */
export type Basis = 'quantity' | 'total';

export interface Draft {
  readonly side: Side;
  readonly kind: OrderKind;
  readonly basis: Basis;
  /** As typed; may be empty or half a number. */
  readonly price: string;
  /** As typed: base for the basis quantity, quote for total. */
  readonly amount: string;
  readonly postOnly: boolean;
}

export const EMPTY_DRAFT: Draft = {
  side: Side.buy,
  kind: 'limit',
  basis: 'quantity',
  price: '',
  amount: '',
  postOnly: false,
};

/** Only a market buy can be told to spend a total; a limit order has one in either way. */
export function withChange(draft: Draft, change: Partial<Draft>): Draft {
  const next = { ...draft, ...change };
  const marketSell = next.kind === 'market' && next.side === Side.sell;
  if (!marketSell || next.basis === 'quantity') return next;
  return { ...next, basis: 'quantity', amount: '' };
}

/** One tick up or down; an empty field starts at `from`, and nothing falls to 0. */
export function stepped(
  typed: string,
  tick: Decimal,
  direction: 1 | -1,
  from: Decimal | null,
): string {
  const price = fromInput(typed);
  if (price === null) return from ?? typed;
  if (direction === 1) return add(price, tick);
  const lower = subtract(price, tick);
  return isPositive(lower) && compare(lower, tick) >= 0 ? lower : price;
}

/** An order that could not be sent because the login had ended. */
interface Unsent {
  readonly uid: number;
  readonly symbol: string;
  readonly draft: Draft;
}

let unsent: Unsent | null = null;

/** Keeps what was written until this person is back from the login, as long as the page lives. */
export function keepUnsent(kept: Unsent): void {
  unsent = kept;
}

/** What this person had written for the pair when the login ended; it is handed out once. */
export function takeUnsent(uid: number | null, symbol: string): Draft | null {
  if (unsent === null || unsent.uid !== uid || unsent.symbol !== symbol) return null;
  const { draft } = unsent;
  unsent = null;
  return draft;
}

export class DraftStore {
  #draft: Draft;
  readonly #listeners = new Set<() => void>();

  constructor(draft: Draft = EMPTY_DRAFT) {
    this.#draft = draft;
  }

  readonly get = (): Draft => this.#draft;

  readonly change = (change: Partial<Draft>): void => {
    this.#draft = withChange(this.#draft, change);
    for (const listener of this.#listeners) listener();
  };

  /** A price of the book was clicked: it is meant as a limit. */
  readonly pickPrice = (price: Decimal): void => this.change({ kind: 'limit', price });

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const useDraft = (store: DraftStore): Draft =>
  useSyncExternalStore(store.subscribe, store.get);
