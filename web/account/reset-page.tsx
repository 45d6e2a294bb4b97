// A new password for who has the mailbox: the address, then the code from the e-mail with the password, and the
// authenticator's code where the server asks for it. Nothing here tells whether an address has an account.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import * as people from '../api/people.ts';
import { Code, hasCode } from '../api/refusal.ts';
import { useAction } from '../components/action.ts';
import { MailedCodeField, TotpField } from '../components/code-fields.tsx';
import { RefusalNote } from '../components/states.tsx';
import { EmailField } from './email-field.tsx';
import { Entry, looksLikeEmail } from './entry.tsx';
import { NewPassword } from './new-password.tsx';
import { lengthFault } from './password-length.ts';

interface Begun {
  readonly email: string;
  readonly ticket: string;
}

const begin = async (email: string): Promise<Begun> => ({
  email,
  ticket: (await people.resetPassword({ email })).ticket,
});

export default function ResetPage() {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [isDone, setDone] = useState(false);
  if (isDone) return <Done />;
  if (begun === null) return <Begin onBegun={setBegun} />;
  return <Choose begun={begun} onBegun={setBegun} onDone={() => setDone(true)} />;
}

function Begin({ onBegun }: { readonly onBegun: (begun: Begun) => void }) {
  const [email, setEmail] = useState('');
  const reset = useAction(begin, { onDone: onBegun });
  const address = email.trim();
  return (
    <Entry
      title="New password"
      lead="If the address has an account, a code is sent to it."
      onSubmit={() => reset.run(address)}
    >
      <EmailField value={email} onChange={setEmail} />
      <RefusalNote error={reset.error} />
      <Button type="submit" loading={reset.pending} disabled={!looksLikeEmail(address)}>
        Continue
      </Button>
      <Anchor component={Link} href="/login" size="sm">
        Back to the login
      </Anchor>
    </Entry>
  );
}

interface ChooseProps {
  readonly begun: Begun;
  readonly onBegun: (begun: Begun) => void;
  readonly onDone: () => void;
}

function Choose({ begun, onBegun, onDone }: ChooseProps) {
  const { email, ticket } = begun;
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [asksTotp, setAsksTotp] = useState(false);
  const confirm = useAction(people.confirmReset, { onDone });
  const needsTotp = hasCode(confirm.error, Code.totpNeeded);
  if (needsTotp && !asksTotp) setAsksTotp(true);
  const submit = () =>
    confirm.run({
      email,
      ticket,
      emailAuthCode: code,
      newPassword: password,
      ...(totp === '' ? {} : { googleAuthCode: totp }),
    });
  return (
    <Entry
      title="New password"
      lead={
        <>
          If <strong className="breakable">{email}</strong> has an account, a code is on its way
          there.
        </>
      }
      onSubmit={submit}
    >
      <MailedCodeField
        value={code}
        onChange={setCode}
        // The code of a new mail goes with a ticket of its own.
        send={async () => onBegun(await begin(email))}
        isSent
        autoFocus
      />
      <NewPassword label="New password" value={password} onChange={setPassword} />
      {asksTotp ? <TotpField value={totp} onChange={setTotp} autoFocus /> : null}
      <RefusalNote error={needsTotp && totp === '' ? null : confirm.error} />
      <Text size="sm" className="dim">
        You are then logged out everywhere. API keys stay as they are.
      </Text>
      <Button
        type="submit"
        loading={confirm.pending}
        disabled={code === '' || lengthFault(password) !== null}
      >
        Change the password
      </Button>
    </Entry>
  );
}

function Done() {
  return (
    <Entry title="The password is changed" onSubmit={() => {}}>
      <Stack gap="md">
        <Text size="sm">Log in with the new one. You were logged out everywhere.</Text>
        <Button component={Link} href="/login">
          Log in
        </Button>
      </Stack>
    </Entry>
  );
}
