// The whole API on one page.
import type { Route } from '../http/route.ts';
import { earnEnterpriseRoutes } from './earn/enterprise.ts';
import { earnRoutes } from './earn/queries.ts';
import { earnWriteRoutes } from './earn/writes.ts';
import { marketDataRoutes } from './market-data/market-data.ts';
import { operatorRoutes } from './operator/operator.ts';
import { systemRoutes } from './system.ts';
import { accountRoutes } from './trading/account.ts';
import { orderRoutes } from './trading/order-queries.ts';
import { tradingRoutes } from './trading/orders.ts';
import { userCenterRoutes } from './user-center/user-center.ts';

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
