// The wallet: balances, their value, and the statement.
import { Text } from '@mantine/core';
import { useState } from 'react';
import { PageFrame } from '../components/page-frame.tsx';
import { Panel } from '../components/panel.tsx';
import { Loaded } from '../components/states.tsx';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { isSandbox } from '../session/session.ts';
import { BalancesPanel } from './balances-panel.tsx';
import { FaucetAll } from './faucet-all.tsx';
import { Overview } from './overview.tsx';
import { StatementPanel } from './statement-panel.tsx';
import { type GivenToday, useGiven } from './use-given.ts';
import { useValuation } from './valuation.ts';
import styles from './wallet.module.css';

export default function WalletPage() {
  const assets = useLive(feeds.assets);
  const [target, setTarget] = useState<string | null>(null);
  const valuation = useValuation(target);
  const given = useGiven();
  return (
    <PageFrame title="Wallet">
      <Overview valuation={valuation} onTarget={setTarget} />
      <BalancesPanel valuation={valuation} given={given} />
      <Funding given={given} />
      <Loaded live={assets} rows={3}>
        {(list) => <StatementPanel assets={list} />}
      </Loaded>
    </PageFrame>
  );
}

/** Deposits and withdrawals. */
function Funding({ given }: { readonly given: GivenToday }) {
  return (
    <Panel title={isSandbox ? 'Test money' : 'Deposits and withdrawals'}>
      <div className={styles.funding}>
        <Text size="sm">
          {isSandbox
            ? 'This is a sandbox: you can get an amount of each asset once a day (UTC).'
            : 'Arrange deposits and withdrawals with the operator of this exchange.'}
        </Text>
        {isSandbox ? <FaucetAll onGiven={given.note} /> : null}
      </div>
    </Panel>
  );
}
