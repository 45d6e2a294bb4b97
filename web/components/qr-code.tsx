// A QR code that is drawn in the page, so that its content is sent nowhere.
import { useMemo } from 'react';
import { encode } from 'uqr';
import styles from './qr-code.module.css';

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

interface QrPath {
  /** Modules along an edge, the quiet zone included. */
  readonly size: number;
  /** The `d` of a path, in modules. */
  readonly path: string;
}

/** Readers need four light modules on each side (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** One bar for each run of dark modules in a row. */
export function qrPath(text: string): QrPath {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  return { size, path: data.map(rowPath).join('') };
}

function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    let end = x;
    while (row[end]) end++;
    path += `M${x} ${y}h${end - x}v1h${x - end}z`;
    x = end;
  }
  return path;
}
