// A QR code as the path of an SVG: one bar for each run of dark modules in a row.
import { encode } from 'uqr';

export interface QrPath {
  /** Modules along an edge, the quiet zone included. */
  readonly size: number;
  /** The `d` of a path, in modules. */
  readonly path: string;
}

/** Readers need four light modules on each side (ISO/IEC 18004). */
const QUIET_ZONE = 4;

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
