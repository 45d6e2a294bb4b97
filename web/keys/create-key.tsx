// The form for a new API key: its name, privileges and limits, and the two codes that it takes.
import { Button, Checkbox, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import type { Me, NewKey } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { EmailCodeField, TotpField } from '../components/code-fields.tsx';
import { PageFrame, Panel, RejectionNote } from '../components/layout.tsx';
import { EmailCodeFor } from '../components/proof.tsx';
import { Dim, TextLink } from '../components/texts.tsx';
import { common } from '../messages/common.ts';
import { keysText } from '../messages/keys.ts';
import { NeedsAuthenticator } from '../security/authenticator.tsx';
import { EMPTY_DRAFT, faultsOf, type KeyDraft, type KeyRequest, requestOf } from './key-draft.ts';
import styles from './keys.module.css';
import { NewKeyCard } from './new-key.tsx';
import { includedBy, offered, type Privilege } from './privileges.ts';

const t = keysText.form;

export function CreateKey({ me }: { readonly me: Me }) {
  const [created, setCreated] = useState<(KeyRequest & NewKey) | null>(null);
  if (created !== null) return <NewKeyCard created={created} />;
  return (
    <PageFrame title={t.title} width="narrow">
      {me.totpActive ? (
        <CreateForm isEnterpriseAdmin={me.enterpriseAdmin} onCreated={setCreated} />
      ) : (
        <NeedsAuthenticator reason={keysText.needsAuthenticator} next="/keys/new" />
      )}
    </PageFrame>
  );
}

interface CreateFormProps {
  readonly isEnterpriseAdmin: boolean;
  readonly onCreated: (created: KeyRequest & NewKey) => void;
}

function CreateForm({ isEnterpriseAdmin, onCreated }: CreateFormProps) {
  const form = useForm<KeyDraft>({
    initialValues: EMPTY_DRAFT,
    validate: (draft) => faultsOf(draft, Date.now()),
  });
  const [totp, setTotp] = useState('');
  const [mailed, setMailed] = useState('');
  const create = useAction(
    async (draft: KeyDraft) => {
      const request = requestOf(draft, Date.now());
      const codes = { emailAuthCode: mailed, googleAuthCode: totp };
      return { ...request, ...(await userCenter.createKey({ ...request, ...codes })) };
    },
    { refreshes: [['keys'], ['audit'], ['me']], onDone: onCreated },
  );
  return (
    <form onSubmit={form.onSubmit((draft) => create.run(draft))} noValidate>
      <Stack gap="md">
        <Panel title={t.nameAndPrivileges}>
          <div className={styles.fields}>
            <TextInput
              label={t.name}
              description={t.nameHelp}
              {...form.getInputProps('alias')}
              autoComplete="off"
              autoFocus
              required
            />
          </div>
          <Privileges form={form} isEnterpriseAdmin={isEnterpriseAdmin} />
        </Panel>
        <Panel title={t.limits}>
          <Limits form={form} />
        </Panel>
        <Panel title={t.confirm}>
          <div className={styles.fields}>
            <EmailCodeField
              value={mailed}
              onChange={setMailed}
              send={() => userCenter.sendEmailCode({ operationType: EmailCodeFor.newApiKey })}
            />
            <TotpField value={totp} onChange={setTotp} />
            <RejectionNote error={create.error} />
            <Group>
              <Button
                type="submit"
                loading={create.pending}
                disabled={mailed === '' || totp === ''}
              >
                {keysText.create}
              </Button>
              <TextLink href="/keys">{common.cancel}</TextLink>
            </Group>
          </div>
        </Panel>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<KeyDraft>;
}

interface PrivilegesProps extends FieldsProps {
  readonly isEnterpriseAdmin: boolean;
}

function Privileges({ form, isEnterpriseAdmin }: PrivilegesProps) {
  const { modules } = form.values;
  const included = includedBy(modules);
  const box = ({ id, name, allows }: Privilege) => (
    <Checkbox
      key={id}
      label={included.has(id) ? t.included(name) : name}
      description={allows}
      checked={included.has(id) || modules.includes(id)}
      disabled={included.has(id)}
      onChange={({ currentTarget: { checked } }) =>
        form.setFieldValue(
          'modules',
          checked ? [...modules, id] : modules.filter((other) => other !== id),
        )
      }
    />
  );
  const all = offered(isEnterpriseAdmin);
  return (
    <>
      <div className={`${styles.groups} ${styles.below}`}>
        {(['trading', 'earn'] as const).map((area) => (
          <fieldset key={area} className={styles.group}>
            <legend>{keysText.privileges.areas[area]}</legend>
            <div className={styles.choices}>
              {all.filter((privilege) => privilege.area === area).map(box)}
            </div>
          </fieldset>
        ))}
      </div>
      {form.errors.modules === undefined ? null : (
        <Text size="sm" className="sell" mt="sm" role="alert">
          {form.errors.modules}
        </Text>
      )}
      <Dim mt="md">{t.never}</Dim>
    </>
  );
}

const EXPIRIES = Object.entries(t.expiries).map(([value, label]) => ({ value, label }));

const Limits = ({ form }: FieldsProps) => (
  <div className={styles.fields}>
    <Textarea
      label={t.addresses}
      description={t.addressesHelp}
      placeholder={'203.0.113.7\n10.0.0.0/8'}
      autosize
      minRows={2}
      maxRows={8}
      {...form.getInputProps('addresses')}
      spellCheck={false}
    />
    <div className={styles.pair}>
      <Select
        label={t.expires}
        data={EXPIRIES}
        {...form.getInputProps('expiry')}
        allowDeselect={false}
      />
      {form.values.expiry === 'date' ? (
        <TextInput type="date" label={t.lastDay} {...form.getInputProps('date')} />
      ) : null}
    </div>
    <Checkbox
      label={t.strict}
      description={t.strictHelp}
      {...form.getInputProps('strict', { type: 'checkbox' })}
    />
  </div>
);
