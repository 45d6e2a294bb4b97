// The model's operator commands: people, assets, instruments, and money from and to the world
// outside.

import type {
  AmendAsset,
  AmendInstrument,
  AmendUser,
  CreateAsset,
  CreateInstrument,
  CreateUser,
  RemoveAsset,
  TransferFunds,
} from '../../src/core/command.ts';
import type { InstrumentTerms } from '../../src/core/instrument.ts';
import { suspend } from './cancels.ts';
import {
  type ExpectedEvent,
  type ExpectedOutcome,
  no,
  type Rejection,
  yes,
} from './expectation.ts';
import type { ModelMarket, ModelTransfer, VenueState } from './state.ts';

const RATE_ONE = 100_000_000;

export function createUser(venue: VenueState, { kyc }: CreateUser): ExpectedOutcome {
  const uid = venue.users.size + 1;
  const fees = { makerFee: null, takerFee: null };
  const alone = { enterpriseId: 0, enterpriseAdmin: false };
  const standing = { kyc, suspended: false, maxOpenOrders: 10_000 };
  venue.users.set(uid, { ...standing, ...alone, ...fees, open: [] });
  return yes({ uid });
}

export function amendUser(venue: VenueState, command: AmendUser): ExpectedOutcome {
  const user = venue.users.get(command.uid);
  if (user === undefined) return no('userUnknown');
  const { makerFee, takerFee, maxOpenOrders } = command;
  for (const rate of [makerFee, takerFee]) {
    if (rate !== null && !(Number.isSafeInteger(rate) && rate >= -1 && rate < RATE_ONE)) {
      return no('invalidTerms');
    }
  }
  if (maxOpenOrders !== null && !isNatural(maxOpenOrders)) return no('invalidTerms');
  const ownRate = (rate: number): bigint | null => (rate === -1 ? null : BigInt(rate));
  if (makerFee !== null) user.makerFee = ownRate(makerFee);
  if (takerFee !== null) user.takerFee = ownRate(takerFee);
  if (maxOpenOrders !== null) user.maxOpenOrders = maxOpenOrders;
  user.kyc = command.kyc ?? user.kyc;
  if (command.suspended !== null) user.suspended = command.suspended;
  if (command.suspended === true) suspend(venue, command.uid);
  return yes({ uid: command.uid });
}

export function createAsset(venue: VenueState, command: CreateAsset): ExpectedOutcome {
  const { asset: name, scale } = command;
  if (venue.assets.some((asset) => asset.name === name)) return no('alreadyExists');
  if (!(isNatural(scale) && scale <= 18)) return no('invalidTerms');
  venue.assets.push({ name, scale });
  return yes({ assetId: venue.assets.length - 1 });
}

export function amendAsset(venue: VenueState, { assetId, scale }: AmendAsset): ExpectedOutcome {
  const asset = venue.assets[assetId];
  if (asset === undefined) return no('assetUnknown');
  if (isUsed(venue, assetId)) return no('assetInUse');
  if (!(isNatural(scale) && scale <= 18)) return no('invalidTerms');
  asset.scale = scale;
  venue.meet('asset: scale changed');
  return yes({ assetId });
}

export function removeAsset(venue: VenueState, { assetId }: RemoveAsset): ExpectedOutcome {
  if (venue.assets[assetId] === undefined) return no('assetUnknown');
  if (isUsed(venue, assetId)) return no('assetInUse');
  // Its number is never given again.
  delete venue.assets[assetId];
  venue.meet('asset: removed');
  return yes({ assetId });
}

function isUsed({ markets, earn, feeTiers, transfers }: VenueState, assetId: number): boolean {
  const named = [
    ...[...markets.values()].flatMap(({ base, quote }) => [base, quote]),
    ...earn.plans.flatMap(({ kind, versions }) => [
      kind.assetId,
      ...versions.map(({ booster }) => booster?.assetId),
    ]),
    ...[feeTiers.volumeAssetId, ...feeTiers.rates.keys()],
    ...[...transfers.values()].map((transfer) => transfer.assetId),
  ];
  return named.includes(assetId);
}

export function createInstrument(venue: VenueState, command: CreateInstrument): ExpectedOutcome {
  const { symbol, tick, lot } = command;
  const base = venue.assets.findIndex((asset) => asset?.name === command.baseAsset);
  const quote = venue.assets.findIndex((asset) => asset?.name === command.quoteAsset);
  if (base < 0 || quote < 0 || base === quote) return no('assetUnknown');
  for (const market of venue.markets.values()) {
    if (market.symbol === symbol) return no('alreadyExists');
  }
  for (const { mantissa, decimals } of [tick, lot]) {
    if (!(isNatural(mantissa) && mantissa > 0 && isNatural(decimals))) return no('invalidTerms');
  }
  // Price and quantity are mantissa × 10^-decimals; each product must be whole in units of its
  // asset.
  const quoteDecimals = venue.assets[quote].scale - tick.decimals - lot.decimals;
  const baseDecimals = venue.assets[base].scale - lot.decimals;
  if (quoteDecimals < 0 || baseDecimals < 0 || !areValid(command)) return no('invalidTerms');
  const market: ModelMarket = {
    securityId: venue.markets.size + 1,
    symbol,
    base,
    quote,
    quotePerTickLot: BigInt(tick.mantissa) * BigInt(lot.mantissa) * 10n ** BigInt(quoteDecimals),
    basePerLot: BigInt(lot.mantissa) * 10n ** BigInt(baseDecimals),
    ...termsOf(command),
    lastPrice: null,
    bids: [],
    asks: [],
    stops: [],
  };
  venue.markets.set(market.securityId, market);
  return changed(venue, market);
}

