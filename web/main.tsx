// The start of the user interface in a browser.
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

createRoot(document.getElementById('root')!).render(<App />);
