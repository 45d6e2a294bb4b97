// Listing instruments and changing their terms: the operator's commands.
import type { AmendInstrument, CreateInstrument } from '../command.ts';
import { FEE_ROLES, isFeeRate } from '../fee-rates.ts';
import {
  gridFault,
  INSTRUMENT_TERMS,
  type InstrumentTerms,
  createInstrument as newInstrument,
} from '../instrument.ts';
import { accepted, type OutcomeOf, rejectedAs } from '../outcome.ts';

import type { State } from '../state.ts';

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
  state.list(newInstrument(securityId, command, base, quote, state));
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
  const terms = INSTRUMENT_TERMS.merge(instrument, command);
  const fault = termsFault(terms);
  if (fault !== null) return rejectedAs('invalidTerms', fault);
  Object.assign(instrument, terms);
  emitChange(state, securityId);
  return accepted({ securityId });
}

function termsFault(terms: InstrumentTerms): string | null {
  if (!(Number.isSafeInteger(terms.minQuantity) && terms.minQuantity > 0)) {
    return 'baseAssetMinOrderSize';
  }
  if (terms.minNotional < 0) return 'quoteAssetMinOrderSize';
  return [...FEE_ROLES, 'priceBand' as const].find((rate) => !isFeeRate(terms[rate])) ?? null;
}

function emitChange(state: State, securityId: number): void {
  if (!state.eventFilter.includesListings) return;
  state.events.push({ type: 'instrumentChanged', securityId, transactTime: state.time });
}
