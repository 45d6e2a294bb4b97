// One user: who it is, what they have, their terms, their keys.
import { Anchor, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { When } from '../../components/figures.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { CancelOrders } from '../parts/cancel-orders.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Facts, Mark } from '../parts/facts.tsx';
import { KycMark } from './kyc-mark.tsx';
import { UserBalances } from './user-balances.tsx';
import { UserKeys } from './user-keys.tsx';
import { UserTermsPanel } from './user-terms.tsx';

export function UserPage({ uid }: { readonly uid: string }) {
  const user = useLive(feeds.user(uid));
  const balances = useLive(feeds.balances(uid));
  const apiKeys = useLive(feeds.keys(uid));
  return (
    <PageFrame
      title={`User ${uid}`}
      lead={
        <Anchor component={Link} href="/operator/users" size="sm">
          All users
        </Anchor>
      }
      actions={<AsOf live={[user, balances, apiKeys]} />}
    >
      <Panel title="Who">
        <Loaded live={user}>{(data) => <Who user={data} />}</Loaded>
      </Panel>
      <Panel
        title="Balances"
        flush
        actions={
          <Group gap="xs">
            <Button
              component={Link}
              href={`/operator/ledger/credit?uid=${uid}`}
              size="xs"
              variant="default"
            >
              Credit
            </Button>
            <Button
              component={Link}
              href={`/operator/ledger/debit?uid=${uid}`}
              size="xs"
              variant="default"
            >
              Debit
            </Button>
          </Group>
        }
      >
        <Loaded live={balances}>{(data) => <UserBalances balances={data} />}</Loaded>
      </Panel>
      <Loaded live={user}>
        {(data) => <UserTermsPanel key={JSON.stringify(data)} user={data} />}
      </Loaded>
      <UserKeys uid={uid} live={apiKeys} />
    </PageFrame>
  );
}

function Who({ user }: { readonly user: operator.User }) {
  const { uid, email, status, kyc, createdAt } = user;
  const [asking, setAsking] = useState(false);
  const active = status === 'active';
  const amend = useAction(operator.amendUser, {
    done: active ? `User ${uid} is suspended.` : `User ${uid} is active again.`,
    refreshes: [keys.user(uid), keys.users],
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Facts
        facts={[
          ['E-mail address', email],
          [
            'Status',
            <Mark key="status" tone={active ? 'good' : 'bad'}>
              {active ? 'Active' : 'Suspended: can be read, changes nothing'}
            </Mark>,
          ],
          ['KYC', <KycMark key="kyc" kyc={kyc} />],
          ['Since', <When key="since" at={createdAt} />],
        ]}
      />
      <Group mt="md" gap="xs">
        <Button
          size="xs"
          variant="default"
          c={active ? 'var(--sell)' : undefined}
          onClick={() => setAsking(true)}
        >
          {active ? 'Suspend…' : 'Make active again…'}
        </Button>
        <CancelOrders uid={uid} />
      </Group>
      <Confirm
        opened={asking}
        title={active ? `Suspend user ${uid}` : `Make user ${uid} active again`}
        consequences={active ? suspension(email) : activation(email)}
        confirm={active ? 'Suspend' : 'Make active'}
        danger={active}
        pending={amend.pending}
        error={amend.error}
        onConfirm={() => amend.run(uid, { status: active ? 'suspended' : 'active' })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

const suspension = (email: string): string[] => [
  `${email} can change nothing any more: no order, cancel, subscription or redemption, on the pages and with every API key.`,
  'All open orders are canceled, also in halted pairs, and the dead man’s switch is disarmed.',
  'All sessions and private streams end. A new login can read.',
  'Balances stay, interest goes on. A term that ends is not renewed; the money goes to the spot balance.',
  'You can make the account active again at any time; canceled orders do not come back.',
];

const activation = (email: string): string[] => [
  `${email} can order, cancel, subscribe and redeem again, from now on.`,
  'API keys that were not revoked work again.',
];
