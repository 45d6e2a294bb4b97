// The operator's calls about the cluster. The leader answers them, and other nodes relay them.
// While nobody leads, a node answers the status itself.
import type { Source } from '../../../contract/answer.ts';
import { cluster } from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import { Problem } from '../../../contract/problem.ts';
import type { ClusterMember, ClusterStatus } from '../../cluster-control.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { notReadyReason } from '../../operations/readiness.ts';
import { reads } from '../kinds.ts';

type Cluster = Source<typeof cluster>;

const SINGLE: Omit<Cluster, 'reason'> = {
  mode: 'single',
  leader: null,
  epoch: 0,
  since: null,
  nodes: [],
  rules: 0,
  newRules: 0,
  standbys: 0,
  standbysLost: 0,
  otherTokens: [],
  trouble: null,
};

function clusterOf(status: ClusterStatus, seq: number): Omit<Cluster, 'reason'> {
  const { leader, epoch, since, nodes, members, rules, standbys } = status;
  const connected = nodes.map((each) => {
    const member = members.find(({ node }) => node === each.node);
    return {
      ...each,
      release: member?.release ?? '',
      rules: member?.newestRules ?? rules,
      lag: Math.max(0, seq - each.seq),
      lastSeen: member?.seenAt ?? null,
    };
  });
  const others = members.filter(({ node }) => nodes.every((each) => each.node !== node));
  return {
    mode: 'cluster',
    leader: leader?.node ?? null,
    epoch,
    since: leader === null ? null : since,
    nodes: [...connected, ...others.map((member) => distantNode(member, status))],
    rules,
    newRules: Math.max(rules, ...members.map(({ newestRules }) => newestRules)),
    standbys: standbys.now,
    standbysLost: standbys.most - standbys.now,
    otherTokens: status.otherTokens,
    trouble: status.trouble,
  };
}

/** A node without a connection to this one. */
function distantNode(
  member: ClusterMember,
  { leader, seesStore }: ClusterStatus,
): Cluster['nodes'][number] {
  const { node, address, release, newestRules: rules, seenAt: lastSeen } = member;
  const silent = seesStore ? 'lost' : 'unknown';
  const state = member.isStopped ? 'stopped' : member.isRunning ? 'follower' : silent;
  const role = node === leader?.node ? 'leader' : state;
  const unknown = { seq: null, lag: null, connectedSince: null };
  return { node, address, role, release, rules, lastSeen, ...unknown };
}

const getCluster = reads(
  operatorCalls.cluster,
  ({ seq }, _call, { cluster: control, engine }) => {
    const status = control?.status() ?? null;
    const reason = notReadyReason(engine, status);
    const answer = status === null ? SINGLE : clusterOf(status, seq);
    return cluster.write({ ...answer, reason });
  },
  { action: 'cluster.read' },
);

const handOver = route(operatorCalls.handOver, {
  audit: { action: 'cluster.lead', object: (_, body) => body?.node ?? null },
  handle({ cluster: control, engine, log }, { body: { node } }) {
    if (control === null) throw new Problem('notCluster');
    const { role, node: own, epoch, nodes } = control.status();
    if (role !== 'leader') throw new Problem('noLeader');
    if (node === own) throw new Problem('alreadyLeads');
    if (!nodes.some((each) => each.node === node)) {
      const details = { field: 'node', rule: 'connected' };
      throw new Problem('nodeUnknown', { details });
    }
    // Afterwards this node can write no audit entry, so the one of this call comes first.
    setImmediate(() => {
      control.handOver(node).catch((error: unknown) => {
        log.warn({ node, err: error }, 'the lead was not handed over');
      });
    });
    return ok({ node, epoch }, engine.seq);
  },
});

const upgrade = route(operatorCalls.upgradeCluster, {
  audit: { action: 'cluster.upgrade', object: (_, body) => (body?.dryRun ? 'dry run' : null) },
  async handle({ cluster: control, engine }, { body: { dryRun } }) {
    if (control === null) throw new Problem('notCluster');
    const { from, to, older } = await control.upgrade(dryRun);
    const olderNodes = older.map(({ node, release }) => `${node} (agio ${release})`);
    if (olderNodes.length > 0 && !dryRun) {
      const userMsg =
        `These nodes cannot read version ${to} of the rules: ${olderNodes.join(', ')}. Upgrade ` +
        'them, or forget those that are gone.';
      throw new Problem('olderNodes', { userMsg });
    }
    return ok({ from, to, dryRun, olderNodes }, engine.seq);
  },
});

const forget = route(operatorCalls.forgetNode, {
  audit: { action: 'cluster.forget', object: (_, body) => body?.node ?? null },
  async handle({ cluster: control, engine }, { body: { node } }) {
    if (control === null) throw new Problem('notCluster');
    await control.forget(node);
    return ok({ node }, engine.seq);
  },
});

export const operatorClusterRoutes: readonly Route[] = [getCluster, handOver, upgrade, forget];
