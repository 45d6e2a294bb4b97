// Contains the failure of a page that breaks or cannot be fetched: the bars stay, and the reader
// can reload the page. A page that could not be fetched reloads as soon as the server answers.
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { client } from '../api/clients.ts';
import { Empty } from '../components/layout.tsx';
import { shell as t } from '../messages/shell.ts';
import { stored } from '../session/stored.ts';
import { PageNotLoaded } from './page-code.ts';

interface State {
  readonly page: 'whole' | 'broken' | 'notLoaded';
}

const reload = () => location.reload();

const ATTEMPT_MS = 2_000;
/** A page that still cannot be fetched after a reload does not reload again and again. */
const NEXT_RELOAD_MS = 30_000;
const reloaded = stored(sessionStorage, 'agio.reloadedAt');

async function reloadIfReachable(): Promise<void> {
  if (Date.now() - Number(reloaded.get()) < NEXT_RELOAD_MS) return;
  try {
    await client.ready({ signal: AbortSignal.timeout(ATTEMPT_MS) });
    reloaded.set(String(Date.now()));
    reload();
  } catch {
    // The next attempt follows.
  }
}

export class CrashBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { page: 'whole' };
  #attempts: ReturnType<typeof setInterval> | undefined;

  static getDerivedStateFromError(error: unknown): State {
    return { page: error instanceof PageNotLoaded ? 'notLoaded' : 'broken' };
  }

  override componentDidCatch(error: unknown): void {
    // Nothing is on this page that a reload could lose.
    if (!(error instanceof PageNotLoaded)) return;
    clearInterval(this.#attempts);
    this.#attempts = setInterval(() => void reloadIfReachable(), ATTEMPT_MS);
  }

  override componentWillUnmount(): void {
    clearInterval(this.#attempts);
  }

  override render(): ReactNode {
    const { page } = this.state;
    if (page === 'whole') return this.props.children;
    const [title, hint] =
      page === 'notLoaded' ? [t.notLoaded, t.notLoadedWhy] : [t.crashed, t.crashedWhy];
    return <Empty {...{ title, hint }} action={<Button onClick={reload}>{t.reload}</Button>} />;
  }
}
