// The ledger: the trial balance, money that enters and leaves for customers, and income.

import { PageFrame } from '../../components/page-frame.tsx';
import { NotFound } from '../../shell/notices.tsx';
import type { AreaProps } from '../areas.ts';
import { SubNav } from '../parts/sub-nav.tsx';
import { IncomePanel } from './income-panel.tsx';
import { TransferPanel } from './transfer-panel.tsx';
import { TrialBalancePanel } from './trial-balance.tsx';

const ways = [
  { path: '/operator/ledger', title: 'Trial balance' },
  { path: '/operator/ledger/credit', title: 'Credit' },
  { path: '/operator/ledger/debit', title: 'Debit' },
  { path: '/operator/ledger/income', title: 'Income' },
];

export function Ledger({ rest }: AreaProps) {
  return (
    <PageFrame title="Ledger">
      <SubNav label="Parts of the ledger" ways={ways} />
      <Part rest={rest} />
    </PageFrame>
  );
}

function Part({ rest }: AreaProps) {
  if (rest === '') return <TrialBalancePanel />;
  if (rest === 'credit' || rest === 'debit') return <TransferPanel direction={rest} />;
  if (rest === 'income') return <IncomePanel />;
  return <NotFound />;
}
