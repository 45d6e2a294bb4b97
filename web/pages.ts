// The pages: the path, title and visibility of each, and the code that it loads.
import {
  IconBook2,
  IconBuilding,
  IconChartCandle,
  IconChartLine,
  IconKey,
  IconListDetails,
  IconPigMoney,
  IconSettings,
  IconShieldLock,
  IconWallet,
} from '@tabler/icons-react';
import { type ComponentType, createElement, lazy, useState } from 'react';
import type { PagePath } from '../src/contract/pages.ts';
import { type Feed, readOnce } from './live/live.ts';
import { shell } from './messages/shell.ts';
import { pageCode } from './shell/page-code.ts';
import { firstFeeds } from './trade/first-feeds.ts';

type Icon = ComponentType<{ size?: number; stroke?: number }>;
type Load = () => Promise<{ readonly default: ComponentType }>;

interface PageSpec {
  readonly path: PagePath;
  /** Fetches its code. */
  readonly load: Load;
  /** The feeds that it shows first, for the next part of the path. */
  readonly feeds?: (part: string | undefined) => readonly Feed<unknown>[];
  /** Logged-in users, or the admins of enterprises; without it, everyone. */
  readonly visibleTo?: 'users' | 'enterprise';
  /** True if it has subpages; the page itself handles paths that do not exist. */
  readonly hasSubpages?: true;
  /** The menu that links to it, with its icon. Without one, other pages lead to it. */
  readonly menu?: 'main' | 'account';
  readonly icon?: Icon;
}

export interface Page extends PageSpec {
  readonly title: string;
  readonly component: ComponentType;
}

/** A page whose code is fetched on the first visit; later visits show no placeholder. */
function code(load: Load): Pick<Page, 'component' | 'load'> {
  let loaded: ComponentType | null = null;
  const fetched: Load = pageCode(async () => {
    const module = await load();
    loaded = module.default;
    return module;
  });
  const Later = lazy(fetched);
  function PageContent() {
    const [Content] = useState<ComponentType>(() => loaded ?? Later);
    return createElement(Content);
  }
  return { component: PageContent, load: fetched };
}

/** Loads the code of a path's page, and reads its first feeds meanwhile. */
export async function loadPageAt(pathname: string): Promise<void> {
  const page = pageAt(pathname);
  for (const feed of page?.feeds?.(pathname.split('/')[2] || undefined) ?? []) {
    // The page reads it again and shows the error.
    readOnce(feed).catch(() => undefined);
  }
  await page?.load();
}

/** The page of a path of this site. */
const pageAt = (pathname: string): Page | undefined =>
  pages.find(({ path }) => path === (pathname.split('/')[1] || 'home'));

const inMain = (icon: Icon) => ({ menu: 'main', icon, hasSubpages: true }) as const;
const ofAccount = (icon: Icon) => ({ menu: 'account', icon, visibleTo: 'users' }) as const;

const PAGES: readonly PageSpec[] = [
  { path: 'home', load: () => import('./home/page.tsx') },
  { path: 'markets', load: () => import('./markets/page.tsx'), menu: 'main', icon: IconChartLine },
  {
    path: 'trade',
    load: () => import('./trade/page.tsx'),
    feeds: firstFeeds,
    ...inMain(IconChartCandle),
  },
  { path: 'orders', load: () => import('./trade/orders/page.tsx'), ...ofAccount(IconListDetails) },
  { path: 'earn', load: () => import('./earn/page.tsx'), ...inMain(IconPigMoney) },
  {
    path: 'wallet',
    load: () => import('./wallet/page.tsx'),
    visibleTo: 'users',
    menu: 'main',
    icon: IconWallet,
  },
  {
    path: 'enterprise',
    load: () => import('./enterprise/page.tsx'),
    visibleTo: 'enterprise',
    ...inMain(IconBuilding),
  },
  { path: 'docs', load: () => import('./docs/page.tsx'), ...inMain(IconBook2) },
  {
    path: 'keys',
    load: () => import('./keys/page.tsx'),
    hasSubpages: true,
    ...ofAccount(IconKey),
  },
  {
    path: 'security',
    load: () => import('./security/page.tsx'),
    hasSubpages: true,
    ...ofAccount(IconShieldLock),
  },
  {
    path: 'settings',
    load: () => import('./settings/page.tsx'),
    menu: 'account',
    icon: IconSettings,
  },
  { path: 'operator', load: () => import('./operator/page.tsx'), hasSubpages: true },
  { path: 'login', load: () => import('./account/login-page.tsx') },
  { path: 'register', load: () => import('./account/register-page.tsx') },
  { path: 'reset', load: () => import('./account/reset-page.tsx') },
];

export const pages: readonly Page[] = PAGES.map((page) => ({
  ...page,
  ...code(page.load),
  title: shell.pages[page.path],
}));
