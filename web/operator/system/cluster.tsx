// The cluster: who leads, since when, how far behind each node is, and the handover of the lead.
import type { Cluster, ClusterNode } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Loaded, Panel } from '../../components/layout.tsx';
import { Fine } from '../../components/texts.tsx';
import { count } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { systemText } from '../../messages/operator-system.ts';
import { NotFound } from '../../shell/notices.tsx';
import { feedKey, feeds, operator } from '../data.ts';
import { AsOf, Facts, Mark } from '../parts/marks.tsx';

const { cluster: text } = systemText;

export function ClusterPanel() {
  const cluster = useLive(feeds.cluster);
  if (cluster.data?.mode === 'single') return <NotFound />;
  const leader = cluster.data?.leader ?? null;
  return (
    <>
      <Panel title={text.cluster} actions={<AsOf live={[cluster]} />}>
        <Loaded live={cluster}>{(data) => <Leader cluster={data} />}</Loaded>
      </Panel>
      <ListPanel
        title={text.nodes}
        live={cluster}
        loadingRows={4}
        rows={({ nodes }) => nodes}
        columns={leader === null ? columns : [...columns, handoverColumn(leader)]}
        keyOf={({ node }) => node}
        footer={() => <Fine p="sm">{text.nodesUse}</Fine>}
      />
    </>
  );
}

function Leader({ cluster }: { readonly cluster: Cluster }) {
  const { leader, since, epoch, nodes, reason, trouble } = cluster;
  return (
    <Facts
      facts={[
        [text.leader, leader ?? '–'],
        [text.leadsSince, since === null ? '–' : <When key="since" at={since} />],
        [text.term, count(epoch)],
        [text.connected, count(nodes.filter(isConnected).length)],
        [text.writes, reason === null ? text.accepted : text.rejected[reason]],
        ...(trouble === null ? [] : [[text.cause, trouble] as const]),
      ]}
    />
  );
}

const TONES = {
  leader: 'good',
  follower: 'none',
  lost: 'bad',
  stopped: 'none',
  unknown: 'warn',
} as const;

const known = (value: number | null): string => (value === null ? '–' : count(value));

const isConnected = ({ role, seq }: ClusterNode): boolean => role === 'leader' || seq !== null;

const columns: readonly Column<ClusterNode>[] = [
  column.of(text.node, ({ node }) => <span className="breakable">{node}</span>),
  column.of(text.role, ({ role }) => <Mark tone={TONES[role]}>{text.roles[role]}</Mark>),
  column.figure(text.commands, ({ seq }) => known(seq), 'sm'),
  column.figure(text.lag, ({ lag }) => known(lag)),
  column.of(
    text.connectedSince,
    ({ connectedSince: at }) => (at === null ? '–' : <When at={at} />),
    'md',
  ),
  column.of(text.lastSeen, ({ lastSeen: at }) => (at === null ? '–' : <When at={at} />), 'lg'),
  column.of(text.link, ({ address }) => address, 'lg'),
];

const handoverColumn = (leader: string): Column<ClusterNode> =>
  column.figure(text.action, ({ node, role }) =>
    role === 'follower' ? <HandOver node={node} leader={leader} /> : null,
  );

function HandOver({ node, leader }: { readonly node: string; readonly leader: string }) {
  const handOver = useAction(
    async () => {
      const { epoch } = await operator.handOver({ node });
      return laterTerm(epoch);
    },
    {
      done: (cluster) => text.leadsNow(cluster.leader ?? '–', count(cluster.epoch)),
      refreshes: [feedKey('cluster')],
    },
  );
  return (
    <ConfirmButton
      label={text.handOver}
      name={text.handOverName(node)}
      look="row"
      action={handOver}
      question={{
        title: text.question(node),
        consequences: text.consequences(node, leader),
        confirm: text.confirm,
      }}
    />
  );
}

const LOOK_MS = 250;
/** A failover after a failed handover takes about three seconds. */
const LOOKS = 40;

/** The cluster in a later term than `epoch`. Rejects as the last look did. */
async function laterTerm(epoch: number): Promise<Cluster> {
  for (let looks = 1; ; looks++) {
    try {
      const cluster = await operator.cluster();
      if (cluster.epoch > epoch || looks >= LOOKS) return cluster;
    } catch (error) {
      // Nobody leads for a moment.
      if (looks >= LOOKS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