const termsOf = (terms: InstrumentTerms) => ({
  minQuantity: BigInt(terms.minQuantity),
  minNotional: BigInt(terms.minNotional),
  makerFee: BigInt(terms.makerFee),
  takerFee: BigInt(terms.takerFee),
  prevention: terms.selfTradePrevention,
  band: BigInt(terms.priceBand),
  status: terms.status,
});

/** Rates are from 0 to below 1; the smallest quantity is at least one lot. */
function areValid(
  terms: { readonly [K in keyof InstrumentTerms]: InstrumentTerms[K] | null },
): boolean {
  const { minQuantity, minNotional, makerFee, takerFee, priceBand } = terms;
  if (minQuantity !== null && !(isNatural(minQuantity) && minQuantity > 0)) return false;
  if (minNotional !== null && minNotional < 0) return false;
  return [makerFee, takerFee, priceBand].every(
    (rate) => rate === null || (isNatural(rate) && rate < RATE_ONE),
  );
}

export function amendInstrument(venue: VenueState, command: AmendInstrument): ExpectedOutcome {
  const market = venue.markets.get(command.securityId);
  if (market === undefined) return no('instrumentUnknown');
  if (!areValid(command)) return no('invalidTerms');
  if (command.minQuantity !== null) market.minQuantity = BigInt(command.minQuantity);
  if (command.minNotional !== null) market.minNotional = BigInt(command.minNotional);
  if (command.makerFee !== null) market.makerFee = BigInt(command.makerFee);
  if (command.takerFee !== null) market.takerFee = BigInt(command.takerFee);
  if (command.priceBand !== null) market.band = BigInt(command.priceBand);
  market.prevention = command.selfTradePrevention ?? market.prevention;
  market.status = command.status ?? market.status;
  return changed(venue, market);
}

function changed(venue: VenueState, { securityId }: ModelMarket): ExpectedOutcome {
  venue.events.push({ type: 'instrumentChanged', securityId, transactTime: venue.time });
  return yes({ securityId });
}

export function transferFunds(venue: VenueState, command: TransferFunds): ExpectedOutcome {
  const { uid, assetId, reference } = command;
  const money = BigInt(command.amount);
  if (!venue.users.has(uid)) return no('userUnknown');
  if (venue.assets[assetId] === undefined) return no('assetUnknown');
  if (money <= 0n) return no('invalidTerms');
  const moved = command.direction === 'credit' ? money : -money;
  const asked = { whose: `user ${uid}`, assetId, moved };
  return transferOnce(venue, reference, asked, { type: 'fundsTransferred', uid }, () => {
    if (venue.freeOf(uid, assetId) + moved < 0n) return no('insufficientBalance');
    venue.give(uid, assetId, moved);
    return null;
  });
}

type TransferEvent = Extract<ExpectedEvent, { type: 'fundsTransferred' | 'venueTransferred' }>;
type Account =
  | Pick<Extract<TransferEvent, { type: 'fundsTransferred' }>, 'type' | 'uid'>
  | Pick<Extract<TransferEvent, { type: 'venueTransferred' }>, 'type' | 'owner' | 'account'>;

type Owner = 'user' | 'plan' | 'enterprise' | 'fees';

/** Money from or to the world outside, once per reference. `move` books it, or rejects. */
export function transferOnce(
  venue: VenueState,
  reference: string,
  asked: Pick<ModelTransfer, 'whose' | 'assetId' | 'moved'>,
  account: Account,
  move: () => Rejection | null,
): ExpectedOutcome {
  const { whose, assetId, moved } = asked;
  const first = venue.transfers.get(reference);
  if (first !== undefined) {
    const same = whose === first.whose && assetId === first.assetId && moved === first.moved;
    if (!same) return no('referenceReused');
    venue.meet(`transfer replayed: ${whose.split(' ')[0] as Owner}`);
    const { transferId, seq } = first;
    return { ok: true, result: { transferId, seq }, replayed: true };
  }
  const rejection = move();
  if (rejection !== null) return rejection;
  venue.broughtIn.set(assetId, (venue.broughtIn.get(assetId) ?? 0n) + moved);
  const transferId = venue.nextTransferId++;
  const { seq, time: transactTime } = venue;
  venue.transfers.set(reference, { ...asked, transferId, seq });
  const fields = { transferId, assetId, amount: moved, reference, transactTime };
  venue.events.push({ ...account, ...fields });
  return yes({ transferId, seq });
}

const isNatural = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
