// Shares of the balance as clicks, and the balance itself.

import { UnstyledButton } from '@mantine/core';
import { Side } from '../../../src/sdk/codes.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { PERCENTS, type Percent } from './estimate.ts';
import styles from './order-form.module.css';
import { type Available, withShare } from './share.ts';

export interface ShareButtonsProps {
  readonly pair: Pair;
  readonly draft: Draft;
  /** null without a login. */
  readonly available: Available | null;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function ShareButtons({ pair, draft, available, onChange }: ShareButtonsProps) {
  // Only a quantity that is bought at the market is reckoned from the book.
  const byBook = draft.kind === 'market' && draft.side === Side.buy && draft.basis === 'quantity';
  const { data: book } = useLive(byBook ? feeds.book(pair.symbol, BOOK_DEPTH) : null);
  const shareFor = (percent: Percent) =>
    available === null ? null : withShare(draft, pair, available, percent, book?.asks ?? []);
  const take = (percent: Percent) => {
    const change = shareFor(percent);
    if (change !== null) onChange(change);
  };
  const asset = draft.side === Side.buy ? pair.quote : pair.base;
  const balance = draft.side === Side.buy ? available?.quote : available?.base;
  return (
    <div>
      <div className={styles.shares}>
        {PERCENTS.map((percent) => (
          <UnstyledButton
            key={percent}
            className={styles.share}
            onClick={() => take(percent)}
            disabled={shareFor(percent) === null}
            aria-label={`${percent} percent of the available ${asset}`}
          >
            {percent}%
          </UnstyledButton>
        ))}
      </div>
      <div className={styles.line}>
        <span className="dim">Available</span>
        <span className="figures">
          {balance === undefined ? '–' : grouped(balance)} <span className="dim">{asset}</span>
        </span>
      </div>
    </div>
  );
}
