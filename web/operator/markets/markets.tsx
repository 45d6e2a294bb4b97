// Markets: the pairs and the assets, a new one of each, and one pair.
import { Button, Group } from '@mantine/core';
import { IconChartCandle, IconCoins } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { Asset, Instrument } from '../../api/operator.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Amount, Rate } from '../../components/figures.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import type { AreaProps } from '../areas.ts';
import { feeds } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { CreateAsset } from './create-asset.tsx';
import { CreateInstrument } from './create-instrument.tsx';
import { InstrumentPage } from './instrument-page.tsx';
import { StatusMark } from './status-mark.tsx';

export function Markets({ rest }: AreaProps) {
  if (rest === '') return <Lists />;
  if (rest === 'new') return <CreateInstrument />;
  if (rest === 'new-asset') return <CreateAsset />;
  return <InstrumentPage symbol={rest} />;
}

const instrumentColumns: readonly Column<Instrument>[] = [
  {
    title: 'Pair',
    render: ({ symbol }) => (
      <Link href={`/operator/markets/${symbol}`} className="nowrap">
        {symbol}
      </Link>
    ),
  },
  {
    title: 'Status',
    render: ({ instrumentStatus }) => <StatusMark status={instrumentStatus} />,
  },
  {
    title: 'Last price',
    align: 'right',
    render: ({ lastPrice, quoteAsset }) => <Amount value={lastPrice} asset={quoteAsset} />,
  },
  {
    title: 'Maker',
    align: 'right',
    from: 'sm',
    render: ({ makerFee }) => <Rate rate={makerFee} />,
  },
  {
    title: 'Taker',
    align: 'right',
    from: 'sm',
    render: ({ takerFee }) => <Rate rate={takerFee} />,
  },
  {
    title: 'Price step',
    align: 'right',
    from: 'md',
    render: ({ quoteAssetIncrement }) => <Amount value={quoteAssetIncrement} />,
  },
  {
    title: 'Quantity step',
    align: 'right',
    from: 'md',
    render: ({ baseAssetIncrement }) => <Amount value={baseAssetIncrement} />,
  },
  {
    title: 'Band',
    align: 'right',
    from: 'lg',
    render: ({ priceBand }) => (priceBand === '0' ? 'none' : <Rate rate={priceBand} />),
  },
];

const assetColumns: readonly Column<Asset>[] = [
  { title: 'Asset', render: ({ asset }) => asset },
  { title: 'Decimals', align: 'right', render: ({ scale }) => scale },
  { title: 'Kind', render: ({ fiat }) => (fiat ? 'National currency' : 'Crypto asset') },
];

function Lists() {
  const [, navigate] = useLocation();
  const instruments = useLive(feeds.instruments);
  const assets = useLive(feeds.assets);
  return (
    <PageFrame title="Markets" actions={<AsOf live={[instruments, assets]} />}>
      <Panel
        title="Pairs"
        flush
        actions={
          <Button component={Link} href="/operator/markets/new" size="xs">
            List a pair
          </Button>
        }
      >
        <Loaded
          live={instruments}
          isEmpty={(all) => all.length === 0}
          empty={
            <Empty icon={<IconChartCandle size={26} stroke={1.5} />} title="No pairs yet">
              List two assets first, then the pair of them.
            </Empty>
          }
        >
          {(all) => (
            <DataTable
              label="Pairs"
              rows={all}
              columns={instrumentColumns}
              keyOf={({ symbol }) => symbol}
              onRow={({ symbol }) => navigate(`/operator/markets/${symbol}`)}
            />
          )}
        </Loaded>
      </Panel>
      <Panel
        title="Assets"
        flush
        actions={
          <Group>
            <Button component={Link} href="/operator/markets/new-asset" size="xs" variant="default">
              List an asset
            </Button>
          </Group>
        }
      >
        <Loaded
          live={assets}
          isEmpty={(all) => all.length === 0}
          empty={
            <Empty icon={<IconCoins size={26} stroke={1.5} />} title="No assets yet">
              An asset is what customers can own here, such as BTC or USDT.
            </Empty>
          }
        >
          {(all) => (
            <DataTable
              label="Assets"
              rows={all}
              columns={assetColumns}
              keyOf={({ asset }) => asset}
            />
          )}
        </Loaded>
      </Panel>
    </PageFrame>
  );
}
