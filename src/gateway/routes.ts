// The whole API on one page.
import type { Route } from './route.ts';
import { accountRoutes } from './routes-account.ts';
import { earnRoutes } from './routes-earn.ts';
import { earnEnterpriseRoutes } from './routes-earn-enterprise.ts';
import { earnWriteRoutes } from './routes-earn-writes.ts';
import { marketDataRoutes } from './routes-market-data.ts';
import { operatorRoutes } from './routes-operator.ts';
import { orderRoutes } from './routes-orders.ts';
import { systemRoutes } from './routes-system.ts';
import { tradingRoutes } from './routes-trading.ts';
import { userCenterRoutes } from './routes-user-center.ts';

export const routes: readonly Route[] = [
  ...systemRoutes,
  ...marketDataRoutes,
  ...tradingRoutes,
  ...orderRoutes,
  ...accountRoutes,
  ...earnRoutes,
  ...earnWriteRoutes,
  ...earnEnterpriseRoutes,
  ...userCenterRoutes,
  ...operatorRoutes,
];
