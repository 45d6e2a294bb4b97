// The user centre on one page: /user-center, for people with a session. The web UI and scripts use
// these calls and no others.
import type { Route } from './route.ts';
import { userCenterFaucetRoutes } from './routes-user-center-faucet.ts';
import { userCenterKeyRoutes } from './routes-user-center-keys.ts';
import { userCenterLoginRoutes } from './routes-user-center-login.ts';
import { userCenterPasswordRoutes } from './routes-user-center-password.ts';
import { userCenterSecurityRoutes } from './routes-user-center-security.ts';
import { userCenterTotpRoutes } from './routes-user-center-totp.ts';

export const userCenterRoutes: readonly Route[] = [
  ...userCenterLoginRoutes,
  ...userCenterPasswordRoutes,
  ...userCenterSecurityRoutes,
  ...userCenterTotpRoutes,
  ...userCenterKeyRoutes,
  ...userCenterFaucetRoutes,
];
