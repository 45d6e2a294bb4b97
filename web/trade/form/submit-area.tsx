// The button that places the order, or what stands in its way.

import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Side } from '../../../src/sdk/codes.ts';
import { SteadyButton } from '../../components/steady-button.tsx';
import { useSession } from '../../session/session.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import styles from './order-form.module.css';
import { closedFor } from './request.ts';

export interface SubmitAreaProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly ready: boolean;
  /** The id of the note that says why it is not. */
  readonly reason: string | undefined;
  /** An order that is sent without a connection is one that nobody knows the fate of. */
  readonly offline: boolean;
  readonly pending: boolean;
}

export function SubmitArea({ pair, draft, ready, reason, offline, pending }: SubmitAreaProps) {
  const { state } = useSession();
  if (state === 'loggedOut') {
    const next = `?next=/trade/${pair.symbol}`;
    return (
      <div className={styles.entry}>
        <Button component={Link} href={`/login${next}`} fullWidth>
          Log in to trade
        </Button>
        <Button component={Link} href={`/register${next}`} variant="default" fullWidth>
          Sign up
        </Button>
      </div>
    );
  }
  const buys = draft.side === Side.buy;
  const closed = closedFor(draft, pair) !== null;
  return (
    <SteadyButton
      type="submit"
      fullWidth
      size="md"
      className={styles.submit}
      data-side={buys ? 'buy' : 'sell'}
      off={!ready || offline || closed || state !== 'loggedIn'}
      title={offline ? 'There is no connection' : undefined}
      pending={pending}
      aria-describedby={reason}
    >
      {buys ? 'Buy' : 'Sell'} {pair.base}
    </SteadyButton>
  );
}
