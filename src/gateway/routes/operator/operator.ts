// The operator API on one page: /operator/v1, with the operator token. Each call is in the audit
// log (operator-audit.ts). The web console and the command line use these calls and no others.
import type { Route } from '../../http/route.ts';
import { operatorEarnRoutes } from './earn.ts';
import { operatorLedgerRoutes } from './ledger.ts';
import { operatorLimitRoutes } from './limits.ts';
import { operatorListingRoutes } from './listing.ts';
import { operatorOrderRoutes } from './orders.ts';
import { operatorSystemRoutes } from './system.ts';
import { operatorUserRoutes } from './users.ts';

export const operatorRoutes: readonly Route[] = [
  ...operatorUserRoutes,
  ...operatorOrderRoutes,
  ...operatorLedgerRoutes,
  ...operatorListingRoutes,
  ...operatorEarnRoutes,
  ...operatorSystemRoutes,
  ...operatorLimitRoutes,
];
