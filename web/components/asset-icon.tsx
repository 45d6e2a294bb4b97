// The icon of an asset: the operator's image, or else its first letters on its color.

import { assetColor } from './asset-color.ts';
import styles from './asset-icon.module.css';

interface AssetIconProps {
  readonly asset: string;
  /** In pixels. */
  readonly size?: number;
}

/** The assets that the server has an image of. */
const IMAGES = new Set((document.documentElement.dataset.icons ?? '').split(' '));

export function AssetIcon({ asset, size = 22 }: AssetIconProps) {
  const frame = { width: size, height: size, className: styles.icon };
  if (IMAGES.has(asset)) return <img src={`/assets/icons/${asset}.svg`} alt="" {...frame} />;
  return (
    <svg viewBox="0 0 32 32" {...frame} aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={assetColor(asset)} />
      <text x="16" y="20.5" textAnchor="middle">
        {asset.slice(0, asset.length > 3 ? 2 : 3)}
      </text>
    </svg>
  );
}
