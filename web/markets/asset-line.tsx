// A line of a short list: the icon and the name of an asset or a pair, its figures, and a link.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { AssetIcon } from '../components/asset-icon.tsx';
import { Change } from '../components/figures.tsx';
import { grouped } from '../exact/format.ts';
import type { PairRow } from '../trade/market/pair-rows.ts';
import { assetsOf } from '../trade/pair.ts';
import styles from './markets.module.css';

interface AssetLineProps {
  readonly href: string;
  readonly asset: string;
  readonly name: string;
  readonly children: ReactNode;
}

export const AssetLine = ({ href, asset, name, children }: AssetLineProps) => (
  <li>
    <Link href={href} className={styles.item}>
      <AssetIcon asset={asset} />
      <span className={styles.itemName}>{name}</span>
      {children}
    </Link>
  </li>
);

interface PairLineProps {
  readonly row: PairRow;
  /** The symbol unless given. */
  readonly name?: string;
}

/** A pair with its price and its change of the last 24 hours. */
export function PairLine({ row, name = row.symbol }: PairLineProps) {
  const { symbol, last, priceDecimals, change } = row;
  return (
    <AssetLine href={`/trade/${symbol}`} asset={assetsOf(symbol)[0]} name={name}>
      <span className="figures">{last === null ? '–' : grouped(last, priceDecimals)}</span>
      <Change rate={change} />
    </AssetLine>
  );
}
