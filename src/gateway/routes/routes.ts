// The whole API on one page, and the calls of load balancers and monitoring.
import { processCalls } from '../../contract/market-data/calls.ts';
import { ok } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { requireAvailable } from '../limits/load.ts';
import { TEXT_FORMAT } from '../operations/metrics.ts';
import { notReadyReason } from '../operations/readiness.ts';
import { earnEnterpriseRoutes } from './earn/enterprise.ts';
import { earnRoutes } from './earn/queries.ts';
import { earnWriteRoutes } from './earn/writes.ts';
import { marketDataRoutes } from './market-data/market-data.ts';
import { operatorClusterRoutes } from './operator/cluster.ts';
import { operatorEarnRoutes } from './operator/earn.ts';
import { operatorLedgerRoutes } from './operator/ledger.ts';
import { operatorListingRoutes } from './operator/listing.ts';
import { operatorSystemRoutes } from './operator/system.ts';
import { operatorUserRoutes } from './operator/users.ts';
import { accountRoutes } from './trading/account.ts';
import { orderRoutes } from './trading/order-queries.ts';
import { tradingRoutes } from './trading/orders.ts';
import { accountCenterRoutes } from './user-center/account.ts';
import { credentialRoutes } from './user-center/credentials.ts';
import { faucetRoutes } from './user-center/faucet.ts';

const health = route(processCalls.health, {
  handle: ({ engine, cluster }) => {
    const { seq } = engine;
    const reason = notReadyReason(engine, cluster?.status() ?? null);
    const answer = { status: 'ok' as const, seq, ready: reason === null };
    return ok(reason === null ? answer : { ...answer, reason }, seq);
  },
});

const ready = route(processCalls.ready, {
  handle: ({ engine, node, cluster, availability }) => {
    if (availability() === 'draining') requireAvailable('stopping');
    const { appliedSeq, lagMs, status: follower } = node.follower;
    const history = {
      status: follower.views ?? 'ready',
      lag: Math.max(0, engine.seq - appliedSeq),
      lagSeconds: Math.ceil(lagMs / 1000),
    };
    const { seq } = engine;
    const member = cluster?.status();
    const reason = notReadyReason(engine, member ?? null);
    const status = reason === null ? { status: 'ready' } : { status: 'readOnly', reason };
    const answer = { ...status, seq, followerSeq: appliedSeq, history };
    if (member === undefined) return ok(answer, seq);
    const { role, epoch } = member;
    return ok({ ...answer, cluster: { role, epoch } }, seq);
  },
});

const metrics = route(processCalls.metrics, {
  handle({ metrics: figures, cluster }) {
    const headers = { 'Content-Type': TEXT_FORMAT };
    return { status: 200, body: figures.text(cluster?.status() ?? null), seq: null, headers };
  },
});

export const routes: readonly Route[] = [
  ...[health, ready, metrics],
  ...marketDataRoutes,
  ...tradingRoutes,
  ...orderRoutes,
  ...accountRoutes,
  ...earnRoutes,
  ...earnWriteRoutes,
  ...earnEnterpriseRoutes,
  // For callers with a session; the web UI and scripts use only these.
  ...credentialRoutes,
  ...accountCenterRoutes,
  ...faucetRoutes,
  // /operator/v1, with the operator token. The web console and the command line use only these.
  ...operatorUserRoutes,
  ...operatorLedgerRoutes,
  ...operatorListingRoutes,
  ...operatorEarnRoutes,
  ...operatorSystemRoutes,
  ...operatorClusterRoutes,
];
