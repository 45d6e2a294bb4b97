// The whole API on one page.
import type { Route } from './route.ts';
import { systemRoutes } from './routes-system.ts';
import { tradingRoutes } from './routes-trading.ts';

export const routes: readonly Route[] = [...systemRoutes, ...tradingRoutes];
