// The order draft: the state of the order form, and how the book and the keyboard change it. It
// lives outside the components, so a click in the book redraws only the form.
import { useSyncExternalStore } from 'react';
import { type OrdType, Side } from '../../../src/sdk/generated/codes.ts';
import {
  add,
  compare,
  type Decimal,
  fromInput,
  isPositive,
  subtract,
} from '../../exact/decimal.ts';

export type OrderKind = 'limit' | 'market';
/** The field that the user typed; the other one is derived from it. */
export type Basis = 'quantity' | 'total';

export interface Draft {
  readonly side: Side;
  readonly kind: OrderKind;
  readonly basis: Basis;
  /** As typed: may be empty or incomplete. */
  readonly price: string;
  /** As typed: in base for the basis `quantity`, in quote for `total`. */
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

/** `execInst` of a post-only order. */
export const POST_ONLY = 6;

/**
 * An order that the form can send: it has exactly one of the quantities, and a limit has a price.
 */
export interface NewOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly ordType: typeof OrdType.market | typeof OrdType.limit;
  readonly orderQty?: Decimal;
  readonly quoteOrderQty?: Decimal;
  readonly price?: Decimal;
  readonly execInst?: typeof POST_ONLY;
}

export const isSameOrder = (a: NewOrder, b: NewOrder): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Only a market buy can spend a total, so a market sell goes back to a quantity. */
function withChange(draft: Draft, change: Partial<Draft>): Draft {
  const next = { ...draft, ...change };
  const marketSell = next.kind === 'market' && next.side === Side.sell;
  if (!marketSell || next.basis === 'quantity') return next;
  return { ...next, basis: 'quantity', amount: '' };
}

/** One tick up or down. An empty field starts at `from`; the price never falls to 0. */
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

/** A draft that was not sent because the session expired. */
interface UnsentDraft {
  readonly uid: number;
  readonly symbol: string;
  readonly draft: Draft;
}

let unsent: UnsentDraft | null = null;

/** Keeps the draft until the user has logged in again, as long as the page lives. */
export function keepUnsent(kept: UnsentDraft): void {
  unsent = kept;
}

/** The user's unsent draft for the pair. It is returned once. */
export function takeUnsent(uid: number | undefined, symbol: string): Draft | undefined {
  if (unsent?.uid !== uid || unsent?.symbol !== symbol) return undefined;
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

  /** Takes a price of the book as the limit. */
  readonly pickPrice = (price: Decimal): void => this.change({ kind: 'limit', price });

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const useDraft = (store: DraftStore): Draft =>
  useSyncExternalStore(store.subscribe, store.get);
