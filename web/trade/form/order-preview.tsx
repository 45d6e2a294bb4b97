// The estimate of the order in the current book, and the button that sends it. The book changes
// many times a second and redraws only this part of the form.
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Side } from '../../../src/sdk/generated/codes.ts';
import { SteadyButton } from '../../components/steady-button.tsx';
import { type Decimal, isPositive } from '../../exact/decimal.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { useSession } from '../../session/session.ts';
import { BOOK_DEPTH } from '../book/rows.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { estimateOrder, type Market } from './estimate.ts';
import { EstimateView } from './estimate-view.tsx';
import styles from './order-form.module.css';
import { bookFault, closedReason, type FormState, orderOf } from './validation.ts';

export interface OrderPreviewProps {
  readonly pair: Pair;
  readonly draft: Draft;
  /** The balance of the asset that the order pays with; null while unknown. */
  readonly available: Decimal | null;
  readonly state: FormState;
  readonly offline: boolean;
  readonly pending: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

const NOTE_ID = 'order-note';

export function OrderPreview(props: OrderPreviewProps) {
  const { pair, draft, available, state, offline, pending, onChange } = props;
  const market = useMarket(pair, draft, available);
  const order = orderOf(draft, pair);
  const isSized = order !== null && isPositive(order.orderQty ?? order.quoteOrderQty!);
  const estimate = isSized ? estimateOrder(order, market) : null;
  const fault =
    state.kind === 'fault'
      ? state.fault
      : bookFault({ pair, draft, levels: market.levels, available, estimate });
  return (
    <>
      <EstimateView
        pair={pair}
        draft={draft}
        market={market}
        estimate={estimate}
        fault={fault}
        noteId={NOTE_ID}
        onChange={onChange}
      />
      <SubmitArea
        pair={pair}
        draft={draft}
        ready={state.kind === 'ready' && fault === null}
        reasonId={fault === null ? undefined : NOTE_ID}
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

interface SubmitAreaProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly ready: boolean;
  /** The id of the note that says why it is not ready. */
  readonly reasonId: string | undefined;
  /** Sending is off without a connection, because the outcome would be unknown. */
  readonly offline: boolean;
  readonly pending: boolean;
}

/** The button that places the order; for a visitor, links to log in or sign up. */
function SubmitArea({ pair, draft, ready, reasonId, offline, pending }: SubmitAreaProps) {
  const { state } = useSession();
  if (state === 'loggedOut') {
    const next = `?next=/trade/${pair.symbol}`;
    return (
      <div className={styles.entry}>
        <Button component={Link} href={`/login${next}`} fullWidth>
          {t.logInToTrade}
        </Button>
        <Button component={Link} href={`/register${next}`} variant="default" fullWidth>
          {t.signUp}
        </Button>
      </div>
    );
  }
  const buys = draft.side === Side.buy;
  const closed = closedReason(draft, pair) !== null;
  return (
    <SteadyButton
      type="submit"
      fullWidth
      size="md"
      className={styles.submit}
      data-side={buys ? 'buy' : 'sell'}
      off={!ready || offline || closed || state !== 'loggedIn'}
      title={offline ? t.form.offline : undefined}
      pending={pending}
      aria-describedby={reasonId}
    >
      {t.form.submit(buys, pair.base)}
    </SteadyButton>
  );
}
