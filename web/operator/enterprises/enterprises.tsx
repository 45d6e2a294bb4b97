// Enterprises: the list with members and margins, a new one, and making somebody a member.
import { Button, Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useState } from 'react';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../../components/states.tsx';
import { grouped, percent } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { textOf } from '../parts/check.ts';
import { FIELD } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { UserPicker } from '../users/user-picker.tsx';

const columns: readonly Column<operator.Enterprise>[] = [
  { title: 'No', render: ({ enterpriseId }) => enterpriseId },
  { title: 'Name', render: ({ name }) => <span className="breakable">{name}</span> },
  { title: 'Members', align: 'right', render: ({ members }) => grouped(members) },
  {
    title: 'Margins',
    render: ({ margins }) =>
      margins.length === 0
        ? 'none'
        : margins.map(({ planId, margin }) => `plan ${planId}: ${percent(margin)}`).join(', '),
  },
  {
    title: 'Trades between members',
    render: (enterprise) => <SelfTrades enterprise={enterprise} />,
  },
];

/** Whether members may trade with each other, and the other choice. */
function SelfTrades({ enterprise }: { readonly enterprise: operator.Enterprise }) {
  const { enterpriseId, name, selfTradePrevention: prevents } = enterprise;
  const amend = useAction(operator.preventSelfTrades, {
    done: prevents
      ? `Members of ${name} may trade with each other.`
      : `Members of ${name} no longer trade with each other.`,
    refreshes: [keys.enterprises],
  });
  return (
    <Group gap="xs" wrap="nowrap">
      {prevents ? 'prevented' : 'allowed'}
      <Button
        size="compact-xs"
        variant="default"
        loading={amend.pending}
        onClick={() => amend.run(enterpriseId, !prevents)}
        aria-label={`${prevents ? 'Allow' : 'Prevent'} trades between members of ${name}`}
      >
        {prevents ? 'Allow' : 'Prevent'}
      </Button>
      <RefusalNote error={amend.error} />
    </Group>
  );
}

export function Enterprises() {
  const enterprises = useLive(feeds.enterprises);
  return (
    <PageFrame
      title="Enterprises"
      lead="A company whose members save together. Its admins see what the members hold, and may keep a part of each plan’s rate as a margin."
      actions={<AsOf live={[enterprises]} />}
    >
      <Panel title="Enterprises" flush>
        <Loaded
          live={enterprises}
          isEmpty={(all) => all.length === 0}
          empty={
            <Empty icon={<IconBuilding size={26} stroke={1.5} />} title="No enterprises yet" />
          }
        >
          {(all) => (
            <DataTable
              label="Enterprises"
              rows={all}
              columns={columns}
              keyOf={({ enterpriseId }) => enterpriseId}
            />
          )}
        </Loaded>
      </Panel>
      <div className={parts.fields}>
        <Create />
        <Assign enterprises={enterprises.data ?? []} />
      </div>
    </PageFrame>
  );
}

function Create() {
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const name = textOf(typed, 'the name of the company', 64);
  const create = useAction(operator.createEnterprise, {
    done: ({ enterpriseId }) => `Enterprise ${enterpriseId} is created.`,
    refreshes: [keys.enterprises],
    onDone: () => {
      setTyped('');
      setTried(false);
    },
  });
  return (
    <Panel title="New enterprise">
      <FormFrame
        onSubmit={() => {
          setTried(true);
          if ('value' in name) create.run(name.value);
        }}
      >
        <TextInput
          {...FIELD}
          label="Name"
          description="The name stays as it is; an enterprise begins without members."
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={'fault' in name && (tried || typed !== '') ? name.fault : undefined}
        />
        <RefusalNote error={create.error} />
        <Group>
          <Button type="submit" loading={create.pending}>
            Create
          </Button>
        </Group>
      </FormFrame>
    </Panel>
  );
}

function Assign({ enterprises }: { readonly enterprises: readonly operator.Enterprise[] }) {
  const [user, setUser] = useState<operator.User | null>(null);
  const [chosen, setChosen] = useState('');
  const [admin, setAdmin] = useState(false);
  const enterpriseId = chosen === '' ? (enterprises[0]?.enterpriseId ?? '') : chosen;
  const name = enterprises.find((one) => one.enterpriseId === enterpriseId)?.name ?? '';
  const amend = useAction(operator.amendUser, {
    done: ({ email }) => `${email} is a member of ${name}.`,
    refreshes: [keys.enterprises, keys.users, ['operator', 'user']],
    onDone: () => setUser(null),
  });
  const leaves = user !== null && user.enterpriseId !== null && user.enterpriseId !== enterpriseId;
  return (
    <Panel title="Add a member">
      <FormFrame
        onSubmit={() => {
          if (user !== null) amend.run(user.uid, { enterpriseId, enterpriseAdmin: admin });
        }}
      >
        <UserPicker label="User" user={user} onUser={setUser} />
        <NativeSelect
          {...FIELD}
          label="Enterprise"
          value={enterpriseId}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={enterprises.map((one) => ({
            value: one.enterpriseId,
            label: `${one.enterpriseId} · ${one.name}`,
          }))}
        />
        <Checkbox
          label="Administers the enterprise"
          description="Sees the members’ subscriptions and sets margins. Needs a key with “Administer the enterprise”, or the page “Enterprise”."
          checked={admin}
          onChange={(event) => setAdmin(event.currentTarget.checked)}
        />
        {leaves ? (
          <Text size="sm" className="warn">
            This user leaves enterprise {user.enterpriseId}. Terms that are running stay with it
            until their end.
          </Text>
        ) : null}
        <RefusalNote error={amend.error} />
        <Group>
          <Button
            type="submit"
            loading={amend.pending}
            disabled={user === null || enterpriseId === ''}
          >
            Add
          </Button>
        </Group>
      </FormFrame>
    </Panel>
  );
}
