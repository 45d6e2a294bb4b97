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
import { type ComponentType, createElement, lazy, useState } from 'react';
import type { PagePath } from '../src/contract/pages.ts';

/** everyone; who has logged in; who administers an enterprise. */
export type Audience = 'everyone' | 'people' | 'enterprise';

export interface Page {
  readonly path: PagePath;
  readonly title: string;
  readonly audience: Audience;
  /** Whether it has pages below it, and says itself which of them there are. */
  readonly deeper?: true;
  /** Where the way to it is shown; null for pages that are reached from others. */
  readonly menu: 'main' | 'account' | null;
  readonly icon: ComponentType<{ size?: number; stroke?: number }> | null;
  readonly component: ComponentType;
  /** Fetches its code, before it is drawn. */
  readonly load: Load;
}

type Load = () => Promise<{ readonly default: ComponentType }>;

/** The code of a page could not be fetched; a browser asks for it again only after a reload. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/** A page whose code comes when it is drawn; what was loaded before is drawn without a placeholder in between. */
function code(load: Load): Pick<Page, 'component' | 'load'> {
  let loaded: ComponentType | null = null;
  const fetched: Load = async () => {
    try {
      const module = await load();
      loaded = module.default;
      return module;
    } catch (error) {
      throw new PageNotLoaded('The code of a page could not be fetched.', { cause: error });
    }
  };
  const Later = lazy(fetched);
  function PageContent() {
    const [Content] = useState<ComponentType>(() => loaded ?? Later);
    return createElement(Content);
  }
  return { component: PageContent, load: fetched };
}

/** The page that a path of this site leads to. */
export const pageAt = (pathname: string): Page | undefined =>
  pages.find(({ path }) => path === (pathname.split('/')[1] || 'trade'));

export const pages: readonly Page[] = [
  {
    path: 'trade',
    title: 'Trade',
    audience: 'everyone',
    deeper: true,
    menu: 'main',
    icon: IconChartCandle,
    ...code(() => import('./trade/page.tsx')),
  },
  {
    path: 'earn',
    title: 'Earn',
    audience: 'everyone',
    deeper: true,
    menu: 'main',
    icon: IconPigMoney,
    ...code(() => import('./earn/page.tsx')),
  },
  {
    path: 'wallet',
    title: 'Wallet',
    audience: 'people',
    menu: 'main',
    icon: IconWallet,
    ...code(() => import('./wallet/page.tsx')),
  },
  {
    path: 'enterprise',
    title: 'Enterprise',
    audience: 'enterprise',
    deeper: true,
    menu: 'main',
    icon: IconBuilding,
    ...code(() => import('./enterprise/page.tsx')),
  },
  {
    path: 'docs',
    title: 'Docs',
    audience: 'everyone',
    deeper: true,
    menu: 'main',
    icon: IconBook2,
    ...code(() => import('./docs/page.tsx')),
  },
  {
    path: 'keys',
    title: 'API keys',
    audience: 'people',
    deeper: true,
    menu: 'account',
    icon: IconKey,
    ...code(() => import('./keys/page.tsx')),
  },
  {
    path: 'security',
    title: 'Security',
    audience: 'people',
    deeper: true,
    menu: 'account',
    icon: IconShieldLock,
    ...code(() => import('./security/page.tsx')),
  },
  {
    path: 'operator',
    title: 'Operator console',
    audience: 'everyone',
    deeper: true,
    menu: null,
    icon: null,
    ...code(() => import('./operator/page.tsx')),
  },
  {
    path: 'login',
    title: 'Log in',
    audience: 'everyone',
    menu: null,
    icon: null,
    ...code(() => import('./account/login-page.tsx')),
  },
  {
    path: 'register',
    title: 'Create an account',
    audience: 'everyone',
    menu: null,
    icon: null,
    ...code(() => import('./account/register-page.tsx')),
  },
  {
    path: 'reset',
    title: 'New password',
    audience: 'everyone',
    menu: null,
    icon: null,
    ...code(() => import('./account/reset-page.tsx')),
  },
];
