// One asset: its decimals, which can change, and its removal, both until something uses it.
import { useLocation } from 'wouter';
import type { ListedAsset } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { Empty, Loaded, PageFrame, Panel } from '../../components/layout.tsx';
import { useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { AsOf, BackLink, Facts } from '../parts/marks.tsx';
import { RequestPanel, useEditForm } from '../parts/request-form.tsx';
import { assetEditLayout, EMPTY_ASSET } from './instrument-form.ts';

/** Begins the part of the address that names an asset; no symbol of a pair has a colon. */
export const ASSET_PAGE = 'asset:';

const REFRESHES = [feedKey('assets'), feedKey('trialBalance'), ['assets']];

export function AssetPage({ name }: { readonly name: string }) {
  const assets = useLive(feeds.assets);
  return (
    <PageFrame
      title={name}
      lead={<BackLink href="/operator/markets" label={text.allMarkets} />}
      actions={<AsOf live={[assets]} />}
    >
      <Loaded live={assets} rows={4}>
        {(all) => {
          const found = all.find(({ asset }) => asset === name);
          if (found === undefined) return <Empty title={text.noSuchAsset} />;
          return <AssetPanels key={found.scale} asset={found} />;
        }}
      </Loaded>
    </PageFrame>
  );
}

function AssetPanels({ asset }: { readonly asset: ListedAsset }) {
  const { asset: name, assetId, fiat } = asset;
  const users = useUsersOf(name);
  const request = useEditForm(asset, {
    initial: EMPTY_ASSET,
    layout: assetEditLayout,
    send: (body: { readonly scale?: number }) =>
      operator.amendAsset(name, { scale: body.scale ?? asset.scale }),
    done: text.scaleChanged(name),
    refreshes: REFRESHES,
  });
  return (
    <>
      <Panel title={text.asset} actions={<RemoveAsset name={name} isUsed={users.length > 0} />}>
        <Facts
          facts={[
            [text.number, assetId],
            [text.kind, fiat ? text.fiat : text.crypto],
            [text.usedBy, users.length === 0 ? text.none : users.join(', ')],
          ]}
        />
      </Panel>
      <RequestPanel
        title={text.terms}
        lead={text.scaleNote}
        request={request}
        submit={forms.save}
        call={`PATCH /assets/${name}`}
        sentences={() => request.changes ?? []}
      />
    </>
  );
}

/** The pairs, plans and the fee tiers that use an asset. The pages do not know booked money. */
function useUsersOf(name: string): readonly string[] {
  const { data: pairs = [] } = useLive(feeds.instruments);
  const { data: plans = [] } = useLive(feeds.plans);
  const { data: tiers } = useLive(feeds.feeTiers);
  return [
    ...pairs.map(({ symbol }) => symbol).filter((symbol) => symbol.split('-').includes(name)),
    ...plans
      .filter(({ coin, booster }) => coin === name || booster?.coin === name)
      .map(({ planName }) => planName),
    ...(tiers?.volumeAsset === name || tiers?.rates.some(({ asset }) => asset === name)
      ? [text.feeTiers.title]
      : []),
  ];
}

interface RemoveAssetProps {
  readonly name: string;
  readonly isUsed: boolean;
}

function RemoveAsset({ name, isUsed }: RemoveAssetProps) {
  const [, navigate] = useLocation();
  const action = useAction(() => operator.removeAsset(name), {
    done: text.assetRemoved(name),
    refreshes: REFRESHES,
    onDone: () => navigate('/operator/markets'),
  });
  return (
    <ConfirmButton
      label={text.removeAsset}
      action={action}
      disabled={isUsed}
      question={{
        title: text.removeAssetTitle(name),
        consequences: text.removesAsset,
        confirm: text.removeAsset,
        keep: text.keepAsset,
        danger: true,
      }}
    />
  );
}
