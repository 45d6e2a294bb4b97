// The area Enterprises: the list with members and margins, a new enterprise, and a new member.
import { Group, Text } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { ENTERPRISE, USER } from '../../../src/contract/generated/operator-fields.ts';
import type { Enterprise, OperatorCreateEnterpriseRequest } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { Empty, PageFrame, Panel, RejectionNote } from '../../components/layout.tsx';
import { PlainButton } from '../../components/texts.tsx';
import { count, percent } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { describer, emptyValues } from '../parts/fields.ts';
import { AsOf, Cut } from '../parts/marks.tsx';
import parts from '../parts/parts.module.css';
import { RequestFields, useCreateForm } from '../parts/request-form.tsx';
import { enterpriseOptions } from '../users/user-form.ts';

const marginsOf = ({ margins }: Enterprise): string =>
  margins.length === 0
    ? text.none
    : margins.map(({ planId, margin }) => text.margin(planId, percent(margin))).join(', ');

const columns: readonly Column<Enterprise>[] = [
  column.of(text.number, ({ enterpriseId }) => enterpriseId),
  column.of(text.name, ({ name }) => <Cut text={name} />),
  column.figure(text.members, ({ members }) => count(members)),
  column.of(text.margins, marginsOf),
  column.of(text.selfTrades, (enterprise) => <SelfTrades enterprise={enterprise} />),
];

/** True if members can trade with each other, and a button for the other choice. */
function SelfTrades({ enterprise }: { readonly enterprise: Enterprise }) {
  const { enterpriseId, name, selfTradePrevention: prevents } = enterprise;
  const verb = prevents ? text.allow : text.prevent;
  const amend = useAction(
    () => operator.amendEnterprise(enterpriseId, { selfTradePrevention: !prevents }),
    {
      done: prevents ? text.nowAllowed(name) : text.nowPrevented(name),
      refreshes: [feedKey('enterprises')],
    },
  );
  return (
    <Group gap="xs" wrap="nowrap">
      {prevents ? text.prevented : text.allowed}
      <PlainButton
        size="compact-xs"
        loading={amend.pending}
        onClick={() => amend.run()}
        aria-label={text.toggleName(verb, name)}
      >
        {verb}
      </PlainButton>
      <RejectionNote error={amend.error} />
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
        columns={columns}
        keyOf={({ enterpriseId }) => enterpriseId}
        empty={<Empty icon={IconBuilding} title={text.noEnterprises} />}
      />
      <div className={parts.fields}>
        <Create />
        <AddMember enterprises={enterprises.data ?? []} />
      </div>
    </PageFrame>
  );
}

const EMPTY_ENTERPRISE = { name: '' };
const { field } = describer(ENTERPRISE, text.enterpriseFields);

function Create() {
  const request = useCreateForm({
    initial: EMPTY_ENTERPRISE,
    layout: () => [field('name')],
    send: (body: OperatorCreateEnterpriseRequest) => operator.createEnterprise(body),
    done: ({ enterpriseId }) => text.enterpriseCreated(enterpriseId),
    refreshes: [feedKey('enterprises')],
    onDone: (_, form) => form.reset(),
  });
  return (
    <Panel title={text.newEnterprise}>
      <RequestFields request={request} submit={text.create} />
    </Panel>
  );
}

interface Membership {
  readonly uid: number;
  readonly enterpriseId: number;
  readonly enterpriseAdmin: boolean;
}

const MEMBER = {
  uid: { kind: 'user' },
  enterpriseId: { ...USER.enterpriseId, empty: undefined },
  enterpriseAdmin: USER.enterpriseAdmin,
} as const;
const NO_MEMBER = emptyValues(MEMBER);
const { field: memberField } = describer(MEMBER, text.fields);

function AddMember({ enterprises }: { readonly enterprises: readonly Enterprise[] }) {
  const request = useCreateForm({
    initial: NO_MEMBER,
    layout: () => [
      memberField('uid'),
      memberField('enterpriseId', {}, { options: enterpriseOptions(enterprises) }),
      memberField('enterpriseAdmin'),
    ],
    send: ({ uid, ...membership }: Membership) => operator.amendUser(uid, membership),
    done: ({ email, enterpriseId }) =>
      text.memberAdded(
        email,
        enterprises.find((one) => one.enterpriseId === enterpriseId)?.name ?? '',
      ),
    refreshes: [feedKey('enterprises'), feedKey('users'), ['operator', 'user']],
    onDone: (_, form) => form.setFieldValue('uid', null),
  });
  const { form, result } = request;
  const old = form.values.uid?.enterpriseId ?? null;
  return (
    <Panel title={text.addMember}>
      <RequestFields request={request} submit={text.add}>
        {result.ok && old !== null && old !== result.body.enterpriseId ? (
          <Text size="sm" className="warn">
            {text.leaves(old)}
          </Text>
        ) : null}
      </RequestFields>
    </Panel>
  );
}
