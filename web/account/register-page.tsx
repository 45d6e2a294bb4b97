// Registration: email address and password, the emailed code, and first steps.
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { EmailCodeField } from '../components/code-fields.tsx';
import { Loading, RefusalNote } from '../components/states.tsx';
import { logIn, useSession } from '../session/session.ts';
import { stored } from '../session/stored.ts';
import { looksLikeEmail, nextPath, withSearch } from './address.ts';
import { type Begun, keepBegun, readBegun } from './begun.ts';
import { EmailField } from './email-field.tsx';
import { Entry } from './entry.tsx';
import { HaveCode } from './have-code.tsx';
import { continueWord, useMailing } from './mailing.ts';
import { NewPassword, usePasswordRefusal } from './new-password.tsx';
import { lengthFault } from './password-length.ts';
import { Welcome } from './welcome.tsx';

const place = stored(sessionStorage, 'agio.registration');
const keep = (begun: Begun | null) => keepBegun(place, begun);

export default function RegisterPage() {
  const { state } = useSession();
  const search = useSearch();
  const begun = readBegun(place.use(), Date.now());
  // The password stays in this component, so that “Use another address” keeps it.
  const [email, setEmail] = useState(begun?.email ?? '');
  const [password, setPassword] = useState('');
  const [isBack, setBack] = useState(false);
  const [isOpen, setOpen] = useState(false);
  if (state === 'loggedIn') return <Welcome next={nextPath(search)} />;
  if (state === 'unknown') return <Loading rows={6} />;
  if (isOpen) return <OpenedOnly />;
  if (begun === null || isBack) {
    return (
      <Begin
        typed={{ email, password }}
        onType={(typed) => {
          setEmail(typed.email);
          setPassword(typed.password);
        }}
        begun={begun}
        onBegun={() => setBack(false)}
      />
    );
  }
  return (
    <Confirm
      begun={begun}
      password={password === '' ? null : password}
      onOpened={() => setOpen(true)}
      onBack={() => setBack(true)}
    />
  );
}

const begin = async (email: string, password: string): Promise<void> => {
  const { ticket } = await userCenter.register({ email, password });
  keep({ email, ticket, sentAt: Date.now() });
};

interface Typed {
  readonly email: string;
  readonly password: string;
}

interface BeginProps {
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
  /** A code that was sent earlier. */
  readonly begun: Begun | null;
  readonly onBegun: () => void;
}

function Begin({ typed, onType, begun, onBegun }: BeginProps) {
  const search = useSearch();
  const { email, password } = typed;
  const { action: register, leftFor } = useMailing(begin, onBegun);
  const refusal = usePasswordRefusal(register.error, 'password', password);
  const address = email.trim();
  const left = leftFor(address);
  return (
    <Entry
      title="Create an account"
      lead="We’ll email you a code to verify your address."
      onSubmit={() => register.run(address, password)}
    >
      <EmailField value={email} onChange={(value) => onType({ ...typed, email: value })} />
      <NewPassword
        value={password}
        onChange={(value) => onType({ ...typed, password: value })}
        refused={refusal.refused}
      />
      <RefusalNote error={refusal.error} />
      <Button
        type="submit"
        loading={register.pending}
        disabled={!looksLikeEmail(address) || lengthFault(password) !== null || left > 0}
      >
        {continueWord(left)}
      </Button>
      {begun === null ? null : <HaveCode begun={begun} onChoose={onBegun} />}
      <Text size="sm">
        Do you have an account?{' '}
        <Anchor component={Link} href={withSearch('/login', search)} underline="always">
          Log in
        </Anchor>
      </Text>
    </Entry>
  );
}

interface ConfirmProps {
  readonly begun: Begun;
  /** null after a reload, because nothing stores it; the user then logs in. */
  readonly password: string | null;
  readonly onOpened: () => void;
  readonly onBack: () => void;
}

function Confirm({ begun, password, onOpened, onBack }: ConfirmProps) {
  const { email, ticket } = begun;
  const [code, setCode] = useState('');
  const confirm = useAction(async () => {
    await userCenter.confirmRegistration({ email, ticket, emailAuthCode: code });
    // The account exists even if the login fails.
    if (password === null) onOpened();
    else await logIn({ email, password }).catch(onOpened);
    keep(null);
  });
  return (
    <Entry
      title="Verify your email address"
      lead={
        <>
          A mail was sent to <strong className="breakable">{email}</strong>. If the address can have
          a new account, it contains a code.
        </>
      }
      onSubmit={() => confirm.run()}
    >
      <EmailCodeField
        value={code}
        onChange={setCode}
        send={password === null ? null : () => begin(email, password)}
        isSent
        autoFocus
      />
      <RefusalNote error={confirm.error} />
      <Button type="submit" loading={confirm.pending} disabled={code === ''}>
        Create account
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        Use another address
      </Anchor>
    </Entry>
  );
}

function OpenedOnly() {
  const next = encodeURIComponent(withSearch('/register', useSearch()));
  return (
    <Entry title="Account created" onSubmit={() => {}}>
      <Stack gap="md">
        <Alert color="teal" variant="light" p="xs">
          Log in with your address and password.
        </Alert>
        <Button component={Link} href={`/login?next=${next}`}>
          Log in
        </Button>
      </Stack>
    </Entry>
  );
}
