// A new user.
import { Button, Checkbox, Group, PasswordInput, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { createUser, type NewUser } from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { EnterpriseSelect } from '../enterprises/enterprise-select.tsx';
import { keys } from '../feeds.ts';
import { textFieldOf, useForm } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { Preview } from '../parts/preview.tsx';
import { EMPTY_USER, toNewUser } from './user-form.ts';

const sentences = ({ email, password, kyc, enterpriseId, enterpriseAdmin }: NewUser) => [
  `${email} becomes a user with a number of their own and no money.`,
  password === undefined
    ? 'They have no password; they set one with “Forgot the password?” on the login page.'
    : 'They log in with this address and password.',
  kyc
    ? 'Their identity counts as verified, so plans that ask for it are open to them.'
    : 'Their identity is not verified yet: plans that ask for it refuse them.',
  ...(enterpriseId === undefined
    ? []
    : [
        `They are a member${enterpriseAdmin ? ' and an admin' : ''} of enterprise ${enterpriseId}.`,
      ]),
];

export function CreateUser() {
  const [, navigate] = useLocation();
  const form = useForm(EMPTY_USER);
  const checked = toNewUser(form.values);
  const create = useAction(createUser, {
    done: ({ uid }) => `User ${uid} is created.`,
    refreshes: [keys.users, keys.enterprises],
    onDone: ({ uid }) => navigate(`/operator/users/${uid}`),
  });
  const submit = () => {
    form.tryIt();
    if (checked.ok) create.run(checked.body);
  };
  return (
    <PageFrame title="New user" lead="Customers may also register themselves on the login page.">
      <div className={parts.split}>
        <Panel>
          <FormFrame onSubmit={submit}>
            <TextInput
              label="E-mail address"
              description="Each address names one user. It is the login."
              type="email"
              autoComplete="off"
              {...textFieldOf(form, 'email', checked)}
            />
            <PasswordInput
              label="Password (optional)"
              description="Without one they choose it themselves, by a code that comes by e-mail."
              autoComplete="new-password"
              {...textFieldOf(form, 'password', checked)}
            />
            <Checkbox
              label="Identity is verified (KYC)"
              description="Somebody has seen who this is. Some plans ask for it."
              checked={form.values.kyc}
              onChange={(event) => form.set('kyc', event.currentTarget.checked)}
            />
            <EnterpriseSelect
              enterpriseId={form.values.enterpriseId}
              admin={form.values.enterpriseAdmin}
              onEnterprise={(enterpriseId) => form.set('enterpriseId', enterpriseId)}
              onAdmin={(admin) => form.set('enterpriseAdmin', admin)}
            />
            <RefusalNote error={create.error} />
            <Group>
              <Button type="submit" loading={create.pending}>
                Create the user
              </Button>
            </Group>
          </FormFrame>
        </Panel>
        <Preview method="POST" path="/users" checked={checked} sentences={sentences} />
      </div>
    </PageFrame>
  );
}
