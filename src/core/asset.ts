// Assets: what can be owned, and how finely it divides.

export interface Asset {
  /** Dense, from 0, in order of listing. */
  readonly assetId: number;
  readonly name: string;
  /** Decimals of the smallest unit, 0–18. */
  readonly scale: number;
  readonly fiat: boolean;
}

export const MAX_SCALE = 18;
