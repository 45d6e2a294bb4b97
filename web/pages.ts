// The pages: the path, title and audience of each, and the code that it loads.
import {
  IconBook2,
  IconBuilding,
  IconChartCandle,
  IconKey,
  IconPigMoney,
  IconShieldLock,
  IconWallet,
} from '@tabler/icons-react';
import { type ComponentType, createElement, lazy, useState } from 'react';
import type { PagePath } from '../src/contract/pages.ts';
import { shell } from './messages/shell.ts';

/** Everyone, logged-in users, or the admins of enterprises. */
type VisibleTo = 'everyone' | 'users' | 'enterprise';

export interface Page {
  readonly path: PagePath;
  readonly title: string;
  readonly visibleTo: VisibleTo;
  /** Whether it has subpages; the page itself handles paths that do not exist. */
  readonly hasSubpages?: true;
  /** The menu that links to it; null for pages that are reached from others. */
  readonly menu: 'main' | 'account' | null;
  readonly icon: ComponentType<{ size?: number; stroke?: number }> | null;
  readonly component: ComponentType;
  /** Fetches its code. */
  readonly load: Load;
}

type Load = () => Promise<{ readonly default: ComponentType }>;

/** The code of a page could not be fetched; a browser tries again only after a reload. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/** A page whose code is fetched on the first visit; later visits show no placeholder. */
function code(load: Load): Pick<Page, 'component' | 'load'> {
  let loaded: ComponentType | null = null;
  const fetched: Load = async () => {
    try {
      const module = await load();
      loaded = module.default;
      return module;
    } catch (error) {
      throw new PageNotLoaded('The code of a page could not be fetched', { cause: error });
    }
  };
  const Later = lazy(fetched);
  function PageContent() {
    const [Content] = useState<ComponentType>(() => loaded ?? Later);
    return createElement(Content);
  }
  return { component: PageContent, load: fetched };
}

/** The page of a path of this site. */
export const pageAt = (pathname: string): Page | undefined =>
  pages.find(({ path }) => path === (pathname.split('/')[1] || 'trade'));

const PAGES: readonly Omit<Page, 'title'>[] = [
  {
    path: 'trade',
    visibleTo: 'everyone',
    hasSubpages: true,
    menu: 'main',
    icon: IconChartCandle,
    ...code(() => import('./trade/page.tsx')),
  },
  {
    path: 'earn',
    visibleTo: 'everyone',
    hasSubpages: true,
    menu: 'main',
    icon: IconPigMoney,
    ...code(() => import('./earn/page.tsx')),
  },
  {
    path: 'wallet',
    visibleTo: 'users',
    menu: 'main',
    icon: IconWallet,
    ...code(() => import('./wallet/page.tsx')),
  },
  {
    path: 'enterprise',
    visibleTo: 'enterprise',
    hasSubpages: true,
    menu: 'main',
    icon: IconBuilding,
    ...code(() => import('./enterprise/page.tsx')),
  },
  {
    path: 'docs',
    visibleTo: 'everyone',
    hasSubpages: true,
    menu: 'main',
    icon: IconBook2,
    ...code(() => import('./docs/page.tsx')),
  },
  {
    path: 'keys',
    visibleTo: 'users',
    hasSubpages: true,
    menu: 'account',
    icon: IconKey,
    ...code(() => import('./keys/page.tsx')),
  },
  {
    path: 'security',
    visibleTo: 'users',
    hasSubpages: true,
    menu: 'account',
    icon: IconShieldLock,
    ...code(() => import('./security/page.tsx')),
  },
  {
    path: 'operator',
    visibleTo: 'everyone',
    hasSubpages: true,
    menu: null,
    icon: null,
    ...code(() => import('./operator/page.tsx')),
  },
  {
    path: 'login',
    visibleTo: 'everyone',
    menu: null,
    icon: null,
    ...code(() => import('./account/login-page.tsx')),
  },
  {
    path: 'register',
    visibleTo: 'everyone',
    menu: null,
    icon: null,
    ...code(() => import('./account/register-page.tsx')),
  },
  {
    path: 'reset',
    visibleTo: 'everyone',
    menu: null,
    icon: null,
    ...code(() => import('./account/reset-page.tsx')),
  },
];

export const pages: readonly Page[] = PAGES.map((page) => ({
  ...page,
  title: shell.pages[page.path],
}));
