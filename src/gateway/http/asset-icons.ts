// The icons of assets that the operator gives as SVG files, read at the start. They are served as
// images only: their policy allows no script, no style sheet of a host and no data of one.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 32 * 1024;
const MAX_ICONS = 1_000;
const FILE = /^([A-Z0-9]{1,20})\.svg$/;

/** By asset; the files of a directory such as BTC.svg. Throws for one that cannot be an icon. */
export type AssetIcons = ReadonlyMap<string, Blob>;

export const ICON_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function readAssetIcons(directory: string | null): AssetIcons {
  if (directory === null) return new Map();
  const icons = readdirSync(directory).flatMap((name): [string, Blob][] => {
    const asset = FILE.exec(name)?.[1];
    return asset === undefined ? [] : [[asset, readIcon(join(directory, name))]];
  });
  if (icons.length > MAX_ICONS) {
    throw new Error(`${directory} has ${icons.length} icons; at most ${MAX_ICONS} are served`);
  }
  return new Map(icons);
}

function readIcon(path: string): Blob {
  const { size } = statSync(path);
  if (size > MAX_BYTES) {
    throw new Error(`${path} has ${size} bytes; an asset icon has at most ${MAX_BYTES}`);
  }
  const bytes = readFileSync(path);
  if (!bytes.includes('<svg')) throw new Error(`${path} is not an SVG image`);
  return new Blob([bytes]);
}
