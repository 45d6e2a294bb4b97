// A second look at an order that would move the price far, trade most of the balance, or has a limit far past the market. What is sent is what was
// confirmed: the order is kept as it was when it was asked about, and where the book has become worse meanwhile it is asked
// about anew.

import { useState } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import { feeds } from '../../live/feeds.ts';
import { latest } from '../../live/live.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import type { Pair } from '../pair.ts';
import { isWorse, type Market, type Reckoning, reckon } from './reckoning.ts';
import type { NewOrder } from './submission.ts';

/** An order with the figures that were shown of it. */
export interface Asked {
  readonly order: NewOrder;
  readonly reckoning: Reckoning;
  /** The fees that the figures reckon with. */
  readonly rates: Market['rates'];
  /** How often the market has moved away from what was shown. */
  readonly moved: number;
}

export interface SecondLook {
  readonly asked: Asked | null;
  /** Sends the order, or asks first where that is worth it. */
  readonly submit: (order: NewOrder) => void;
  readonly confirm: () => void;
  readonly close: () => void;
}

export function useSecondLook(pair: Pair, send: (order: NewOrder) => void): SecondLook {
  const [asked, setAsked] = useState<Asked | null>(null);
  const submit = (order: NewOrder) => {
    const seen = look(order, pair);
    if (seen.reckoning.concern === null) send(order);
    else setAsked({ ...seen, moved: 0 });
  };
  const confirm = () => {
    if (asked === null) return;
    const now = look(asked.order, pair);
    if (isWorse(asked.order, now.reckoning, asked.reckoning)) {
      setAsked({ ...now, moved: asked.moved + 1 });
      return;
    }
    setAsked(null);
    send(asked.order);
  };
  return { asked, submit, confirm, close: () => setAsked(null) };
}

/** The order in the market of this moment. */
function look(order: NewOrder, pair: Pair): Omit<Asked, 'moved'> {
  const book = latest(feeds.book(pair.symbol, BOOK_DEPTH));
  const rates = latest(feeds.fees)?.find(({ symbol }) => symbol === pair.symbol) ?? null;
  const levels = order.side === Side.buy ? book?.asks : book?.bids;
  const paid = order.side === Side.buy ? pair.quote : pair.base;
  const available = latest(feeds.balances)?.find(({ asset }) => asset === paid)?.available ?? null;
  return { order, rates, reckoning: reckon(order, { pair, levels, rates, available }) };
}
