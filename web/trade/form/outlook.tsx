// What would come of the order in the book of this moment, and the button that sends it: off, with the reason above it, where
// the page knows that the order cannot pass. The book changes many times a second, and only this part of the form with it.
import { Side } from '../../../src/sdk/codes.ts';
import { type Decimal, isPositive } from '../../exact/decimal.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { useSession } from '../../session/session.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { EstimateView } from './estimate-view.tsx';
import { foreseenFault } from './foreseen.ts';
import { type Market, reckon } from './reckoning.ts';
import { draftedOrder, type FormOutcome } from './request.ts';
import { SubmitArea } from './submit-area.tsx';

export interface OutlookProps {
  readonly pair: Pair;
  readonly draft: Draft;
  /** Of the asset that is paid with; null while it is not known. */
  readonly available: Decimal | null;
  readonly outcome: FormOutcome;
  readonly offline: boolean;
  readonly pending: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

const NOTE = 'order-note';

export function Outlook(props: OutlookProps) {
  const { pair, draft, available, outcome, offline, pending, onChange } = props;
  const market = useMarket(pair, draft, available);
  const order = draftedOrder(draft, pair);
  const isSized = order !== null && isPositive(order.orderQty ?? order.quoteOrderQty!);
  const reckoning = isSized ? reckon(order, market) : null;
  const fault =
    outcome.kind === 'fault'
      ? outcome.fault
      : foreseenFault({ pair, draft, levels: market.levels, available, reckoning });
  return (
    <>
      <EstimateView
        pair={pair}
        draft={draft}
        market={market}
        reckoning={reckoning}
        fault={fault}
        noteId={NOTE}
        onChange={onChange}
      />
      <SubmitArea
        pair={pair}
        draft={draft}
        ready={outcome.kind === 'ready' && fault === null}
        reason={fault === null ? undefined : NOTE}
        offline={offline}
        pending={pending}
      />
    </>
  );
}

function useMarket(pair: Pair, { side }: Draft, available: Decimal | null): Market {
  const { state } = useSession();
  const { data: book } = useLive(feeds.book(pair.symbol, BOOK_DEPTH));
  const { data: fees } = useLive(state === 'loggedIn' ? feeds.fees : null);
  const rates = fees?.find(({ symbol }) => symbol === pair.symbol) ?? null;
  return { pair, levels: side === Side.buy ? book?.asks : book?.bids, rates, available };
}
