// The root component: theme, data, and the shell with its pages.
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from './live/live.ts';
import { Shell } from './shell/shell.tsx';
import { theme } from './theme.ts';

/** The page's policy allows style elements only with this nonce. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')!.content;
/** Dialogs add a style element to stop scrolling; their library reads the nonce from here. */
Object.assign(globalThis, { __webpack_nonce__: nonce() });

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={5000} limit={4} />
        <Shell />
      </QueryClientProvider>
    </MantineProvider>
  );
}
