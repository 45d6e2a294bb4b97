// The start of the user interface in a browser.
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { pageAt } from './pages.ts';

// Drawn first without its page, React would hold the page back behind a placeholder for 300 ms. What fails to load is asked
// for again, and reported, when it is drawn.
await pageAt(location.pathname)
  ?.load()
  .catch(() => undefined);

document.querySelector('.start')?.remove();
createRoot(document.getElementById('root')!).render(<App />);
