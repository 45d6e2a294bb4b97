// A subscription with only owed interest left, because the plan's reserve could not pay it.
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

/** The server ignores the amount. */
const ANY_AMOUNT = '1';

export const onlyInterestIsLeft = ({ status, amount }: Subscription): boolean =>
  status === SubscriptionStatus.redeeming && isZero(amount);

export function OwedInterest({ applyId }: { readonly applyId: string }) {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const ask = useAction(
    async () => {
      // A later request is a new one; after a lost answer it does no harm.
      setKey(crypto.randomUUID());
      return client.redeem({ applyId, amount: ANY_AMOUNT }, { idempotencyKey: key });
    },
    { refreshes: AFFECTED, done: 'The interest is in your spot balance.' },
  );
  return (
    <>
      <p className={`dim ${styles.note}`}>
        Only interest is left, which the plan could not pay yet. The plan pays it automatically as
        soon as it can; you can also claim it.
      </p>
      <Button variant="default" onClick={() => ask.run()} loading={ask.pending}>
        Claim interest
      </Button>
      <RefusalNote error={ask.error} />
    </>
  );
}
