// The area Enterprises: the list with members and margins, a new enterprise, and a new member.
import { Button, Group, Text } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import type { Enterprise, OperatorCreateEnterpriseRequest, User } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import type { Column } from '../../components/data-table.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, RefusalNote } from '../../components/states.tsx';
import { count, percent } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { feeds, keys, operator } from '../data.ts';
import { AsOf } from '../parts/marks.tsx';
import { FormReader, parseText } from '../parts/parse.ts';
import parts from '../parts/parts.module.css';
import { faultOf, type Layout, RequestFields, useRequestForm } from '../parts/request-form.tsx';
import { UserPicker } from '../users/user-picker.tsx';

const marginsOf = ({ margins }: Enterprise): string =>
  margins.length === 0
    ? text.none
    : margins.map(({ planId, margin }) => text.margin(planId, percent(margin))).join(', ');

const columns: readonly Column<Enterprise>[] = [
  { title: text.number, render: ({ enterpriseId }) => enterpriseId },
  { title: text.name, render: ({ name }) => <span className="breakable">{name}</span> },
  { title: text.members, align: 'right', render: ({ members }) => count(members) },
  { title: text.margins, render: marginsOf },
  { title: text.selfTrades, render: (enterprise) => <SelfTrades enterprise={enterprise} /> },
];

/** Whether members can trade with each other, and a button for the other choice. */
function SelfTrades({ enterprise }: { readonly enterprise: Enterprise }) {
  const { enterpriseId, name, selfTradePrevention: prevents } = enterprise;
  const verb = prevents ? text.allow : text.prevent;
  const amend = useAction(
    () => operator.amendEnterprise(enterpriseId, { selfTradePrevention: !prevents }),
    {
      done: prevents ? text.nowAllowed(name) : text.nowPrevented(name),
      refreshes: [keys.enterprises],
    },
  );
  return (
    <Group gap="xs" wrap="nowrap">
      {prevents ? text.prevented : text.allowed}
      <Button
        size="compact-xs"
        variant="default"
        loading={amend.pending}
        onClick={() => amend.run()}
        aria-label={text.toggleName(verb, name)}
      >
        {verb}
      </Button>
      <RefusalNote error={amend.error} />
    </Group>
  );
}

export function Enterprises() {
  const enterprises = useLive(feeds.enterprises);
  return (
    <PageFrame
      title={text.enterprises}
      lead={text.enterprisesLead}
      actions={<AsOf live={[enterprises]} />}
    >
      <ListPanel
        title={text.enterprises}
        live={enterprises}
        rows={(all) => all}
        columns={columns}
        keyOf={({ enterpriseId }) => enterpriseId}
        empty={<Empty icon={<IconBuilding size={26} stroke={1.5} />} title={text.noEnterprises} />}
      />
      <div className={parts.fields}>
        <Create />
        <AddMember enterprises={enterprises.data ?? []} />
      </div>
    </PageFrame>
  );
}

function Create() {
  const request = useRequestForm({ name: '' }, (values) => {
    const reader = new FormReader<'name'>();
    return reader.finish({
      name: reader.read('name', parseText(values.name, text.companyName, 64)),
    });
  });
  const create = useAction(
    (body: OperatorCreateEnterpriseRequest) => operator.createEnterprise(body),
    {
      done: ({ enterpriseId }) => text.enterpriseCreated(enterpriseId),
      refreshes: [keys.enterprises],
      onDone: () => request.form.reset(),
    },
  );
  return (
    <Panel title={text.newEnterprise}>
      <RequestFields
        request={request}
        layout={[{ kind: 'text', name: 'name', label: text.name, description: text.nameUse }]}
        action={create}
        submit={text.create}
      />
    </Panel>
  );
}

interface AddMemberProps {
  readonly enterprises: readonly Enterprise[];
}

interface MemberValues {
  readonly user: User | null;
  /** '' for the first enterprise. */
  readonly enterpriseId: string;
  readonly enterpriseAdmin: boolean;
}

const NO_MEMBER: MemberValues = { user: null, enterpriseId: '', enterpriseAdmin: false };

function AddMember({ enterprises }: AddMemberProps) {
  const request = useRequestForm(NO_MEMBER, ({ user, enterpriseId, enterpriseAdmin }) => {
    const enterprise =
      enterprises.find((one) => String(one.enterpriseId) === enterpriseId) ?? enterprises[0];
    return user === null || enterprise === undefined
      ? { ok: false, faults: { user: text.chooseUser } }
      : { ok: true, body: { user, enterprise, enterpriseAdmin } };
  });
  const { values, form, result } = request;
  const amend = useAction(
    ({ user, enterprise, enterpriseAdmin }: Extract<typeof result, { ok: true }>['body']) =>
      operator.amendUser(user.uid, { enterpriseId: enterprise.enterpriseId, enterpriseAdmin }),
    {
      done: ({ email, enterpriseId }) =>
        text.memberAdded(
          email,
          enterprises.find((one) => one.enterpriseId === enterpriseId)?.name ?? '',
        ),
      refreshes: [keys.enterprises, keys.users, ['operator', 'user']],
      onDone: () => form.setFieldValue('user', null),
    },
  );
  const old = result.ok ? result.body.user.enterpriseId : null;
  const isLeaving = result.ok && old !== null && old !== result.body.enterprise.enterpriseId;
  const layout: Layout<MemberValues> = [
    <UserPicker
      key="user"
      label={text.uid}
      user={values.user}
      error={faultOf(request, 'user')}
      onUser={(user) => form.setFieldValue('user', user)}
    />,
    {
      kind: 'select',
      name: 'enterpriseId',
      label: text.enterprise,
      options: enterprises.map(({ enterpriseId, name }) => ({
        value: String(enterpriseId),
        label: `${enterpriseId} · ${name}`,
      })),
    },
    {
      kind: 'checkbox',
      name: 'enterpriseAdmin',
      label: text.isAdmin,
      description: text.isAdminUse,
    },
    isLeaving ? (
      <Text key="leaves" size="sm" className="warn">
        {text.leaves(old)}
      </Text>
    ) : null,
  ];
  return (
    <Panel title={text.addMember}>
      <RequestFields request={request} layout={layout} action={amend} submit={text.add} />
    </Panel>
  );
}
