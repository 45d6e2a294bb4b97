// The frame around every page: the bars with links to the pages, the account menu and the notice of
// a lost connection.
import { Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Loading } from '../components/layout.tsx';
import { shell as t } from '../messages/shell.ts';
import { type Page, pages } from '../pages.ts';
import { useSession } from '../session/session.ts';
import { CrashBoundary } from './crash-boundary.tsx';
import { Header, TabBar } from './header.tsx';
import { LoginNeeded, NotFound, OfflineNotice, SuspendedNotice } from './notices.tsx';
import styles from './shell.module.css';
import { useTitle } from './title.ts';

export function Shell() {
  useScrollToTop();
  const [path] = useLocation();
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {t.skipToContent}
      </a>
      <Header />
      <SuspendedNotice />
      <OfflineNotice />
      <main id="content" tabIndex={-1} className={styles.main}>
        {/* One boundary for each page, so that a broken page does not affect the next one. */}
        <CrashBoundary key={path.split('/')[1]}>
          <Suspense fallback={<Loading rows={6} />}>
            <Switch>
              <Route path="/">
                <Visit page={pages.find(({ path }) => path === 'home')!} />
              </Route>
              {pages.map((page) => (
                <Route key={page.path} path={`/${page.path}${page.hasSubpages ? '/*?' : ''}`}>
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

/** The page itself, or a request to log in first. */
function Visit({ page }: { readonly page: Page }) {
  const { state, me } = useSession();
  useTitle(page.title);
  if (page.visibleTo !== undefined) {
    if (state === 'unknown') return <Loading rows={6} />;
    if (state === 'loggedOut') return <LoginNeeded title={page.title} />;
    if (page.visibleTo === 'enterprise' && !me!.enterpriseAdmin) return <NotFound />;
  }
  const Component = page.component;
  return <Component />;
}

/** Shows an opened page from its top. On the way back the browser restores the scroll position. */
function useScrollToTop(): void {
  const [path] = useLocation();
  const shown = useRef(path);
  const isOpened = useRef(false);
  useEffect(() => {
    // A link within the page is a `popstate`, too.
    const note = ({ type }: Event) => {
      isOpened.current = type !== 'popstate';
    };
    const ending = new AbortController();
    // In the capture phase, because the router draws as soon as it gets these events.
    const options = { capture: true, signal: ending.signal };
    for (const type of NAVIGATIONS) addEventListener(type, note, options);
    return () => ending.abort();
  }, []);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    if (isOpened.current) window.scrollTo(0, 0);
  }, [path]);
}

/** The router emits the first two. */
const NAVIGATIONS = ['pushState', 'replaceState', 'popstate'] as const;
