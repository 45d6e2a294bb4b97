// The operator's calls about what is traded: assets, instruments and their terms, and the fees by
// volume.
import { listedAsset, listedInstrument, removedAsset } from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import { toSetFeeTiers, writeFeeTiers } from '../../../contract/operator/fee-tiers.ts';
import {
  assetsOfSymbol,
  toAmendInstrument,
  toCreateInstrument,
} from '../../../contract/operator/listing.ts';
import { requireSomeField } from '../../../contract/operator/users.ts';
import type { Instrument } from '../../../core/instrument.ts';
import type { Route } from '../../http/route.ts';
import { operates, reads, rejected } from '../kinds.ts';
import { instrumentNamed } from './call.ts';

/** For the audit log. A long text may be a secret in the wrong place. */
const assetOf = (name: string): string => (/^[A-Z0-9]{1,15}$/.test(name) ? name : '?');

const writeInstrument = (one: Instrument) => listedInstrument.write(one, one);

export const operatorListingRoutes: readonly Route[] = [
  operates(
    operatorCalls.createAsset,
    { action: 'asset.create', object: (_, body) => body?.asset ?? null },
    (_, { body }) => ({ type: 'createAsset', ...body }),
    ({ assetId }, { assets }) => listedAsset.write(assets[assetId]!),
  ),
  operates(
    operatorCalls.amendAsset,
    { action: 'asset.amend', object: ({ asset }) => assetOf(asset!) },
    (state, { params, body }) => {
      const asset = state.assetNamed(params.asset!);
      return asset === undefined
        ? rejected('assetUnknown', 'asset')
        : { type: 'amendAsset', assetId: asset.assetId, ...body };
    },
    ({ assetId }, { assets }) => listedAsset.write(assets[assetId]!),
  ),
  operates(
    operatorCalls.removeAsset,
    { action: 'asset.remove', object: ({ asset }) => assetOf(asset!) },
    (state, { params }) => {
      const asset = state.assetNamed(params.asset!);
      return asset === undefined
        ? rejected('assetUnknown', 'asset')
        : { type: 'removeAsset', assetId: asset.assetId };
    },
    (result) => removedAsset.write(result),
  ),
  reads(
    operatorCalls.assets,
    ({ listedAssets }) => listedAssets.map((each) => listedAsset.write(each)),
    {
      action: 'asset.list',
    },
  ),
  operates(
    operatorCalls.createInstrument,
    { action: 'instrument.create', object: (_, body) => body?.symbol ?? null },
    (state, { body }) => {
      const [base, quote] = assetsOfSymbol(body.symbol).map((name) => state.assetNamed(name));
      return base === undefined || quote === undefined || base === quote
        ? rejected('assetUnknown', 'symbol')
        : toCreateInstrument(body, base, quote);
    },
    ({ securityId }, { instruments }) => writeInstrument(instruments[securityId]!),
  ),
  reads(
    operatorCalls.instruments,
    ({ instruments }) => instruments.filter((one) => one !== undefined).map(writeInstrument),
    { action: 'instrument.list' },
  ),
  operates(
    operatorCalls.amendInstrument,
    { action: 'instrument.amend', object: ({ symbol }) => symbol! },
    (state, { params, body }) => {
      const instrument = instrumentNamed(state, params.symbol!);
      requireSomeField(body);
      return toAmendInstrument(body, instrument);
    },
    (_, state, { params }) => writeInstrument(instrumentNamed(state, params.symbol!)),
  ),
  reads(operatorCalls.feeTiers, writeFeeTiers, { action: 'feeTiers.read' }),
  operates(
    operatorCalls.setFeeTiers,
    { action: 'feeTiers.amend' },
    (state, { body }) => toSetFeeTiers(state, body),
    (_, state) => writeFeeTiers(state),
  ),
];
