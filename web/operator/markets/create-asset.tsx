// The form that lists a new asset.
import { useLocation } from 'wouter';
import type { OperatorCreateAssetRequest } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { divideDown, fixedDown } from '../../exact/decimal.ts';
import { useLive } from '../../live/live.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import { feeds, keys, operator } from '../data.ts';
import { BackLink } from '../parts/marks.tsx';
import { type Layout, RequestPanel, useRequestForm } from '../parts/request-form.tsx';
import { type AssetValues, EMPTY_ASSET, parseAsset } from './instrument.ts';

const unitOf = (scale: number): string =>
  fixedDown(divideDown('1', `1${'0'.repeat(scale)}`, scale), scale);

const sentences = ({ asset, scale, fiat }: Required<OperatorCreateAssetRequest>) => [
  text.createsAsset(asset, unitOf(scale)),
  fiat ? text.createsFiat : text.createsCrypto,
  text.createsNothing,
];

const layout: Layout<AssetValues> = [
  { kind: 'text', name: 'asset', label: text.assetName, description: text.assetNameUse },
  { kind: 'integer', name: 'scale', label: text.decimals, description: text.decimalsUse },
  { kind: 'checkbox', name: 'fiat', label: text.fiat },
];

export function CreateAsset() {
  const [, navigate] = useLocation();
  const listed = useLive(feeds.assets).data ?? [];
  const request = useRequestForm(EMPTY_ASSET, (values) => parseAsset(values, listed));
  const create = useAction((body: OperatorCreateAssetRequest) => operator.createAsset(body), {
    done: ({ asset }) => text.assetListed(asset),
    refreshes: [keys.assets, keys.trialBalance, ['assets']],
    onDone: () => navigate('/operator/markets'),
  });
  return (
    <PageFrame
      title={text.listAsset}
      lead={<BackLink href="/operator/markets" label={text.allMarkets} />}
    >
      <RequestPanel
        request={request}
        layout={layout}
        action={create}
        submit={text.createAsset}
        preview={{ method: 'POST', path: '/assets', sentences }}
      />
    </PageFrame>
  );
}
