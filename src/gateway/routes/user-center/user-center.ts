// The calls of the user center, for callers with a session. The web UI and scripts use only these.
import type { Route } from '../../http/route.ts';
import { userCenterFaucetRoutes } from './faucet.ts';
import { userCenterKeyRoutes } from './keys.ts';
import { userCenterLoginRoutes } from './login.ts';
import { userCenterPasswordRoutes } from './password.ts';
import { userCenterSecurityRoutes } from './security.ts';
import { userCenterTotpRoutes } from './totp.ts';

export const userCenterRoutes: readonly Route[] = [
  ...userCenterLoginRoutes,
  ...userCenterPasswordRoutes,
  ...userCenterSecurityRoutes,
  ...userCenterTotpRoutes,
  ...userCenterKeyRoutes,
  ...userCenterFaucetRoutes,
];
