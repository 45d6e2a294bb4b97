// Listing assets and instruments and changing their terms: the operator's commands.
import type { AmendInstrument, CreateAsset, CreateInstrument } from '../command.ts';
import {
  type Asset,
  gridFault,
  MAX_SCALE,
  createInstrument as newInstrument,
} from '../instrument.ts';
import { accepted, type OutcomeOf, rejectedAs } from '../outcome.ts';

import type { State } from '../state.ts';
import { RATE_ONE } from '../units.ts';

export function createAsset(state: State, command: CreateAsset): OutcomeOf<'createAsset'> {
  const { asset: name, scale, fiat } = command;
  if (state.assetNamed(name) !== undefined) return rejectedAs('alreadyExists', 'asset');
  if (!(Number.isSafeInteger(scale) && scale >= 0 && scale <= MAX_SCALE)) {
    return rejectedAs('invalidTerms', 'scale');
  }
  const asset: Asset = { assetId: state.assets.length, name, scale, fiat };
  state.assets.push(asset);
  return accepted({ assetId: asset.assetId });
}

export function createInstrument(
  state: State,
  command: CreateInstrument,
): OutcomeOf<'createInstrument'> {
  const base = state.assetNamed(command.baseAsset);
  const quote = state.assetNamed(command.quoteAsset);
  if (base === undefined || quote === undefined || base === quote) {
    return rejectedAs('assetUnknown', 'symbol');
  }
  if (state.instrumentNamed(command.symbol) !== undefined) {
    return rejectedAs('alreadyExists', 'symbol');
  }
  const fault = gridFault(command.tick, command.lot, base, quote) ?? termsFault(command);
  if (fault !== null) return rejectedAs('invalidTerms', fault);

  const securityId = state.instruments.length;
  state.list(newInstrument(securityId, command, base, quote, state.orders));
  emitChange(state, securityId);
  return accepted({ securityId });
}

export function amendInstrument(
  state: State,
  command: AmendInstrument,
): OutcomeOf<'amendInstrument'> {
  const { securityId } = command;
  const instrument = state.instruments[securityId];
  if (instrument === undefined) return rejectedAs('instrumentUnknown', 'symbol');
  const terms = {
    minQuantity: command.minQuantity ?? instrument.minQuantity,
    minNotional: command.minNotional ?? instrument.minNotional,
    makerFee: command.makerFee ?? instrument.makerFee,
    takerFee: command.takerFee ?? instrument.takerFee,
    selfTradePrevention: command.selfTradePrevention ?? instrument.selfTradePrevention,
    priceBand: command.priceBand ?? instrument.priceBand,
    status: command.status ?? instrument.status,
  };
  const fault = termsFault(terms);
  if (fault !== null) return rejectedAs('invalidTerms', fault);
  Object.assign(instrument, terms);
  emitChange(state, securityId);
  return accepted({ securityId });
}

type Terms = Pick<
  CreateInstrument,
  'minQuantity' | 'minNotional' | 'makerFee' | 'takerFee' | 'priceBand'
>;

function termsFault(terms: Terms): string | null {
  if (!(Number.isSafeInteger(terms.minQuantity) && terms.minQuantity > 0)) {
    return 'baseAssetMinOrderSize';
  }
  if (terms.minNotional < 0) return 'quoteAssetMinOrderSize';
  for (const field of ['makerFee', 'takerFee', 'priceBand'] as const) {
    // Such a fee or band has no use: it is a slip of the decimal point.
    if (!(Number.isSafeInteger(terms[field]) && terms[field] >= 0 && terms[field] < RATE_ONE)) {
      return field;
    }
  }
  return null;
}

function emitChange(state: State, securityId: number): void {
  if (!state.eventFilter.includesListings) return;
  state.events.push({ type: 'instrumentChanged', securityId, transactTime: state.time });
}
