// The operator's view of the rate limits: what is in force, and how much it has refused.

import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { OPERATOR } from './call.ts';

const rateLimits = route({
  method: 'GET',
  path: `${OPERATOR}/rate-limits`,
  access: 'operator',
  audit: { action: 'limits.list' },
  summary: 'The limiters in force, and how many requests each has refused since the start.',
  handle: ({ limits, engine }) => ok({ items: limits.report() }, engine.seq),
});

export const operatorLimitRoutes: readonly Route[] = [rateLimits];
