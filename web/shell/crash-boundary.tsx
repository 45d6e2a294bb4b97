// Contains the failure of a page that breaks or cannot be fetched: the bars stay, and the reader
// can reload the page.
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Empty } from '../components/layout.tsx';
import { shell as t } from '../messages/shell.ts';
import { PageNotLoaded } from '../pages.ts';

interface State {
  readonly page: 'whole' | 'broken' | 'notLoaded';
}

const reload = () => location.reload();

export class CrashBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { page: 'whole' };

  static getDerivedStateFromError(error: unknown): State {
    return { page: error instanceof PageNotLoaded ? 'notLoaded' : 'broken' };
  }

  override componentDidCatch(error: unknown): void {
    // Nothing is on this page that a reload could lose.
    if (error instanceof PageNotLoaded) addEventListener('online', reload);
  }

  override componentWillUnmount(): void {
    removeEventListener('online', reload);
  }

  override render(): ReactNode {
    const { page } = this.state;
    if (page === 'whole') return this.props.children;
    const [title, hint] =
      page === 'notLoaded' ? [t.notLoaded, t.notLoadedWhy] : [t.crashed, t.crashedWhy];
    return <Empty {...{ title, hint }} action={<Button onClick={reload}>{t.reload}</Button>} />;
  }
}
