// The trade page: the pair of the address, and its desk.
import { Redirect, useRoute, useSearch } from 'wouter';
import { Empty, Loaded, PageFrame, Panel } from '../components/layout.tsx';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { trade as t } from '../messages/trade.ts';
import { decoded } from '../shell/decoded.ts';
import { LoadingDesk, TradeDesk } from './desk.tsx';
import { lastVisited } from './first-feeds.ts';
import { PairList } from './market/pair-list.tsx';

export default function TradePage() {
  const [, params] = useRoute('/trade/:symbol?');
  const search = useSearch();
  const instruments = useLive(feeds.instruments);
  const { data: assets } = useLive(feeds.assets);
  const named = params?.symbol;
  if (instruments.data === undefined && instruments.error === null) return <LoadingDesk />;
  return (
    <Loaded
      live={instruments}
      isEmpty={(all) => all.length === 0}
      empty={<Empty title={t.page.noPairs} hint={t.page.noPairsWhy} />}
    >
      {(all) => {
        const known = (symbol: string | null | undefined) =>
          all.find((instrument) => instrument.symbol === symbol?.toUpperCase());
        if (named === undefined) {
          const { symbol } = known(lastVisited.get()) ?? all[0]!;
          return <Redirect to={`/trade/${symbol}${search === '' ? '' : `?${search}`}`} replace />;
        }
        const instrument = known(decoded(named));
        if (instrument === undefined) return <NoSuchPair />;
        if (assets === undefined) return <LoadingDesk />;
        if (lastVisited.get() !== instrument.symbol) lastVisited.set(instrument.symbol);
        return <TradeDesk key={instrument.symbol} instrument={instrument} assets={assets} />;
      }}
    </Loaded>
  );
}

function NoSuchPair() {
  return (
    <PageFrame title={t.page.notFound} lead={t.page.notFoundLead} width="narrow">
      <Panel flush>
        <PairList current={null} />
      </Panel>
    </PageFrame>
  );
}
