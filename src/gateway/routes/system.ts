// The calls of load balancers and monitoring: liveness, readiness and metrics.
import { processCalls } from '../../contract/market-data/calls.ts';
import { ok } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';

const health = route(processCalls.health, {
  handle: ({ engine }) => ok({ status: 'ok', seq: engine.seq }, engine.seq),
});

const ready = route(processCalls.ready, {
  handle: ({ engine, node }) => {
    const { appliedSeq, lagMs, status: follower } = node.follower;
    const history = {
      status: follower.views ?? 'ready',
      lag: Math.max(0, engine.seq - appliedSeq),
      lagSeconds: Math.ceil(lagMs / 1000),
    };
    const { seq } = engine;
    const status = engine.storageFull ? 'readOnly' : 'ready';
    return ok({ status, seq, followerSeq: appliedSeq, history }, seq);
  },
});

const metrics = route(processCalls.metrics, {
  handle({ metrics: figures }) {
    const headers = { 'Content-Type': figures.contentType };
    return { status: 200, body: figures.text(), seq: null, headers };
  },
});

export const systemRoutes: readonly Route[] = [health, ready, metrics];
