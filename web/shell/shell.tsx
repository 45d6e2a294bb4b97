// What stays while pages change: the bar with the ways to the pages, the account, and word of a lost connection.
import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Loading } from '../components/states.tsx';
import { type Page, pages } from '../pages.ts';
import { useSession } from '../session/session.ts';
import { CrashBoundary } from './crash-boundary.tsx';
import { Header, TabBar } from './header.tsx';
import { LoginNeeded, NotFound } from './notices.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { useScrollToTop } from './scroll.ts';
import styles from './shell.module.css';

export function Shell() {
  useScrollToTop();
  const [path] = useLocation();
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <Header />
      <OfflineNotice />
      <main id="content" tabIndex={-1} className={styles.main}>
        {/* One for each page: a broken one takes no other with it. */}
        <CrashBoundary key={path.split('/')[1]}>
          <Suspense fallback={<Loading rows={6} />}>
            <Switch>
              <Route path="/">
                <Redirect to="/trade" replace />
              </Route>
              {pages.map((page) => (
                <Route key={page.path} path={`/${page.path}${page.deeper ? '/*?' : ''}`}>
                  <Visit page={page} />
                </Route>
              ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </CrashBoundary>
      </main>
      <TabBar />
    </div>
  );
}

/** The page itself, or what has to be done before it can be seen. */
function Visit({ page }: { readonly page: Page }) {
  const { state, me } = useSession();
  document.title = `${page.title} · agio`;
  if (page.audience !== 'everyone') {
    if (state === 'unknown') return <Loading rows={6} />;
    if (state === 'loggedOut') return <LoginNeeded title={page.title} />;
    if (page.audience === 'enterprise' && !me!.enterpriseAdmin) return <NotFound />;
  }
  const Component = page.component;
  return <Component />;
}
