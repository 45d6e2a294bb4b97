// The installation itself: journal and snapshots, audit log, mails, rate limits, and the clock of a sandbox.

import { PageFrame } from '../../components/page-frame.tsx';
import { isSandbox } from '../../session/session.ts';
import { NotFound } from '../../shell/notices.tsx';
import type { AreaProps } from '../areas.ts';
import { SubNav } from '../parts/sub-nav.tsx';
import { Audit } from './audit.tsx';
import { ClockPanel } from './clock.tsx';
import { Journal } from './journal.tsx';
import { Limits } from './limits.tsx';
import { Outbox } from './outbox.tsx';

const parts = [
  { rest: '', title: 'Journal', component: Journal },
  { rest: 'audit', title: 'Audit log', component: Audit },
  { rest: 'outbox', title: 'Mails', component: Outbox },
  { rest: 'limits', title: 'Rate limits', component: Limits },
  ...(isSandbox ? [{ rest: 'clock', title: 'Clock', component: ClockPanel }] : []),
];

const ways = parts.map(({ rest, title }) => ({
  path: rest === '' ? '/operator/system' : `/operator/system/${rest}`,
  title,
}));

export function System({ rest }: AreaProps) {
  const part = parts.find((one) => one.rest === rest);
  return (
    <PageFrame title="System">
      <SubNav label="Parts of the system" ways={ways} />
      {part === undefined ? <NotFound /> : <part.component />}
    </PageFrame>
  );
}
