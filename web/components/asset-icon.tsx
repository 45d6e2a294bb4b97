// The icon of an asset: its first letters on its color.

import { assetColor } from './asset-color.ts';
import styles from './asset-icon.module.css';

interface AssetIconProps {
  readonly asset: string;
  /** In pixels. */
  readonly size?: number;
}

export const AssetIcon = ({ asset, size = 22 }: AssetIconProps) => (
  <svg viewBox="0 0 32 32" width={size} height={size} className={styles.icon} aria-hidden="true">
    <circle cx="16" cy="16" r="16" fill={assetColor(asset)} />
    <text x="16" y="20.5" textAnchor="middle">
      {asset.slice(0, asset.length > 3 ? 2 : 3)}
    </text>
  </svg>
);
