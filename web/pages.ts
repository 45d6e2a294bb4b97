// The pages: where each is, what it is called, who sees it, and the code that is loaded with it.
import {
  IconBook2,
  IconBuilding,
  IconChartCandle,
  IconKey,
  IconPigMoney,
  IconShieldLock,
  IconWallet,
} from '@tabler/icons-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { PagePath } from '../src/contract/pages.ts';

/** everyone; who has logged in; who administers an enterprise. */
export type Audience = 'everyone' | 'people' | 'enterprise';

export interface Page {
  readonly path: PagePath;
  readonly title: string;
  readonly audience: Audience;
  /** Where the way to it is shown; null for pages that are reached from others. */
  readonly menu: 'main' | 'account' | null;
  readonly icon: ComponentType<{ size?: number; stroke?: number }> | null;
  readonly component: LazyExoticComponent<ComponentType>;
}

export const pages: readonly Page[] = [
  {
    path: 'trade',
    title: 'Trade',
    audience: 'everyone',
    menu: 'main',
    icon: IconChartCandle,
    component: lazy(() => import('./trade/page.tsx')),
  },
  {
    path: 'earn',
    title: 'Earn',
    audience: 'everyone',
    menu: 'main',
    icon: IconPigMoney,
    component: lazy(() => import('./earn/page.tsx')),
  },
  {
    path: 'wallet',
    title: 'Wallet',
    audience: 'people',
    menu: 'main',
    icon: IconWallet,
    component: lazy(() => import('./wallet/page.tsx')),
  },
  {
    path: 'enterprise',
    title: 'Enterprise',
    audience: 'enterprise',
    menu: 'main',
    icon: IconBuilding,
    component: lazy(() => import('./enterprise/page.tsx')),
  },
  {
    path: 'docs',
    title: 'Docs',
    audience: 'everyone',
    menu: 'main',
    icon: IconBook2,
    component: lazy(() => import('./docs/page.tsx')),
  },
  {
    path: 'keys',
    title: 'API keys',
    audience: 'people',
    menu: 'account',
    icon: IconKey,
    component: lazy(() => import('./keys/page.tsx')),
  },
  {
    path: 'security',
    title: 'Security',
    audience: 'people',
    menu: 'account',
    icon: IconShieldLock,
    component: lazy(() => import('./security/page.tsx')),
  },
  {
    path: 'operator',
    title: 'Operator console',
    audience: 'everyone',
    menu: null,
    icon: null,
    component: lazy(() => import('./operator/page.tsx')),
  },
  {
    path: 'login',
    title: 'Log in',
    audience: 'everyone',
    menu: null,
    icon: null,
    component: lazy(() => import('./account/login-page.tsx')),
  },
  {
    path: 'register',
    title: 'Create an account',
    audience: 'everyone',
    menu: null,
    icon: null,
    component: lazy(() => import('./account/register-page.tsx')),
  },
  {
    path: 'reset',
    title: 'New password',
    audience: 'everyone',
    menu: null,
    icon: null,
    component: lazy(() => import('./account/reset-page.tsx')),
  },
];
