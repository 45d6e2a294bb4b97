// The home page: for a customer what the account has, for a visitor what this exchange is; then
// live markets, Earn rates and fees.
import { Link } from 'wouter';
import type { Ticker } from '../../src/sdk/index.ts';
import { AssetIcon } from '../components/asset-icon.tsx';
import { Change } from '../components/figures.tsx';
import { Loading, Panel } from '../components/layout.tsx';
import { LinkButton } from '../components/texts.tsx';
import { earnFeeds } from '../earn/feeds.ts';
import type { Offer } from '../earn/offers.ts';
import { typeWord } from '../earn/words.ts';
import { compare, type Decimal, isNegative, isPositive, isZero } from '../exact/decimal.ts';
import { grouped, percent } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { AssetLine, PairLine } from '../markets/asset-line.tsx';
import { MarketTable } from '../markets/market-table.tsx';
import { Sparkline } from '../markets/sparkline.tsx';
import { markets } from '../messages/markets.ts';
import { isSandbox, useSession } from '../session/session.ts';
import { foundPairs, type PairRow, pairRows } from '../trade/market/pair-rows.ts';
import { assetsOf } from '../trade/pair.ts';
import { Footer } from './footer.tsx';
import styles from './home.module.css';
import { OwnOverview } from './own-overview.tsx';

const t = markets.home;
const MOVERS = 3;
const SHOWN = 6;
const PLANS = 4;

export default function HomePage() {
  const { state } = useSession();
  const { data: instruments = [] } = useLive(feeds.instruments);
  const { data: tickers = [] } = useLive(feeds.tickers);
  if (state === 'unknown') return <Loading rows={6} />;
  const rows = foundPairs(pairRows(instruments, tickers), '', 'volume', true);
  const isCustomer = state === 'loggedIn';
  return (
    <div className={styles.page}>
      {isCustomer ? (
        <OwnOverview />
      ) : (
        <Hero row={rows[0]} ticker={tickers.find(({ symbol }) => symbol === rows[0]?.symbol)} />
      )}
      <Movers rows={rows} />
      <Panel title={markets.title} flush actions={<Link href="/markets">{t.allMarkets}</Link>}>
        <MarketTable rows={rows.slice(0, SHOWN)} tickers={tickers} />
      </Panel>
      <div className={styles.pair}>
        <Plans />
        <Fees />
      </div>
      {isCustomer ? null : (
        <ul className={styles.reasons}>
          {t.reasons.map(([title, text]) => (
            <li key={title}>
              <h2>{title}</h2>
              <p className="dim">{text}</p>
            </li>
          ))}
        </ul>
      )}
      <Footer />
    </div>
  );
}

interface HeroProps {
  readonly row: PairRow | undefined;
  readonly ticker: Ticker | undefined;
}

function Hero({ row, ticker }: HeroProps) {
  return (
    <section className={styles.hero}>
      <div className={styles.intro}>
        <h1>{t.title}</h1>
        <p>{t.lead}</p>
        {isSandbox ? <p className="dim">{t.sandbox}</p> : null}
        <div className={styles.buttons}>
          <LinkButton href="/register" size="md">
            {t.create}
          </LinkButton>
          <LinkButton href="/markets" size="md" variant="default">
            {t.explore}
          </LinkButton>
        </div>
      </div>
      {row === undefined || row.last === null ? null : (
        <Spotlight row={row} last={row.last} ticker={ticker} />
      )}
    </section>
  );
}

const CHART = [400, 116] as const;

interface SpotlightProps {
  readonly row: PairRow;
  readonly last: Decimal;
  readonly ticker: Ticker | undefined;
}

/** The last 24 hours of the pair with the largest volume. Small screens leave it out. */
function Spotlight({ row, last, ticker }: SpotlightProps) {
  const { symbol, priceDecimals, change } = row;
  const [base, quote] = assetsOf(symbol);
  return (
    <Link href={`/trade/${symbol}`} className={styles.spotlight}>
      <span className={styles.spotlightHead}>
        <AssetIcon asset={base} />
        <b>{symbol}</b>
        <span className="dim">{t.active}</span>
      </span>
      <span className={styles.spotlightPrice}>
        <b className="figures">{grouped(last, priceDecimals)}</b>
        <span className="dim">{quote}</span>
        <span className={styles.spotlightChange}>
          <span className="dim">{markets.columns.change}</span> <Change rate={change} />
        </span>
      </span>
      <Sparkline ticker={ticker} change={change} size={CHART} hasArea />
    </Link>
  );
}

