// The area Users: the list with its search, a new user, and one user.
import { Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { OperatorCreateUserRequest, User } from '../../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty, PageFrame } from '../../components/layout.tsx';
import { Pages } from '../../components/paging.tsx';
import { LinkButton } from '../../components/texts.tsx';
import { useLive } from '../../live/live.ts';
import { operatorText } from '../../messages/operator.ts';
import { forms } from '../../messages/operator-forms.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { NotFound } from '../../shell/notices.tsx';
import { feedKey, feeds, operator } from '../data.ts';
import { CreatePage } from '../parts/create-page.tsx';
import { TYPING_PAUSE_MS } from '../parts/field-input.tsx';
import { AsOf, Cut, KycMark, Mark } from '../parts/marks.tsx';
import { EMPTY_USER, newUserLayout, newUserSentences } from './user-form.ts';
import { UserPage } from './user-page.tsx';

export function Users({ rest }: { readonly rest: string }) {
  if (rest === '') return <UserList />;
  if (rest === 'new') return <CreateUser />;
  return /^[1-9]\d{0,14}$/.test(rest) ? <UserPage uid={Number(rest)} /> : <NotFound />;
}

const columns: readonly Column<User>[] = [
  column.of(text.uid, ({ uid }) => uid),
  column.of(text.email, ({ uid, email }) => (
    <Link href={`/operator/users/${uid}`}>
      <Cut text={email} />
    </Link>
  )),
  column.of(text.kyc, ({ kyc }) => <KycMark kyc={kyc} />, 'sm'),
  column.of(text.status, ({ status }) => (
    <Mark tone={status === 'active' ? 'good' : 'bad'}>{operatorText[status]}</Mark>
  )),
  column.of(
    text.enterprise,
    ({ enterpriseId, enterpriseAdmin }) =>
      enterpriseId !== null && enterpriseAdmin ? text.admin(enterpriseId) : (enterpriseId ?? '–'),
    'md',
  ),
  column.of(text.since, ({ createdAt }) => <When at={createdAt} />, 'md'),
];

const PAGE_SIZE = 25;

function UserList() {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const [query] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const users = useLive(feeds.users(query, page, PAGE_SIZE));
  return (
    <PageFrame
      title={text.users}
      actions={
        <Group gap="sm">
          <AsOf live={[users]} />
          <LinkButton href="/operator/users/new">{text.newUser}</LinkButton>
        </Group>
      }
    >
      <TextInput
        aria-label={text.search}
        placeholder={forms.searchPlaceholder}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPage(1);
        }}
        maxLength={254}
        maw={520}
      />
      <ListPanel
        label={text.newestFirst}
        live={users}
        loadingRows={10}
        columns={columns}
        keyOf={({ uid }) => uid}
        onRow={({ uid }) => navigate(`/operator/users/${uid}`)}
        empty={
          <Empty
            icon={IconUsers}
            title={query === '' ? text.noUsers : forms.noMatch}
            hint={query === '' ? text.noUsersHint : text.noMatchHint}
          />
        }
        footer={({ totalNum, totalPage }) => (
          <Pages page={page} total={totalPage} count={totalNum} of="users" onChange={setPage} />
        )}
      />
    </PageFrame>
  );
}

function CreateUser() {
  const enterprises = useLive(feeds.enterprises).data ?? [];
  return (
    <CreatePage
      title={text.newUser}
      lead={text.newUserLead}
      form={{ initial: EMPTY_USER, layout: newUserLayout(enterprises) }}
      submit={text.createUser}
      send={(body: OperatorCreateUserRequest) => operator.createUser(body)}
      call="POST /users"
      sentences={newUserSentences}
      done={({ uid }) => text.userCreated(uid)}
      refreshes={[feedKey('users'), feedKey('enterprises')]}
      next={({ uid }) => `/operator/users/${uid}`}
    />
  );
}
