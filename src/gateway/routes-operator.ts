// The operator API on one page: /operator/v1, with the operator token. Each call is in the audit
// log (operator-audit.ts). The web console and the command line use these calls and no others.
import type { Route } from './route.ts';
import { operatorEarnRoutes } from './routes-operator-earn.ts';
import { operatorLedgerRoutes } from './routes-operator-ledger.ts';
import { operatorLimitRoutes } from './routes-operator-limits.ts';
import { operatorListingRoutes } from './routes-operator-listing.ts';
import { operatorOrderRoutes } from './routes-operator-orders.ts';
import { operatorSystemRoutes } from './routes-operator-system.ts';
import { operatorUserRoutes } from './routes-operator-users.ts';

export const operatorRoutes: readonly Route[] = [
  ...operatorUserRoutes,
  ...operatorOrderRoutes,
  ...operatorLedgerRoutes,
  ...operatorListingRoutes,
  ...operatorEarnRoutes,
  ...operatorSystemRoutes,
  ...operatorLimitRoutes,
];
