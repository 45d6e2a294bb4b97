// The instruments as the exchange that feeds the views has them. Their assets never change.

interface ListedInstrument {
  readonly base: { readonly assetId: number };
  readonly quote: { readonly assetId: number };
}

/** By securityId; place 0 is empty. */
export type Listings = () => readonly (ListedInstrument | undefined)[];

/** The two assets of an instrument, by assetId. */
export function assetsOf(listings: Listings, securityId: number): { base: number; quote: number } {
  const { base, quote } = listings()[securityId]!;
  return { base: base.assetId, quote: quote.assetId };
}
