// Starts the user interface in a browser: theme, data, and the shell with its pages.
import './base.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { queryClient } from './live/live.ts';
import { shell } from './messages/shell.ts';
import { loadPageAt } from './pages.ts';
import { Shell } from './shell/shell.tsx';
import { theme } from './theme.ts';

/** The page's policy allows style elements only with this nonce. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')!.content;
/** Dialogs add a style element to stop scrolling; their library reads the nonce from here. */
Object.assign(globalThis, { __webpack_nonce__: nonce() });

// Without this, React would show a placeholder for 300 ms before the page. A page that fails to
// load is fetched again, and the error is shown, when it is drawn.
await loadPageAt(location.pathname).catch(() => undefined);

document.querySelector('.start')?.remove();
createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={nonce}>
    <QueryClientProvider client={queryClient}>
      <Shell />
      <section aria-label={shell.messages}>
        <Notifications
          position="top-center"
          layout="stacked"
          autoClose={5000}
          limit={4}
          withinPortal={false}
        />
      </section>
    </QueryClientProvider>
  </MantineProvider>,
);
