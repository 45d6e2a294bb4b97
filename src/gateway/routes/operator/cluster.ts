// The operator's calls about the cluster. Only the leader answers them; other nodes relay them.
import type { Written } from '../../../contract/answer.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import { Problem } from '../../../contract/problem.ts';
import type { ClusterStatus } from '../../cluster-control.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';

type Cluster = Written<typeof operatorCalls.cluster.answer>;

const SINGLE: Cluster = { mode: 'single', leader: null, epoch: 0, since: null, nodes: [] };

function clusterOf({ leader, epoch, since, nodes }: ClusterStatus, seq: number): Cluster {
  return {
    mode: 'cluster',
    leader: leader?.node ?? null,
    epoch,
    since,
    nodes: nodes.map((each) => ({ ...each, lag: Math.max(0, seq - each.seq) })),
  };
}

const cluster = route(operatorCalls.cluster, {
  audit: { action: 'cluster.read' },
  handle: ({ cluster: control, engine: { seq } }) =>
    ok(control === null ? SINGLE : clusterOf(control.status(), seq), seq),
});

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

export const operatorClusterRoutes: readonly Route[] = [cluster, handOver];
