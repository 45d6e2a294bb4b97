// The question before an order gets another price, with the rejection of a price that the exchange
// does not accept.
import { RejectionNote } from '../../../components/states.tsx';
import { SteadyButton } from '../../../components/steady-button.tsx';
import { PlainButton } from '../../../components/texts.tsx';
import { grouped } from '../../../exact/format.ts';
import { feeds } from '../../../live/feeds.ts';
import { useLive } from '../../../live/live.ts';
import { chart as t } from '../../../messages/chart.ts';
import { BOOK_DEPTH } from '../../book/rows.ts';
import { usePair } from '../../context.ts';
import styles from '../chart.module.css';
import { type Move, tradesNow } from './move.ts';
import type { MoveControl } from './use-move.ts';

interface MoveChipProps extends MoveControl {
  readonly move: Move;
}

export function MoveChip({ move, action, use, confirm, cancel }: MoveChipProps) {
  const { symbol, base, priceDecimals } = usePair();
  const { data: book } = useLive(feeds.book(symbol, BOOK_DEPTH));
  const { mark, price } = move;
  const best = { bid: book?.bids[0]?.[0], ask: book?.asks[0]?.[0] };
  const [from, to] = [mark.price, price].map((value) => grouped(value, priceDecimals));
  const what = t.ownOrder(mark, `${grouped(mark.quantity)} ${base}`);
  return (
    <fieldset className={styles.chip} data-moved={mark.orderId} aria-label={t.newPrice}>
      <p aria-live="polite">
        <span className={mark.side}>{what}</span> <span className="dim nowrap">{from} →</span>{' '}
        <b className="nowrap">{to}</b>
      </p>
      {mark.field === 'price' && tradesNow(mark.side, price, best) ? (
        <p className="warn">{t.tradesNow}</p>
      ) : null}
      <RejectionNote
        error={action.error}
        onUse={(nearest, field) => field === mark.field && use(nearest)}
      />
      <div className={styles.chipButtons}>
        <PlainButton size="compact-xs" onClick={cancel}>
          {t.keepPrice}
        </PlainButton>
        <SteadyButton
          size="compact-xs"
          data-confirm
          pending={action.pending}
          off={move.phase === 'sent'}
          onClick={confirm}
        >
          {t.confirmMove}
        </SteadyButton>
      </div>
    </fieldset>
  );
}
