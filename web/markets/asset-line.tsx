// A line of a short list: the icon and the name of an asset or a pair, its figures, and a link.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { AssetIcon } from '../components/asset-icon.tsx';
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
