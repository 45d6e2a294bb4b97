// Listing assets: the operator's commands. An asset that nothing uses may still be corrected or
// removed, since no amount of it exists anywhere.
import type { AmendAsset, CreateAsset, RemoveAsset } from '../command.ts';
import { type Asset, MAX_SCALE } from '../instrument.ts';
import { accepted, type OutcomeOf, rejected, rejectedAs } from '../outcome.ts';
import { rejection } from '../reject.ts';
import type { State } from '../state.ts';

export function createAsset(state: State, command: CreateAsset): OutcomeOf<'createAsset'> {
  const { asset: name, scale, fiat } = command;
  if (state.assetNamed(name) !== undefined) return rejectedAs('alreadyExists', 'asset');
  if (!isScale(scale)) return rejectedAs('invalidTerms', 'scale');
  const asset: Asset = { assetId: state.assets.length, name, scale, fiat, hasMoved: false };
  state.assets.push(asset);
  return accepted({ assetId: asset.assetId });
}

export function amendAsset(state: State, command: AmendAsset): OutcomeOf<'amendAsset'> {
  const { assetId, scale } = command;
  const asset = state.assets[assetId];
  if (asset === undefined) return rejectedAs('assetUnknown', 'asset');
  const usage = usageOf(state, asset);
  if (usage !== null) return rejected(rejection('assetInUse', 'asset', usage));
  if (!isScale(scale)) return rejectedAs('invalidTerms', 'scale');
  state.assets[assetId] = { ...asset, scale };
  return accepted({ assetId });
}

export function removeAsset(state: State, { assetId }: RemoveAsset): OutcomeOf<'removeAsset'> {
  const asset = state.assets[assetId];
  if (asset === undefined) return rejectedAs('assetUnknown', 'asset');
  const usage = usageOf(state, asset);
  if (usage !== null) return rejected(rejection('assetInUse', 'asset', usage));
  state.assets[assetId] = undefined;
  return accepted({ assetId });
}

const isScale = (scale: number): boolean =>
  Number.isSafeInteger(scale) && scale >= 0 && scale <= MAX_SCALE;

/** A stable word for the records that need the asset, or null. */
function usageOf({ instruments, earn, feeTiers }: State, asset: Asset): string | null {
  const { assetId } = asset;
  if (asset.hasMoved) return 'money';
  if (instruments.some((one) => one?.base === asset || one?.quote === asset)) return 'instruments';
  const isPlans = earn.plans.some(
    (plan) =>
      plan?.assetId === assetId ||
      plan?.versions.some(({ booster }) => booster?.assetId === assetId),
  );
  if (isPlans) return 'plans';
  const { table } = feeTiers;
  const isRate = table?.rates.some((rate) => rate.assetId === assetId) === true;
  return isRate || table?.volumeAssetId === assetId ? 'feeTiers' : null;
}
