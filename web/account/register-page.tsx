// Registration: email address and password, the emailed code, and first steps.
import { Alert, Anchor, Button, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { EmailCodeField } from '../components/code-fields.tsx';
import { Loading, RejectionNote } from '../components/layout.tsx';
import { LinkButton, TextButton } from '../components/texts.tsx';
import { account as t } from '../messages/account.ts';
import { logIn, useSession } from '../session/session.ts';
import { nextPath, withSearch } from './address.ts';
import { type Begun, begunIn } from './begun.ts';
import { EmailStep, emailFault, useSendCode } from './email-step.tsx';
import { AroundEmail, Entry } from './entry.tsx';
import { NewPassword, usePasswordRejection } from './new-password.tsx';
import { lengthFault } from './password-length.ts';
import { Welcome } from './welcome.tsx';

const registration = begunIn('agio.registration');

export default function RegisterPage() {
  const { state } = useSession();
  const search = useSearch();
  const begun = registration.use();
  // The password stays in this component, so that “Use another address” keeps it.
  const form = useForm({
    initialValues: { email: begun?.email ?? '', password: '' },
    validate: { email: emailFault },
    validateInputOnBlur: true,
  });
  const [isBack, setBack] = useState(false);
  const [isOpen, setOpen] = useState(false);
  if (state === 'loggedIn') return <Welcome next={nextPath(search)} />;
  if (state === 'unknown') return <Loading rows={6} />;
  if (isOpen) return <LogInNow />;
  if (begun === null || isBack) {
    return <Begin form={form} begun={begun} onBegun={() => setBack(false)} />;
  }
  return (
    <Confirm
      begun={begun}
      password={form.values.password}
      onOpened={() => setOpen(true)}
      onBack={() => setBack(true)}
    />
  );
}

/** `proof`: the password of a new registration, or the ticket of one that needs another code. */
async function sendCode(
  email: string,
  proof: { readonly password: string } | { readonly ticket: string },
): Promise<void> {
  const { ticket } = await userCenter.register({ email, ...proof });
  registration.keep({ email, ticket, sentAt: Date.now() });
}

interface BeginProps {
  readonly form: UseFormReturnType<{ email: string; password: string }>;
  /** A code that was sent earlier. */
  readonly begun: Begun | null;
  readonly onBegun: () => void;
}

function Begin({ form: { values, getInputProps, setFieldValue }, begun, onBegun }: BeginProps) {
  const search = useSearch();
  const { email, password } = values;
  const sending = useSendCode(email.trim(), (address) => sendCode(address, { password }), onBegun);
  const { rejected, error } = usePasswordRejection(sending.error, 'password', password);
  return (
    <EmailStep
      title={t.createAccount}
      lead={t.createLead}
      email={getInputProps('email')}
      sending={sending}
      error={error}
      isReady={lengthFault(password) === null}
      begun={begun}
      onBegun={onBegun}
      fields={
        <NewPassword
          value={password}
          onChange={(value) => setFieldValue('password', value)}
          rejected={rejected}
        />
      }
      footer={
        <Text size="sm">
          {t.haveAccount}{' '}
          <Anchor component={Link} href={withSearch('/login', search)} underline="always">
            {t.logIn}
          </Anchor>
        </Text>
      }
    />
  );
}

interface ConfirmProps {
  readonly begun: Begun;
  /** Empty after a reload, because nothing stores it; the user then logs in. */
  readonly password: string;
  readonly onOpened: () => void;
  readonly onBack: () => void;
}

function Confirm({ begun, password, onOpened, onBack }: ConfirmProps) {
  const { email, ticket } = begun;
  const [code, setCode] = useState('');
  const confirm = useAction(async () => {
    await userCenter.confirmRegistration({ email, ticket, emailAuthCode: code });
    // The account exists even if the login fails.
    if (password === '') onOpened();
    else await logIn({ email, password }).catch(onOpened);
    registration.keep(null);
  });
  return (
    <Entry
      title={t.verifyEmail}
      lead={<AroundEmail text={t.verifyLead} email={email} />}
      onSubmit={() => confirm.run()}
    >
      <EmailCodeField
        value={code}
        onChange={setCode}
        send={() => sendCode(email, { ticket })}
        sentAt={begun.sentAt}
        autoFocus
      />
      <RejectionNote error={confirm.error} />
      <Button type="submit" loading={confirm.pending} disabled={code === ''}>
        {t.confirmAccount}
      </Button>
      <TextButton onClick={onBack}>{t.useAnotherAddress}</TextButton>
    </Entry>
  );
}

function LogInNow() {
  const next = encodeURIComponent(withSearch('/register', useSearch()));
  return (
    <Entry title={t.accountCreated}>
      <Alert color="teal" variant="light" p="xs">
        {t.logInNow}
      </Alert>
      <LinkButton href={`/login?next=${next}`}>{t.logIn}</LinkButton>
    </Entry>
  );
}
