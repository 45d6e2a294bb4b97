// The start page of Earn: the customer's subscriptions, and the open plans.
import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import { PageFrame } from '../components/page-frame.tsx';
import { Loaded } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import { useSession } from '../session/session.ts';
import styles from './earn.module.css';
import { earnFeeds } from './feeds.ts';
import { Holdings } from './holdings.tsx';
import { Offers } from './offer-list.tsx';

export function Overview() {
  const { state } = useSession();
  const loggedIn = state === 'loggedIn';
  const offers = useLive(state === 'unknown' ? null : earnFeeds.offers(loggedIn));
  return (
    <PageFrame
      title="Earn"
      lead="Earn daily interest on idle balances. Every payout is verifiable."
    >
      {loggedIn ? <Holdings /> : null}
      {state === 'loggedOut' ? <Invitation /> : null}
      <Loaded live={offers} rows={8}>
        {(list) => <Offers offers={list} loggedIn={loggedIn} />}
      </Loaded>
    </PageFrame>
  );
}

/** Invites visitors, who see the plans without their own rates, to log in. */
export function Invitation({ next = '/earn' }: { readonly next?: string }) {
  const query = `?next=${encodeURIComponent(next)}`;
  return (
    <section className={styles.invitation} aria-label="Log in or create an account">
      <p>Log in to see your rates and to subscribe from your spot balance.</p>
      <Group gap="xs" wrap="nowrap">
        <Button component={Link} href={`/register${query}`}>
          Create an account
        </Button>
        <Button component={Link} href={`/login${query}`} variant="default">
          Log in
        </Button>
      </Group>
    </section>
  );
}
