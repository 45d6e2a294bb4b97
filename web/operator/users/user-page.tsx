// One user: profile, balances, terms, API keys.
import { Group, Text } from '@mantine/core';
import { IconWallet } from '@tabler/icons-react';
import type { Balance, OperatorAmendUserRequest, User } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { Amount, When } from '../../components/figures.tsx';
import { Empty, Loaded, PageFrame, Panel } from '../../components/layout.tsx';
import { Dim, LinkButton } from '../../components/texts.tsx';
import { isZero } from '../../exact/decimal.ts';
import { useLive } from '../../live/live.ts';
import { common } from '../../messages/common.ts';
import { operatorText } from '../../messages/operator.ts';
import { forms } from '../../messages/operator-forms.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { CancelOrders } from '../parts/cancel-orders.tsx';
import { AsOf, BackLink, Facts, KycMark, Mark } from '../parts/marks.tsx';
import parts from '../parts/parts.module.css';
import { RequestFields, useEditForm } from '../parts/request-form.tsx';
import { EMPTY_USER, finishTerms, termsLayout } from './user-form.ts';
import { UserKeys } from './user-keys.tsx';

export function UserPage({ uid }: { readonly uid: number }) {
  const user = useLive(feeds.user(uid));
  const balances = useLive(feeds.balances(uid));
  const apiKeys = useLive(feeds.keys(uid));
  return (
    <PageFrame
      title={text.userTitle(uid)}
      lead={<BackLink href="/operator/users" label={text.allUsers} />}
      actions={<AsOf live={[user, balances, apiKeys]} />}
    >
      <Panel title={text.profile}>
        <Loaded live={user}>{(data) => <Profile user={data} />}</Loaded>
      </Panel>
      <ListPanel
        title={text.balances}
        live={balances}
        loadingRows={4}
        rows={(all) => all.filter(({ total }) => !isZero(total))}
        columns={columns}
        keyOf={({ asset }) => asset}
        empty={<Empty icon={IconWallet} title={text.noMoney} hint={text.noMoneyHint} />}
        actions={
          <Group gap="xs">
            <TransferLink uid={uid} direction="credit" />
            <TransferLink uid={uid} direction="debit" />
          </Group>
        }
      />
      <Loaded live={user}>{(data) => <TermsPanel key={JSON.stringify(data)} user={data} />}</Loaded>
      <UserKeys uid={uid} live={apiKeys} />
    </PageFrame>
  );
}

interface TransferLinkProps {
  readonly uid: number;
  readonly direction: 'credit' | 'debit';
}

function TransferLink({ uid, direction }: TransferLinkProps) {
  const href = `/operator/ledger/${direction}?uid=${uid}`;
  return (
    <LinkButton href={href} size="xs" variant="default">
      {text[direction]}
    </LinkButton>
  );
}

function Profile({ user }: { readonly user: User }) {
  const { uid, email, kyc, createdAt } = user;
  const isActive = user.status === 'active';
  const status = isActive ? 'suspended' : 'active';
  const amend = useAction(() => operator.amendUser(uid, { status }), {
    done: isActive ? text.suspendedNow(uid) : text.activatedNow(uid),
    refreshes: [feedKey('user', uid), feedKey('users')],
  });
  const question = isActive
    ? {
        title: text.suspendTitle(uid),
        consequences: text.suspension(email),
        confirm: text.suspendButton,
        danger: true,
      }
    : {
        title: text.activateTitle(uid),
        consequences: text.activation(email),
        confirm: text.activateButton,
      };
  return (
    <>
      <Facts
        facts={[
          [text.email, email],
          [
            text.status,
            <Mark key="status" tone={isActive ? 'good' : 'bad'}>
              {isActive ? operatorText.active : text.suspendedNote}
            </Mark>,
          ],
          [text.kyc, <KycMark key="kyc" kyc={kyc} />],
          [text.since, <When key="since" at={createdAt} />],
        ]}
      />
      <Group mt="md" gap="xs">
        <ConfirmButton
          label={isActive ? text.suspend : text.activate}
          look={isActive ? 'danger' : 'default'}
          question={question}
          action={amend}
        />
        <CancelOrders uid={uid} />
      </Group>
    </>
  );
}

/** Remounted when the user changes, so that the form shows the current terms. */
function TermsPanel({ user }: { readonly user: User }) {
  const { uid } = user;
  const enterprises = useLive(feeds.enterprises).data ?? [];
  const request = useEditForm(user, {
    initial: { ...EMPTY_USER, enterpriseId: String(user.enterpriseId ?? '') },
    layout: termsLayout(enterprises),
    finish: finishTerms,
    send: (body: OperatorAmendUserRequest) => operator.amendUser(uid, body),
    done: text.termsChanged,
    refreshes: [feedKey('user', uid), feedKey('users'), feedKey('enterprises')],
  });
  return (
    <Panel title={text.terms}>
      <RequestFields request={request} submit={forms.save}>
        {request.result.ok && request.result.body.enterpriseId !== undefined ? (
          <Dim>{text.keepsEnterprise}</Dim>
        ) : null}
      </RequestFields>
    </Panel>
  );
}

/** Each part, and the screen width from which it has a column; below it, the total lists it. */
const PARTS = [
  ['available', 'sm'],
  ['held', 'sm'],
  ['earn', 'md'],
  ['redeeming', 'md'],
  ['booster', 'md'],
] as const;

const columns: readonly Column<Balance>[] = [
  column.of(text.asset, ({ asset }) => asset),
  ...PARTS.map(
    ([part, from]): Column<Balance> =>
      column.figure(common.balanceParts[part], (balance) => <Amount value={balance[part]} />, from),
  ),
  column.figure(text.total, (balance) => <Total balance={balance} />),
];

/** The total with the parts that have no column on this screen. */
function Total({ balance }: { readonly balance: Balance }) {
  const { available, total } = balance;
  const shown = available === total ? [] : PARTS.filter(([part]) => !isZero(balance[part]));
  return (
    <>
      <Amount value={total} />
      {shown.map(([part, from]) => (
        <Text key={part} component="span" hiddenFrom={from} className={`dim ${parts.below}`}>
          <Amount value={balance[part]} /> {common.amountParts[part]}
        </Text>
      ))}
    </>
  );
}
