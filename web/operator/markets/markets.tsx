// The area Markets: pairs, fee tiers and assets, a new pair or asset, and one pair.
import { IconChartCandle, IconCoins } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { ListedAsset, ListedInstrument } from '../../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { Rate } from '../../components/figures.tsx';
import { Empty, PageFrame } from '../../components/layout.tsx';
import { LinkButton, TextLink } from '../../components/texts.tsx';
import { useLive } from '../../live/live.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { CreatePage } from '../parts/create-page.tsx';
import { AsOf, BackLink } from '../parts/marks.tsx';
import { ASSET_PAGE, AssetPage } from './asset-page.tsx';
import { FeeTiersPage, FeeTiersPanel } from './fee-tiers.tsx';
import {
  assetLayout,
  assetSentences,
  EMPTY_ASSET,
  EMPTY_LISTING,
  finishAsset,
  finishListing,
  listingLayout,
  listingSentences,
} from './instrument-form.ts';
import { InstrumentPage } from './instrument-page.tsx';
import { StatusMark } from './status.tsx';

export function Markets({ rest }: { readonly rest: string }) {
  if (rest === '') return <Lists />;
  if (rest === 'new') return <CreateInstrument />;
  if (rest === 'fee-tiers') return <FeeTiersPage />;
  if (rest === 'new-asset') return <CreateAsset />;
  return rest.startsWith(ASSET_PAGE) ? (
    <AssetPage name={rest.slice(ASSET_PAGE.length)} />
  ) : (
    <InstrumentPage symbol={rest} />
  );
}

const instrumentColumns: readonly Column<ListedInstrument>[] = [
  column.of(text.pair, ({ symbol }) => (
    <Link href={`/operator/markets/${symbol}`} className="nowrap">
      {symbol}
    </Link>
  )),
  column.of(text.status, ({ instrumentStatus }) => <StatusMark status={instrumentStatus} />),
  column.amount(text.lastPrice, ({ lastPrice, quoteAsset }) => ({
    value: lastPrice,
    asset: quoteAsset,
  })),
  column.rate(text.maker, ({ makerFee }) => makerFee, 'sm'),
  column.rate(text.taker, ({ takerFee }) => takerFee, 'sm'),
  column.amount(text.tick, ({ quoteAssetIncrement }) => ({ value: quoteAssetIncrement }), 'md'),
  column.amount(text.lot, ({ baseAssetIncrement }) => ({ value: baseAssetIncrement }), 'md'),
  column.figure(
    text.band,
    ({ priceBand }) => (priceBand === '0' ? text.none : <Rate rate={priceBand} />),
    'md',
  ),
];

const assetColumns: readonly Column<ListedAsset>[] = [
  column.of(text.asset, ({ asset }) => (
    <Link href={`/operator/markets/${ASSET_PAGE}${asset}`}>{asset}</Link>
  )),
  column.figure(text.decimals, ({ scale }) => scale),
  column.of(text.kind, ({ fiat }) => (fiat ? text.fiat : text.crypto)),
];

function Lists() {
  const [, navigate] = useLocation();
  const instruments = useLive(feeds.instruments);
  const assets = useLive(feeds.assets);
  return (
    <PageFrame title={text.markets} actions={<AsOf live={[instruments, assets]} />}>
      <ListPanel
        title={text.pairs}
        live={instruments}
        columns={instrumentColumns}
        keyOf={({ symbol }) => symbol}
        onRow={({ symbol }) => navigate(`/operator/markets/${symbol}`)}
        empty={<Empty icon={IconChartCandle} title={text.noPairs} hint={text.noPairsHint} />}
        actions={
          <LinkButton href="/operator/markets/new" size="xs">
            {text.listPair}
          </LinkButton>
        }
      />
      <FeeTiersPanel />
      <ListPanel
        title={text.assets}
        live={assets}
        columns={assetColumns}
        keyOf={({ asset }) => asset}
        onRow={({ asset }) => navigate(`/operator/markets/${ASSET_PAGE}${asset}`)}
        empty={<Empty icon={IconCoins} title={text.noAssets} hint={text.noAssetsHint} />}
        actions={
          <LinkButton href="/operator/markets/new-asset" size="xs" variant="default">
            {text.listAsset}
          </LinkButton>
        }
      />
    </PageFrame>
  );
}

const toMarkets = <BackLink href="/operator/markets" label={text.allMarkets} />;

const CreateAsset = () => (
  <CreatePage
    title={text.listAsset}
    lead={toMarkets}
    form={{ initial: EMPTY_ASSET, layout: assetLayout, finish: finishAsset }}
    submit={text.createAsset}
    send={(body) => operator.createAsset(body)}
    call="POST /assets"
    sentences={assetSentences}
    done={({ asset }) => text.assetListed(asset)}
    refreshes={[feedKey('assets'), feedKey('trialBalance'), ['assets']]}
    next={() => '/operator/markets'}
  />
);

function CreateInstrument() {
  const assets = useLive(feeds.assets).data ?? [];
  const layout = listingLayout(assets.map(({ asset }) => asset));
  return (
    <CreatePage
      title={text.listPair}
      lead={toMarkets}
      note={
        <>
          {text.bothListed}{' '}
          <TextLink href="/operator/markets/new-asset" underline="always">
            {text.listAsset}
          </TextLink>
        </>
      }
      form={{ initial: EMPTY_LISTING, layout, finish: finishListing }}
      submit={text.createPair}
      send={(body) => operator.createInstrument(body)}
      call="POST /instruments"
      sentences={listingSentences}
      done={({ symbol }) => text.pairListed(symbol)}
      refreshes={[feedKey('instruments'), ['instruments'], ['tickers']]}
      next={({ symbol }) => `/operator/markets/${symbol}`}
    />
  );
}
