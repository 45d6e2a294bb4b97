// The order draft: the state of the order form, and how the book and the keyboard change it. It
// lives outside the components, so a click in the book redraws only the form.
import { useSyncExternalStore } from 'react';
import { mayBeByQuote } from '../../../src/contract/trading/order-rules.ts';
import { type CreateOrderV2Request, type OrdType, Side } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { isStopKind, KINDS, type OrderKind, type TimeInForce } from './kinds.ts';

type Prevention = Exclude<CreateOrderV2Request['selfTradePrevention'], 'none' | undefined>;

/** The field that the user typed; the other one is derived from it. */
export type Basis = 'quantity' | 'total';

export interface Draft {
  readonly side: Side;
  readonly kind: OrderKind;
  readonly basis: Basis;
  /** The text as typed; it may be empty or incomplete. */
  readonly price: string;
  /** As typed: in base for the basis `quantity`, in quote for `total`. */
  readonly amount: string;
  readonly postOnly: boolean;
  /** The price that triggers the stop; a trailing stop trails from it on, or immediately. */
  readonly stopPrice: string;
  /** Which of the two is the distance of a trailing stop. */
  readonly trailBy: 'trailingPercent' | 'trailingAmount';
  readonly trailingPercent: string;
  /** In quote. */
  readonly trailingAmount: string;
  /** The limit of the stop of an OCO pair or a bracket; empty for a market order. */
  readonly stopLimit: string;
  /** The limit order that takes the profit of a bracket. */
  readonly takeProfit: string;
  readonly timeInForce: TimeInForce;
  /** With GTD: local date and time such as 2026-11-24T12:00. */
  readonly expires: string;
  /** The quantity that an iceberg order shows; empty shows all. */
  readonly shown: string;
  /** null: as the pair has it. */
  readonly prevention: Prevention | null;
}

export const EMPTY_DRAFT: Draft = {
  side: Side.buy,
  kind: 'limit',
  basis: 'quantity',
  price: '',
  amount: '',
  postOnly: false,
  stopPrice: '',
  trailBy: 'trailingPercent',
  trailingPercent: '',
  trailingAmount: '',
  stopLimit: '',
  takeProfit: '',
  timeInForce: 'GTC',
  expires: '',
  shown: '',
  prevention: null,
};

/** `execInst` of a post-only order. */
export const POST_ONLY = 6;

type V2Terms = Pick<
  CreateOrderV2Request,
  'timeInForce' | 'expireTime' | 'selfTradePrevention' | 'triggerPriceDirection'
>;

interface Exits {
  readonly stopPx: d.Decimal;
  /** Without it, the stop becomes a market order. */
  readonly stopLimitPx?: d.Decimal;
}

/**
 * An order that the form can send: it has exactly one of the quantities, and a limit has a price.
 */
export interface NewOrder extends V2Terms {
  readonly symbol: string;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly orderQty?: d.Decimal;
  readonly quoteOrderQty?: d.Decimal;
  readonly price?: d.Decimal;
  readonly execInst?: typeof POST_ONLY;
  readonly stopPx?: d.Decimal;
  /** Basis points. */
  readonly trailingDelta?: number;
  readonly trailingAmount?: d.Decimal;
  readonly displayQty?: d.Decimal;
  /** The stop of an OCO pair, beside a limit order. */
  readonly oco?: Exits;
  readonly bracket?: Exits & { readonly takeProfitPx: d.Decimal };
}

export const isSameOrder = (a: NewOrder, b: NewOrder): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export const mayHaveTotal = ({ kind, side }: Draft): boolean =>
  KINDS[kind].hasPrice || mayBeByQuote(KINDS[kind].ordType, side);

/**
 * Another side or kind starts empty, because a trigger, a price or a share of the balance means
 * something else there. A stop that sells at market holds a quantity, so it cannot have a total.
 */
function withChange(draft: Draft, change: Partial<Draft>): Draft {
  const { side = draft.side, kind = draft.kind } = change;
  const isOther = side !== draft.side || kind !== draft.kind;
  const start = isOther ? { ...EMPTY_DRAFT, side, kind, basis: draft.basis } : draft;
  const next = { ...start, ...change };
  if (next.basis === 'quantity' || mayHaveTotal(next)) return next;
  return { ...next, basis: 'quantity', amount: '' };
}

/** One tick up or down. An empty field starts at `from`; the price never falls to 0. */
export function stepped(
  typed: string,
  tick: d.Decimal,
  direction: 1 | -1,
  from: d.Decimal | null,
): string {
  const price = d.fromInput(typed);
  if (price === null) return from ?? typed;
  if (direction === 1) return d.add(price, tick);
  const lower = d.subtract(price, tick);
  return d.isPositive(lower) && d.compare(lower, tick) >= 0 ? lower : price;
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

  /** Takes a price of the book as the limit, or as the trigger of a stop without a limit. */
  readonly pickPrice = (price: d.Decimal): void => {
    const { kind, basis, amount } = this.#draft;
    if (KINDS[kind].hasPrice) this.change({ price });
    else if (isStopKind(kind)) this.change({ stopPrice: price });
    else this.change({ kind: 'limit', price, amount: basis === 'quantity' ? amount : '' });
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const useDraft = (store: DraftStore): Draft =>
  useSyncExternalStore(store.subscribe, store.get);
