// A page that breaks, or cannot be fetched, takes nothing else with it: the bar stays, and the page can be loaded again.
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Empty } from '../components/states.tsx';
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
    // Nothing was on this page that a reload could lose.
    if (error instanceof PageNotLoaded) addEventListener('online', reload);
  }

  override componentWillUnmount(): void {
    removeEventListener('online', reload);
  }

  override render(): ReactNode {
    const { page } = this.state;
    if (page === 'whole') return this.props.children;
    if (page === 'notLoaded') {
      return (
        <Empty
          title="This page could not be loaded"
          action={<Button onClick={reload}>Load again</Button>}
        >
          There was no connection when it was opened. The other pages are not affected.
        </Empty>
      );
    }
    return (
      <Empty
        title="This page has stopped working"
        action={<Button onClick={reload}>Reload</Button>}
      >
        Your money and your orders are not affected. If it happens again, tell the operator what you
        did.
      </Empty>
    );
  }
}
