// Assets: what can be owned, and how finely it divides.
import { boolean, byte, record, text } from './codec.ts';
import { Fact, type StateHash } from './state-hash.ts';

export interface Asset {
  /** Dense, from 0, in order of listing. */
  readonly assetId: number;
  readonly name: string;
  /** Decimals of the smallest unit, 0–18. */
  readonly scale: number;
  readonly fiat: boolean;
}

export const MAX_SCALE = 18;

/** An asset in a snapshot. Its id is its place. */
export const ASSET = record<Omit<Asset, 'assetId'>>({ name: text, scale: byte, fiat: boolean });

export function hashAsset(hash: StateHash, { assetId, name, scale, fiat }: Asset): void {
  hash.begin(Fact.asset);
  hash.text(name);
  hash.number(assetId * 64 + scale * 2 + (fiat ? 1 : 0));
  hash.add();
}
