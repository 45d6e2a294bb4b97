// The area System: journal and snapshots, audit log, emails, rate limits, and a sandbox's clock.
import { PageFrame } from '../../components/page-frame.tsx';
import { systemText as text } from '../../messages/operator-system.ts';
import { isSandbox } from '../../session/session.ts';
import { NotFound } from '../../shell/notices.tsx';
import { SubNav } from '../parts/marks.tsx';
import { Audit } from './audit.tsx';
import { ClockPanel } from './clock.tsx';
import { Journal } from './journal.tsx';
import { Limits } from './limits.tsx';
import { Outbox } from './outbox.tsx';

const parts = [
  { rest: '', title: text.journal, component: Journal },
  { rest: 'audit', title: text.audit, component: Audit },
  { rest: 'outbox', title: text.outbox, component: Outbox },
  { rest: 'limits', title: text.limits, component: Limits },
  ...(isSandbox ? [{ rest: 'clock', title: text.clock, component: ClockPanel }] : []),
];

const items = parts.map(({ rest, title }) => ({
  path: rest === '' ? '/operator/system' : `/operator/system/${rest}`,
  title,
}));

export function System({ rest }: { readonly rest: string }) {
  const part = parts.find((one) => one.rest === rest);
  return (
    <PageFrame title={text.system}>
      <SubNav label={text.parts} items={items} />
      {part === undefined ? <NotFound /> : <part.component />}
    </PageFrame>
  );
}
