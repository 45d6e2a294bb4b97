// The operator's view of the rate limits: what is in force, and how much it has refused.

import { operatorCalls } from '../../../contract/operator/calls.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';

const rateLimits = route(operatorCalls.rateLimits, {
  audit: { action: 'limits.list' },
  handle: ({ limits, engine }) => ok({ items: limits.report() }, engine.seq),
});

export const operatorLimitRoutes: readonly Route[] = [rateLimits];
