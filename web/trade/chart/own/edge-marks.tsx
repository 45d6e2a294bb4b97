// The marks at the edges of the price chart: how many own orders and fills are above and below the
// view. A press shows all of them.
import { IconArrowNarrowDown, IconArrowNarrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import { grouped } from '../../../exact/format.ts';
import { chart as t } from '../../../messages/chart.ts';
import { usePair } from '../../context.ts';
import styles from '../chart.module.css';
import type { Edges } from './marks.ts';

interface EdgeMarksProps {
  readonly edges: Edges;
  /** True if the prices extend to all own orders. */
  readonly onFit: (all: boolean) => void;
}

export function EdgeMarks({ edges, onFit }: EdgeMarksProps) {
  const { priceDecimals } = usePair();
  const [fitsAll, setFitsAll] = useState(false);
  const fit = (all: boolean) => {
    setFitsAll(all);
    onFit(all);
  };
  return (
    <>
      {(['above', 'below'] as const).map((name) => {
        const { orders, fills, nearest } = edges[name];
        if (nearest === null) return null;
        const Arrow = name === 'above' ? IconArrowNarrowUp : IconArrowNarrowDown;
        const price = grouped(nearest.toFixed(priceDecimals));
        return (
          <button
            key={name}
            type="button"
            className={`${styles.edge} figures`}
            data-edge={name}
            onClick={() => fit(true)}
            title={t.edgeHint(name === 'above')}
          >
            <Arrow size={14} aria-hidden />
            <span>{t.edge(orders, fills)}</span>
            <span className={styles.edgePrice}>{price}</span>
          </button>
        );
      })}
      {fitsAll ? (
        <button type="button" className={styles.edge} data-edge="fit" onClick={() => fit(false)}>
          {t.fitCandles}
        </button>
      ) : null}
    </>
  );
}
