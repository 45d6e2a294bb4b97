// The user interface from the outside in: look, data, shell, and the page that the address names.
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from './live/live.ts';
import { Shell } from './shell/shell.tsx';
import { theme } from './theme.ts';

/** Style elements are let through by the page's policy only with this. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')!.content;
/** Dialogs keep the page from scrolling with a style element of their own, and look for the nonce here. */
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
