// The wallet: balances, their value, and the statement.
import { Text } from '@mantine/core';
import { useState } from 'react';
import { Loaded, PageFrame, Panel } from '../components/layout.tsx';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { walletText as t } from '../messages/wallet.ts';
import { isSandbox } from '../session/session.ts';
import { BalancesPanel } from './balances-panel.tsx';
import { type DrawnToday, FaucetAll, useDrawnToday } from './faucet.tsx';
import { FeeTierLine } from './fee-tier.tsx';
import { Overview } from './overview.tsx';
import { PortfolioPanel } from './portfolio-panel.tsx';
import { StatementPanel } from './statement-panel.tsx';
import { useValuation } from './value.ts';
import styles from './wallet.module.css';

export default function WalletPage() {
  const assets = useLive(feeds.assets);
  const [target, setTarget] = useState<string | null>(null);
  const valuation = useValuation(target);
  const drawn = useDrawnToday();
  return (
    <PageFrame title={t.title}>
      <Overview valuation={valuation} onTarget={setTarget} />
      <FeeTierLine />
      <BalancesPanel valuation={valuation} drawn={drawn} />
      <PortfolioPanel target={valuation.target} decimals={valuation.decimals} />
      <Funding drawn={drawn} />
      <Loaded live={assets} rows={3}>
        {(list) => <StatementPanel assets={list} />}
      </Loaded>
    </PageFrame>
  );
}

/** Deposits and withdrawals. */
function Funding({ drawn }: { readonly drawn: DrawnToday }) {
  return (
    <Panel title={isSandbox ? t.funding.testMoney : t.funding.title}>
      <div className={styles.funding}>
        <Text size="sm">{isSandbox ? t.funding.testMoneyHow : t.funding.how}</Text>
        {isSandbox ? <FaucetAll onDrawn={drawn.note} /> : null}
      </div>
    </Panel>
  );
}