function Movers({ rows }: { readonly rows: readonly PairRow[] }) {
  const moved = rows
    .filter((row) => row.change !== null)
    .toSorted((a, b) => compare(b.change!, a.change!));
  const gainers = moved.filter(({ change }) => isPositive(change!)).slice(0, MOVERS);
  const losers = moved.filter(({ change }) => isNegative(change!)).slice(-MOVERS);
  const active = rows.filter(({ volume }) => !isZero(volume)).slice(0, MOVERS);
  return (
    <div className={styles.movers}>
      <MoverList title={t.gainers} rows={gainers} />
      <MoverList title={t.losers} rows={losers.toReversed()} />
      <MoverList title={t.active} rows={active} />
    </div>
  );
}

interface MoverListProps {
  readonly title: string;
  readonly rows: readonly PairRow[];
}

/** Nothing while no market moved this way. */
function MoverList({ title, rows }: MoverListProps) {
  return rows.length === 0 ? null : (
    <Panel title={title}>
      <ul className={styles.list}>
        {rows.map((row) => (
          <PairLine key={row.symbol} row={row} />
        ))}
      </ul>
    </Panel>
  );
}

function Plans() {
  const { state } = useSession();
  const { data: offers = [] } = useLive(
    state === 'unknown' ? null : earnFeeds.offers(state === 'loggedIn'),
  );
  const sorted = offers.toSorted((a, b) => compare(b.rate.ofLongest, a.rate.ofLongest));
  // The best plan of each coin.
  const best = [...new Map(sorted.toReversed().map((offer) => [offer.plan.coin, offer])).values()]
    .toReversed()
    .slice(0, PLANS);
  return (
    <Panel title={t.earn} actions={<Link href="/earn">{t.allPlans}</Link>}>
      <p className="dim">{t.earnLead}</p>
      <ul className={styles.list}>
        {best.map((offer) => (
          <PlanItem key={offer.plan.planId} offer={offer} />
        ))}
      </ul>
    </Panel>
  );
}

function PlanItem({ offer: { plan, rate } }: { readonly offer: Offer }) {
  const { coin, planType } = plan;
  const text = percent(rate.ofLongest);
  const isRange = compare(rate.ofLongest, rate.ofShortest) !== 0;
  return (
    <AssetLine href={`/earn?coin=${coin}`} asset={coin} name={coin}>
      <span className="dim">{typeWord(planType)}</span>
      <b className="figures buy">{isRange ? t.upTo(text) : t.rate(text)}</b>
    </AssetLine>
  );
}

/** The range of the venue's fees, or that of a customer's. */
function Fees() {
  const { state } = useSession();
  const { data: own } = useLive(state === 'loggedIn' ? feeds.fees : null);
  const { data: schedule } = useLive(state === 'loggedOut' ? feeds.feeSchedule : null);
  const fees = own ?? (schedule === undefined ? [] : [...schedule.pairs, ...schedule.tiers]);
  const range = (rates: readonly Decimal[]): string => {
    const sorted = rates.toSorted(compare);
    const [lowest, highest] = [percent(sorted[0]!), percent(sorted.at(-1)!)];
    return lowest === highest ? lowest : t.range(lowest, highest);
  };
  return (
    <Panel title={t.fees}>
      <p className="dim">{t.feesLead}</p>
      {fees.length === 0 ? null : (
        <dl className={styles.fees}>
          <dt>{t.maker}</dt>
          <dd className="figures">{range(fees.map(({ makerFee }) => makerFee))}</dd>
          <dd className="dim">{t.makerHint}</dd>
          <dt>{t.taker}</dt>
          <dd className="figures">{range(fees.map(({ takerFee }) => takerFee))}</dd>
          <dd className="dim">{t.takerHint}</dd>
        </dl>
      )}
    </Panel>
  );
}
