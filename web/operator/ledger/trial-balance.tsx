// Per asset the balance of each kind of account. Their sum is zero, or the books are wrong.
import { Text, Tooltip } from '@mantine/core';
import type { AssetBalance } from '../../api/operator.ts';
import { Amount } from '../../components/figures.tsx';
import { Panel } from '../../components/panel.tsx';
import { Loaded } from '../../components/states.tsx';
import { isZero } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Mark } from '../parts/facts.tsx';
import { accountOf } from './accounts.ts';
import styles from './ledger.module.css';

export function TrialBalancePanel() {
  const live = useLive(feeds.trialBalance);
  return (
    <>
      <Panel title="Trial balance" actions={<AsOf live={[live]} />}>
        <Loaded live={live} rows={1}>
          {({ seq, assets }) => (
            <Text size="sm" maw="80ch">
              After command {grouped(seq)} of the journal. Every transfer takes from one account
              what it gives to another, so the accounts of an asset add up to zero:{' '}
              {assets.every(({ sum }) => isZero(sum)) ? (
                <Mark tone="good">they do, for all {assets.length} assets.</Mark>
              ) : (
                <Mark tone="bad">not for all of them. Keep the data directory, and verify it.</Mark>
              )}
            </Text>
          )}
        </Loaded>
      </Panel>
      <Loaded live={live} rows={10}>
        {({ assets }) => (
          <div className={styles.assets}>
            {assets.map((balance) => (
              <AssetAccounts key={balance.asset} balance={balance} />
            ))}
          </div>
        )}
      </Loaded>
    </>
  );
}

function AssetAccounts({ balance }: { readonly balance: AssetBalance }) {
  const { asset, sum, accounts } = balance;
  return (
    <Panel
      title={asset}
      order={3}
      actions={
        <Mark tone={isZero(sum) ? 'good' : 'bad'}>
          {isZero(sum) ? 'Balanced' : 'Does not add up'}
        </Mark>
      }
    >
      {accounts.map(({ code, balance: amount }) => {
        const { name, what } = accountOf(code);
        return (
          <div key={code} className={styles.row}>
            <Tooltip label={what === '' ? code : `${what} (${code})`} multiline w={260}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation has to be reached by keyboard */}
              <span className={styles.name} tabIndex={0}>
                {name}
              </span>
            </Tooltip>
            <Amount value={amount} />
          </div>
        );
      })}
      <div className={`${styles.row} ${styles.sum}`}>
        <span>Sum</span>
        <Amount value={sum} asset={asset} />
      </div>
    </Panel>
  );
}
