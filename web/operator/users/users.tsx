// Users: the list with its search, a new one, and one of them.
import { Button, Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { User } from '../../api/operator.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Pages } from '../../components/pages.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { NotFound } from '../../shell/notices.tsx';
import type { AreaProps } from '../areas.ts';
import { feeds } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Cut, Mark } from '../parts/facts.tsx';
import { CreateUser } from './create-user.tsx';
import { KycMark } from './kyc-mark.tsx';
import { UserPage } from './user-page.tsx';

export function Users({ rest }: AreaProps) {
  if (rest === '') return <UserList />;
  if (rest === 'new') return <CreateUser />;
  return /^[1-9]\d{0,15}$/.test(rest) ? <UserPage uid={rest} /> : <NotFound />;
}

const columns: readonly Column<User>[] = [
  { title: 'User', render: ({ uid }) => uid },
  {
    title: 'E-mail address',
    render: ({ uid, email }) => (
      <Link href={`/operator/users/${uid}`}>
        <Cut text={email} />
      </Link>
    ),
  },
  {
    title: 'KYC',
    from: 'sm',
    render: ({ kyc }) => <KycMark kyc={kyc} />,
  },
  {
    title: 'Status',
    render: ({ status }) => (
      <Mark tone={status === 'active' ? 'good' : 'bad'}>
        {status === 'active' ? 'Active' : 'Suspended'}
      </Mark>
    ),
  },
  {
    title: 'Enterprise',
    from: 'md',
    render: ({ enterpriseId, enterpriseAdmin }) =>
      enterpriseId === null ? '–' : `${enterpriseId}${enterpriseAdmin ? ', admin' : ''}`,
  },
  { title: 'Since', from: 'md', render: ({ createdAt }) => <When at={createdAt} /> },
];

const PAGE_SIZE = 25;
/** Each search is an entry of the audit log, so it waits for the end of a word. */
const TYPING_PAUSE_MS = 400;

function UserList() {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const [query] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const users = useLive(feeds.users(query, page, PAGE_SIZE));
  return (
    <PageFrame
      title="Users"
      actions={
        <Group gap="sm">
          <AsOf live={[users]} />
          <Button component={Link} href="/operator/users/new">
            New user
          </Button>
        </Group>
      }
    >
      <TextInput
        aria-label="Search"
        placeholder="A part of the e-mail address, or the number of the user"
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPage(1);
        }}
        maxLength={254}
        maw={520}
      />
      <Panel flush>
        <Loaded
          live={users}
          rows={10}
          isEmpty={({ items }) => items.length === 0}
          empty={
            <Empty
              icon={<IconUsers size={26} stroke={1.5} />}
              title={query === '' ? 'No users yet' : 'Nobody fits'}
            >
              {query === ''
                ? 'Customers register themselves, or are created here.'
                : 'Search for a part of the address, or for the whole number of a user.'}
            </Empty>
          }
        >
          {({ items, totalNum, totalPage }) => (
            <>
              <DataTable
                label="Users, newest first"
                rows={items}
                columns={columns}
                keyOf={({ uid }) => uid}
                onRow={({ uid }) => navigate(`/operator/users/${uid}`)}
              />
              <Pages page={page} total={totalPage} count={totalNum} of="users" onChange={setPage} />
            </>
          )}
        </Loaded>
      </Panel>
    </PageFrame>
  );
}
