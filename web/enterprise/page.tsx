// Enterprise: the subscriptions of its members, and its margins.
import { Tabs } from '@mantine/core';
import { useLocation, useRoute } from 'wouter';
import { PageFrame } from '../components/page-frame.tsx';
import { enterprise as text } from '../messages/enterprise.ts';
import { NotFound } from '../shell/notices.tsx';
import { Margins } from './margins.tsx';
import { Members } from './members.tsx';

export default function EnterprisePage() {
  const [, navigate] = useLocation();
  const [isMargins] = useRoute('/enterprise/margins');
  const [isMembers] = useRoute('/enterprise');
  if (!isMargins && !isMembers) return <NotFound />;
  return (
    <PageFrame title={text.title} lead={text.lead}>
      <Tabs
        value={isMargins ? 'margins' : 'members'}
        onChange={(tab) => navigate(tab === 'margins' ? '/enterprise/margins' : '/enterprise')}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="members">{text.subscriptions}</Tabs.Tab>
          <Tabs.Tab value="margins">{text.margins}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="members">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="margins">
          <Margins />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  );
}
