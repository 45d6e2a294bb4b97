// The account of a customer: its value, its largest balances, the newest open orders and the money
// in Earn. Each part links to the page with all of it.
import { Group, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Order } from '../../src/sdk/index.ts';
import { Amount } from '../components/figures.tsx';
import { Empty, Loaded, Panel } from '../components/layout.tsx';
import { LinkButton } from '../components/texts.tsx';
import { earnFeeds } from '../earn/feeds.ts';
import { totalsOf } from '../earn/holdings.tsx';
import { compare, isPositive } from '../exact/decimal.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { AssetLine } from '../markets/asset-line.tsx';
import { markets } from '../messages/markets.ts';
import { shell } from '../messages/shell.ts';
import { trade } from '../messages/trade.ts';
import { walletText } from '../messages/wallet.ts';
import { isSandbox } from '../session/session.ts';
import { filledPercent, orderSentence } from '../trade/orders/words.ts';
import { assetsOf } from '../trade/pair.ts';
import { FaucetAll } from '../wallet/faucet.tsx';
import { Overview } from '../wallet/overview.tsx';
import { type Holding, type LiveValuation, useValuation } from '../wallet/value.ts';
import styles from './home.module.css';

const t = markets.own;
const SHOWN = 5;

export function OwnOverview() {
  const [target, setTarget] = useState<string | null>(null);
  const valuation = useValuation(target);
  return (
    <>
      <div className={styles.ownHead}>
        <Title order={1} size={24}>
          {t.title}
        </Title>
        <Group gap="xs">
          <LinkButton href="/trade">{markets.home.trade}</LinkButton>
          <LinkButton href="/markets" variant="default">
            {markets.home.explore}
          </LinkButton>
        </Group>
      </div>
      <Overview valuation={valuation} onTarget={setTarget} />
      <div className={styles.own}>
        <Balances valuation={valuation} />
        <OpenOrders />
        <Earn />
      </div>
    </>
  );
}

/** Assets without a price come last. */
const byValue = (a: Holding, b: Holding): number => compare(b.value ?? '0', a.value ?? '0');

function Balances({ valuation: { valuation, target, decimals } }: { valuation: LiveValuation }) {
  return (
    <Panel
      title={walletText.balances.title}
      actions={<Link href="/wallet">{shell.pages.wallet}</Link>}
    >
      <Loaded live={valuation} rows={SHOWN}>
        {({ holdings }) => {
          const owned = holdings.filter(({ total }) => isPositive(total)).toSorted(byValue);
          return owned.length === 0 ? (
            <Empty
              title={walletText.balances.none}
              hint={isSandbox ? walletText.funding.testMoneyHow : walletText.funding.how}
              action={isSandbox ? <FaucetAll /> : null}
            />
          ) : (
            <ul className={styles.list}>
              {owned.slice(0, SHOWN).map(({ asset, total, value }) => (
                <AssetLine key={asset} href="/wallet" asset={asset} name={asset}>
                  <span className={styles.figures}>
                    <Amount value={total} />
                    {value === null ? null : (
                      <span className="dim">
                        ≈ <Amount value={value} decimals={decimals} asset={target} />
                      </span>
                    )}
                  </span>
                </AssetLine>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function OpenOrders() {
  return (
    <Panel title={trade.orders.open} actions={<Link href="/orders">{t.allOrders}</Link>}>
      <Loaded
        live={useLive(feeds.openOrders)}
        rows={SHOWN}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title={trade.orders.noOpen} hint={trade.orders.noOpenWhy} />}
      >
        {({ data }) => (
          <ul className={styles.list}>
            {data.slice(0, SHOWN).map((order) => (
              <OrderLine key={order.orderId} order={order} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function OrderLine({ order }: { readonly order: Order }) {
  const { symbol } = order;
  return (
    <AssetLine href={`/trade/${symbol}`} asset={assetsOf(symbol)[0]} name={orderSentence(order)}>
      <span className="dim nowrap">{t.filled(filledPercent(order))}</span>
    </AssetLine>
  );
}

function Earn() {
  return (
    <Panel title={t.inEarn} actions={<Link href="/earn">{shell.pages.earn}</Link>}>
      <Loaded
        live={useLive(earnFeeds.current)}
        rows={SHOWN}
        isEmpty={(list) => list.length === 0}
        empty={<Empty title={t.noneInEarn} hint={markets.home.earn} />}
      >
        {(list) => (
          <ul className={styles.list}>
            {totalsOf(list)
              .slice(0, SHOWN)
              .map(({ coin, amount, earned }) => (
                <AssetLine key={coin} href="/earn" asset={coin} name={coin}>
                  <span className={styles.figures}>
                    <Amount value={amount} />
                    <span className="dim">
                      <Amount value={earned} signed /> {t.earned}
                    </span>
                  </span>
                </AssetLine>
              ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
