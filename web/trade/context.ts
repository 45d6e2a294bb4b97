// The contexts of the trade page: panels and fields get the pair and the draft from them.
import { createContext, useContext } from 'react';
import type { Decimal } from '../exact/decimal.ts';
import type { Draft, DraftStore } from './form/draft.ts';
import type { FormFault } from './form/fault.ts';
import type { Pair } from './pair.ts';

/** The panels of the page share this. */
export interface Desk {
  readonly pair: Pair;
  readonly store: DraftStore;
  /** Takes a price of the book as the limit. */
  readonly pickPrice: (price: Decimal) => void;
  /** Shows the keyboard shortcuts. */
  readonly openHelp: () => void;
}

export const DeskContext = createContext<Desk | null>(null);
export const useDesk = (): Desk => useContext(DeskContext)!;
export const usePair = (): Pair => useDesk().pair;

/** The fields and notes of the order form share this. */
export interface OrderForm {
  readonly pair: Pair;
  readonly draft: Draft;
  /** The balance of the asset that the order pays with; null while unknown. */
  readonly available: Decimal | null;
  /** The last price, for orders with a trigger; null while unknown. */
  readonly last: Decimal | null;
  /** A change by the user. */
  readonly change: (change: Partial<Draft>) => void;
  /** Why the form cannot send any order now; null if it can. */
  readonly sendProblem: string | null;
  /** The field of the fault, or of the exchange's rejection. */
  readonly faultOn: FormFault['field'] | null;
}

export const OrderFormContext = createContext<OrderForm | null>(null);
export const useOrderForm = (): OrderForm => useContext(OrderFormContext)!;
