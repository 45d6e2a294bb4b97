// A QR code that is drawn in the page, so that its content is sent nowhere.
import { useMemo } from 'react';
import styles from './qr-code.module.css';
import { qrPath } from './qr-path.ts';

export interface QrCodeProps {
  readonly value: string;
  /** Its name for screen readers. */
  readonly label: string;
}

export function QrCode({ value, label }: QrCodeProps) {
  const { size, path } = useMemo(() => qrPath(value), [value]);
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={path} />
    </svg>
  );
}
