// Starts the user interface in a browser.
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { pageAt } from './pages.ts';

// Without this, React would show a placeholder for 300 ms before the page. A page that fails to
// load is fetched again, and the error is shown, when it is drawn.
await pageAt(location.pathname)
  ?.load()
  .catch(() => undefined);

document.querySelector('.start')?.remove();
createRoot(document.getElementById('root')!).render(<App />);
