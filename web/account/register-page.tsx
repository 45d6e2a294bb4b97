// Creating an account: address and password, the code from the e-mail, and then what to do first.
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import * as people from '../api/people.ts';
import { useAction } from '../components/action.ts';
import { MailedCodeField } from '../components/code-fields.tsx';
import { Loading, RefusalNote } from '../components/states.tsx';
import { logIn, useSession } from '../session/session.ts';
import { EmailField } from './email-field.tsx';
import { Entry, looksLikeEmail, nextPath } from './entry.tsx';
import { NewPassword } from './new-password.tsx';
import { lengthFault } from './password-length.ts';
import { Welcome } from './welcome.tsx';

/** What was sent with the first step and goes on to the second. */
interface Begun {
  readonly email: string;
  readonly password: string;
  readonly ticket: string;
}

export default function RegisterPage() {
  const { state } = useSession();
  const search = useSearch();
  const [begun, setBegun] = useState<Begun | null>(null);
  if (state === 'loggedIn') return <Welcome next={nextPath(search)} />;
  if (state === 'unknown') return <Loading rows={6} />;
  if (begun === null) return <Begin onBegun={setBegun} />;
  return <Confirm begun={begun} onBegun={setBegun} onBack={() => setBegun(null)} />;
}

const begin = async (email: string, password: string): Promise<Begun> => {
  const { ticket } = await people.register({ email, password });
  return { email, password, ticket };
};

function Begin({ onBegun }: { readonly onBegun: (begun: Begun) => void }) {
  const search = useSearch();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const register = useAction(begin, { onDone: onBegun });
  const address = email.trim();
  return (
    <Entry
      title="Create an account"
      lead="A code is sent to your address; with it the account is opened."
      onSubmit={() => register.run(address, password)}
    >
      <EmailField value={email} onChange={setEmail} />
      <NewPassword value={password} onChange={setPassword} />
      <RefusalNote error={register.error} />
      <Button
        type="submit"
        loading={register.pending}
        disabled={!looksLikeEmail(address) || lengthFault(password) !== null}
      >
        Continue
      </Button>
      <Text size="sm">
        You have an account?{' '}
        <Anchor
          component={Link}
          href={`/login${search === '' ? '' : `?${search}`}`}
          underline="always"
        >
          Log in
        </Anchor>
      </Text>
    </Entry>
  );
}

interface ConfirmProps {
  readonly begun: Begun;
  readonly onBegun: (begun: Begun) => void;
  readonly onBack: () => void;
}

function Confirm({ begun, onBegun, onBack }: ConfirmProps) {
  const { email, password, ticket } = begun;
  const [code, setCode] = useState('');
  const [isOpen, setOpen] = useState(false);
  const confirm = useAction(async () => {
    await people.confirmRegistration({ email, ticket, emailAuthCode: code });
    setOpen(true);
    await logIn({ email, password });
  });
  // The account is there although the login did not come through: nothing is lost.
  if (isOpen && confirm.error !== null) return <OpenedOnly />;
  return (
    <Entry
      title="Confirm your address"
      lead={
        <>
          A mail was sent to <strong className="breakable">{email}</strong>. If the address can have
          a new account, a code is in it.
        </>
      }
      onSubmit={() => confirm.run()}
    >
      <MailedCodeField
        value={code}
        onChange={setCode}
        // The code of a new mail goes with a ticket of its own.
        send={async () => onBegun(await begin(email, password))}
        isSent
        autoFocus
      />
      <RefusalNote error={confirm.error} />
      <Button type="submit" loading={confirm.pending} disabled={code === ''}>
        Open the account
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        Another address
      </Anchor>
    </Entry>
  );
}

function OpenedOnly() {
  return (
    <Entry title="Your account is open" onSubmit={() => {}}>
      <Stack gap="md">
        <Alert color="teal" variant="light" p="xs">
          Log in with your address and password.
        </Alert>
        <Button component={Link} href="/login?next=/register">
          Log in
        </Button>
      </Stack>
    </Entry>
  );
}
