// A subscription of which only interest is left, since the plan's reserve could not pay it yet.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { SubscriptionStatus } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { RefusalNote } from '../components/states.tsx';
import { isZero } from '../exact/decimal.ts';
import { AFFECTED } from './feeds.ts';
import type { Subscription } from './redemption.ts';
import styles from './subscription.module.css';

/** The exchange takes any amount for it. */
const ANY_AMOUNT = '1';

export const onlyInterestIsLeft = ({ status, amount }: Subscription): boolean =>
  status === SubscriptionStatus.redeeming && isZero(amount);

export function OwedInterest({ applyId }: { readonly applyId: string }) {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const ask = useAction(
    async () => {
      // To ask again later is another request; after a lost answer it does no harm either.
      setKey(crypto.randomUUID());
      return client.redeem({ applyId, amount: ANY_AMOUNT }, { idempotencyKey: key });
    },
    { refreshes: AFFECTED, done: 'The interest is in your spot balance.' },
  );
  return (
    <>
      <p className={`dim ${styles.note}`}>
        Only interest is left of it, which the plan could not pay yet. It stays yours, and is paid
        by itself as soon as the plan can; you can also ask for it.
      </p>
      <Button variant="default" onClick={() => ask.run()} loading={ask.pending}>
        Ask for the interest
      </Button>
      <RefusalNote error={ask.error} />
    </>
  );
}
