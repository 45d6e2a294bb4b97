// The area Ledger: the trial balance, credits and debits, and income.
import { Text, Tooltip } from '@mantine/core';
import type { AssetSums } from '../../../src/sdk/index.ts';
import { Amount } from '../../components/figures.tsx';
import { Loaded, PageFrame, Panel } from '../../components/layout.tsx';
import { isZero } from '../../exact/decimal.ts';
import { count } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { ledgerText as text } from '../../messages/operator-ledger.ts';
import { NotFound } from '../../shell/notices.tsx';
import { feeds } from '../data.ts';
import { AsOf, Mark, SubNav } from '../parts/marks.tsx';
import { IncomePanel } from './income-panel.tsx';
import styles from './ledger.module.css';
import { TransferPanel } from './transfer-panel.tsx';

const items = [
  { path: '/operator/ledger', title: text.trialBalance },
  { path: '/operator/ledger/credit', title: text.credit },
  { path: '/operator/ledger/debit', title: text.debit },
  { path: '/operator/ledger/income', title: text.income },
];

interface PathProps {
  /** The part of the address after the area. */
  readonly rest: string;
}

export function Ledger({ rest }: PathProps) {
  return (
    <PageFrame title={text.ledger}>
      <SubNav label={text.parts} items={items} />
      <Part rest={rest} />
    </PageFrame>
  );
}

function Part({ rest }: PathProps) {
  if (rest === '') return <TrialBalancePanel />;
  if (rest === 'credit' || rest === 'debit') return <TransferPanel direction={rest} />;
  return rest === 'income' ? <IncomePanel /> : <NotFound />;
}

/** Per asset the balance of each kind of account. Their sum is zero, or the ledger is wrong. */
function TrialBalancePanel() {
  const live = useLive(feeds.trialBalance);
  return (
    <>
      <Panel title={text.trialBalance} actions={<AsOf live={[live]} />}>
        <Loaded live={live} rows={1}>
          {({ seq, assets }) => (
            <Text size="sm" maw="80ch">
              {text.afterCommand(count(seq))}{' '}
              {assets.every(({ sum }) => isZero(sum)) ? (
                <Mark tone="good">{text.allBalanced(assets.length)}</Mark>
              ) : (
                <Mark tone="bad">{text.notBalanced}</Mark>
              )}
            </Text>
          )}
        </Loaded>
      </Panel>
      <Loaded live={live} rows={10}>
        {({ assets }) => (
          <div className={styles.assets}>
            {assets.map((sums) => (
              <AssetAccounts key={sums.asset} sums={sums} />
            ))}
          </div>
        )}
      </Loaded>
    </>
  );
}

function AssetAccounts({ sums: { asset, sum, accounts } }: { readonly sums: AssetSums }) {
  const isBalanced = isZero(sum);
  return (
    <Panel
      title={asset}
      order={3}
      actions={
        <Mark tone={isBalanced ? 'good' : 'bad'}>
          {isBalanced ? text.balanced : text.unbalanced}
        </Mark>
      }
    >
      {accounts.map(({ code, balance }) => (
        <div key={code} className={styles.row}>
          <AccountName code={code} />
          <Amount value={balance} />
        </div>
      ))}
      <div className={`${styles.row} ${styles.sum}`}>
        <span>{text.total}</span>
        <Amount value={sum} asset={asset} />
      </div>
    </Panel>
  );
}

/** The name of an account; a code without a text stands for itself. */
function AccountName({ code }: { readonly code: string }) {
  const account = text.accounts[code];
  return (
    <Tooltip label={account === undefined ? code : `${account[1]} (${code})`} multiline w={260}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches the explanation */}
      <span className={styles.name} tabIndex={0}>
        {account?.[0] ?? code}
      </span>
    </Tooltip>
  );
}
