// The first page of Earn: what one has, and what is offered.
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
      lead="Put coins that you do not trade with into a plan, and they earn interest for every UTC day, at an annual rate and to the last digit; every figure can be recomputed."
    >
      {loggedIn ? <Holdings /> : null}
      {state === 'loggedOut' ? <Invitation /> : null}
      <Loaded live={offers} rows={8}>
        {(list) => <Offers offers={list} loggedIn={loggedIn} />}
      </Loaded>
    </PageFrame>
  );
}

/** To visitors, who see the plans but not what an amount of theirs would earn. */
export function Invitation({ next = '/earn' }: { readonly next?: string }) {
  const query = `?next=${encodeURIComponent(next)}`;
  return (
    <section className={styles.invitation} aria-label="Log in or create an account">
      <p>
        Log in to see what an amount would earn day by day, at your own rates, and to subscribe. An
        account is all that it takes; what you subscribe comes from your spot balance.
      </p>
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
