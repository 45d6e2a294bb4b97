// getOrders, one call for three questions: its parameters, the search that they ask for, and the
// page. The gateway looks the orders up.

import type { ExecutionReport } from '../../core/event.ts';
import { OrdStatus, OrdType, Side } from '../../core/fix.ts';
import type { State } from '../../core/state.ts';
import { neededField } from '../absent.ts';
import type { AnswerValue } from '../answer.ts';
import { clip, type Infer, integer, numericId, oneOf, optional, text } from '../fields.ts';
import { object } from '../object.ts';
import { MAX_PAGE_ROWS } from '../paging.ts';
import { invalidField } from '../problem.ts';
import { epochMs, ORDER_WINDOW_MS, readOrderWindow, type Window } from '../time-window.ts';
import type * as answers from './answers.ts';
import { order } from './order-report.ts';
import {
  account,
  clOrdId,
  findInstrument,
  MAX_CL_ORD_ID,
  orderId,
  securityId,
  symbol,
} from './orders.ts';

export const DEFAULT_PAGE_SIZE = 500;

/** The size of a page of orders, fills or statement entries. */
export const pageSize = integer({ min: 1, max: MAX_PAGE_ROWS, about: 'Rows on a page.' });

const FILTER_FIELDS = ['side', 'ordType', 'ordStatus', 'clOrdId', 'symbol'] as const;
type FilterField = (typeof FILTER_FIELDS)[number];

export const ordersQuery = object({
  account,
  type: oneOf(['SINGLE', 'OPEN', 'COMPLETED'], {
    about: 'SINGLE: by orderId or clOrdId. OPEN: new or partially filled. COMPLETED: all orders.',
  }),
  orderId: optional(orderId),
  clOrdId: optional(clOrdId('The client’s id.'), ''),
  symbol: optional(symbol()),
  securityId: optional(securityId),
  lastRowId: optional(numericId('lastRowId of the page before: continues with older orders.')),
  size: optional(pageSize, DEFAULT_PAGE_SIZE),
  startDate: optional(
    epochMs('Created from this time on; by default 30 days ago, for OPEN any time ago.'),
  ),
  endDate: optional(epochMs('Created up to this time; by default now.')),
  filter: optional(
    text({
      max: MAX_CL_ORD_ID + 'clOrdId,'.length,
      ascii: true,
      about: `<field>,<value>; the field is one of ${FILTER_FIELDS.join(', ')}.`,
    }),
  ),
});
export type OrdersQueryParameters = Infer<typeof ordersQuery>;

/** Conditions on an order; all that are given must hold. */
interface OrderConditions {
  readonly securityId?: number;
  readonly side?: Side;
  readonly ordType?: OrdType;
  readonly ordStatus?: OrdStatus;
  readonly clOrdId?: string;
}

/** The orders to find, and which page of them. */
export interface OrderTerms extends Window {
  readonly orderId?: number;
  readonly lastRowId?: number;
  /** The same as in OrdersQuery of the views. */
  readonly fromRowId?: number;
  readonly size: number;
  readonly filter: OrderConditions;
}

export interface OrderSearch {
  readonly terms: OrderTerms;
  /** Only orders that rest in a book. */
  readonly open: boolean;
  /** Two conditions exclude each other, so no order matches. */
  readonly impossible: boolean;
}

/**
 * The search of the parameters. `now` is business time, ms. COMPLETED has a window, the last 30
 * days unless given; OPEN only if given, since its owner must see old orders; SINGLE none. Throws
 * invalidField, unknownSymbol, symbolMismatch, dateWindow.
 */
export function readOrderSearch(
  state: State,
  query: OrdersQueryParameters,
  now: number,
): OrderSearch {
  const { type, size, lastRowId } = query;
  if (type === 'SINGLE' && query.orderId === undefined && query.clOrdId === '') {
    throw neededField(query, 'orderId', 'an orderId, or clOrdId must be given, for type SINGLE');
  }
  const instrument = findInstrument(state, query);
  const named: OrderConditions = {
    ...(instrument === undefined ? {} : { securityId: instrument.securityId }),
    ...(query.clOrdId === '' ? {} : { clOrdId: query.clOrdId }),
  };
  const filtered = query.filter === undefined ? {} : readFilter(state, query.filter);
  const terms = {
    ...(type === 'SINGLE' ? {} : windowOf(query, now)),
    ...(query.orderId === undefined ? {} : { orderId: query.orderId }),
    ...(lastRowId === undefined ? {} : { lastRowId }),
    size,
    filter: { ...named, ...filtered },
  };
  return { terms, open: type === 'OPEN', impossible: exclude(named, filtered) };
}

function windowOf(query: OrdersQueryParameters, now: number): Window {
  const window = readOrderWindow(query, now);
  return query.type === 'OPEN' ? window : { start: now - ORDER_WINDOW_MS, ...window };
}

function exclude(named: OrderConditions, filtered: OrderConditions): boolean {
  const differ = <T>(a: T | undefined, b: T | undefined): boolean =>
    a !== undefined && b !== undefined && a !== b;
  return differ(named.securityId, filtered.securityId) || differ(named.clOrdId, filtered.clOrdId);
}

/** Reads `<field>,<value>`; a clOrdId may hold commas itself. */
function readFilter(state: State, filter: string): OrderConditions {
  const comma = filter.indexOf(',');
  const name = comma < 0 ? filter : filter.slice(0, comma);
  const field = FILTER_FIELDS.find((known) => known === name);
  if (comma < 0 || field === undefined) {
    const sent = clip(filter);
    const fields = FILTER_FIELDS.join(', ');
    const must = `be <field>,<value> with a field of ${fields}; "${sent}" was sent`;
    throw invalidField('filter', must, { rule: 'filter', value: sent });
  }
  return FILTERS[field](filter.slice(comma + 1), state);
}

const FILTERS: Readonly<Record<FilterField, (value: string, state: State) => OrderConditions>> = {
  side: (value) => ({ side: oneOf(Object.values(Side)).readText(value, 'filter') }),
  ordType: (value) => ({ ordType: oneOf(Object.values(OrdType)).readText(value, 'filter') }),
  ordStatus: (value) => ({ ordStatus: oneOf(Object.values(OrdStatus)).readText(value, 'filter') }),
  clOrdId: (value) => ({ clOrdId: clOrdId('').readText(value, 'filter') }),
  symbol: (value, state) => {
    const instrument = findInstrument(state, { symbol: value, securityId: undefined });
    return { securityId: instrument!.securityId };
  },
};

/**
 * One page of orders, newest first; its lastRowId requests the next. A page with fewer rows than
 * `size` is the last. currentPage is always 1, since rows identify pages.
 */
export function writeOrderPage(
  state: State,
  reports: readonly ExecutionReport[],
  size: number,
): AnswerValue<typeof answers.orderPage> {
  return {
    data: reports.map((report) => order.write(report, state.instruments[report.securityId]!)),
    pagination: {
      currentPage: 1,
      size,
      startRowId: reports[0]?.orderId ?? null,
      lastRowId: reports.at(-1)?.orderId ?? null,
    },
  };
}
