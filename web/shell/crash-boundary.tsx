// A page that breaks takes nothing else with it: the bar stays, and the page can be loaded again.
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Empty } from '../components/states.tsx';

interface State {
  readonly broken: boolean;
}

export class CrashBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { broken: false };

  static getDerivedStateFromError(): State {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Empty
        title="This page has stopped working"
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        Your money and your orders are not affected. If it happens again, tell the operator what you
        did.
      </Empty>
    );
  }
}
