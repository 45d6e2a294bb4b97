// The form that lists a new pair: its assets, increments, terms and status.
import { Anchor } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useAction } from '../../components/action.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import { feeds, keys, operator } from '../data.ts';
import { BackLink } from '../parts/marks.tsx';
import { type Field, type Layout, RequestPanel, useRequestForm } from '../parts/request-form.tsx';
import {
  EMPTY_LISTING,
  type Listing,
  type ListingValues,
  listingSentences,
  parseListing,
} from './instrument.ts';
import { STATUSES } from './status.tsx';
import { termsFields } from './terms-fields.ts';

export function CreateInstrument() {
  const [, navigate] = useLocation();
  const assets = useLive(feeds.assets).data ?? [];
  const request = useRequestForm(EMPTY_LISTING, (values) => parseListing(values, assets));
  const create = useAction((body: Listing) => operator.createInstrument(body), {
    done: ({ symbol }) => text.pairListed(symbol),
    refreshes: [keys.instruments, ['instruments'], ['tickers']],
    onDone: ({ symbol }) => navigate(`/operator/markets/${symbol}`),
  });
  const { base, quote, selfTradePrevention, instrumentStatus } = request.values;
  const options = [{ value: '', label: forms.choose }, ...assets.map(({ asset }) => asset)];
  const layout: Layout<ListingValues> = [
    [
      { kind: 'select', name: 'base', label: text.base, description: text.baseUse, options },
      { kind: 'select', name: 'quote', label: text.quote, description: text.quoteUse, options },
      {
        kind: 'decimal',
        name: 'baseAssetIncrement',
        label: text.lot,
        description: text.lotUse,
        placeholder: '0.0001',
        unit: base,
      },
      {
        kind: 'decimal',
        name: 'quoteAssetIncrement',
        label: text.tick,
        description: text.tickUse,
        placeholder: '0.01',
        unit: quote,
      },
      ...(termsFields(base, quote, selfTradePrevention) as Field<ListingValues>[]),
      {
        kind: 'select',
        name: 'instrumentStatus',
        label: text.status,
        description: text.statuses[instrumentStatus][1],
        options: STATUSES.map((value) => ({ value, label: text.statuses[value][0] })),
      },
    ],
  ];
  return (
    <PageFrame
      title={text.listPair}
      lead={<BackLink href="/operator/markets" label={text.allMarkets} />}
    >
      <RequestPanel
        lead={
          <>
            {text.bothListed}{' '}
            <Anchor
              component={Link}
              href="/operator/markets/new-asset"
              size="sm"
              underline="always"
            >
              {text.listAsset}
            </Anchor>
          </>
        }
        request={request}
        layout={layout}
        action={create}
        submit={text.createPair}
        preview={{ method: 'POST', path: '/instruments', sentences: listingSentences }}
      />
    </PageFrame>
  );
}
