// Enterprise: its totals, the subscriptions of its members, and its margins.
import { Tabs } from '@mantine/core';
import { useLocation, useRoute } from 'wouter';
import { Amount } from '../components/figures.tsx';
import { PageFrame } from '../components/layout.tsx';
import { Tile, Tiles } from '../components/tiles.tsx';
import { count, grouped } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { enterprise as text } from '../messages/enterprise.ts';
import { useSession } from '../session/session.ts';
import { NotFound } from '../shell/notices.tsx';
import { enterpriseFeeds } from './feeds.ts';
import { totalsOf } from './margin.ts';
import { Margins } from './margins.tsx';
import { Members } from './members.tsx';

export default function EnterprisePage() {
  const [, navigate] = useLocation();
  const { me } = useSession();
  const [isMargins] = useRoute('/enterprise/margins');
  const [isMembers] = useRoute('/enterprise');
  if (!isMargins && !isMembers) return <NotFound />;
  return (
    <PageFrame title={text.title(me?.enterpriseName ?? null)} lead={text.lead}>
      <Totals />
      <Tabs
        value={isMargins ? 'margins' : 'members'}
        onChange={(tab) => navigate(tab === 'margins' ? '/enterprise/margins' : '/enterprise')}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="members">{text.tabs.members}</Tabs.Tab>
          <Tabs.Tab value="margins">{text.tabs.margins}</Tabs.Tab>
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

/** The members who earn, and by coin what they have and what the enterprise kept. */
function Totals() {
  const { data } = useLive(enterpriseFeeds.all);
  if (data === undefined || data.items.length === 0) return null;
  const { members, running, coins } = totalsOf(data.items);
  return (
    <Tiles label={text.totals}>
      <Tile name={text.members} value={count(members)} note={text.runningCount(running)} />
      {coins.map(({ asset, principal, margin }) => (
        <Tile
          key={asset}
          name={text.principalOf(asset)}
          value={<Amount value={principal} />}
          note={text.kept(grouped(margin))}
        />
      ))}
    </Tiles>
  );
}
