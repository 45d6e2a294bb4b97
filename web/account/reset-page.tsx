// Password reset: the email address, then the emailed code, the new password, and the authenticator
// code if the server asks for it. The page never reveals whether an address has an account.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import type { UserCenterConfirmPasswordResetRequest } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { Code, hasCode } from '../api/refusal.ts';
import { useAction } from '../components/action.ts';
import { EmailCodeField, TotpField } from '../components/code-fields.tsx';
import { RefusalNote } from '../components/states.tsx';
import { stored } from '../session/stored.ts';
import { looksLikeEmail, withSearch } from './address.ts';
import { type Begun, keepBegun, readBegun } from './begun.ts';
import { EmailField } from './email-field.tsx';
import { Entry } from './entry.tsx';
import { HaveCode } from './have-code.tsx';
import { continueWord, useMailing } from './mailing.ts';
import { NewPassword, usePasswordRefusal } from './new-password.tsx';
import { lengthFault } from './password-length.ts';

const place = stored(sessionStorage, 'agio.reset');
const keep = (begun: Begun | null) => keepBegun(place, begun);

const begin = async (email: string): Promise<void> =>
  keep({ email, ticket: (await userCenter.resetPassword({ email })).ticket, sentAt: Date.now() });

export default function ResetPage() {
  const begun = readBegun(place.use(), Date.now());
  const [email, setEmail] = useState(begun?.email ?? '');
  const [isBack, setBack] = useState(false);
  const [isDone, setDone] = useState(false);
  if (isDone) return <Done />;
  if (begun === null || isBack) {
    return <Begin email={email} onEmail={setEmail} begun={begun} onBegun={() => setBack(false)} />;
  }
  const finish = () => {
    setDone(true);
    keep(null);
  };
  return <Choose begun={begun} onDone={finish} onBack={() => setBack(true)} />;
}

interface BeginProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** A code that was sent earlier. */
  readonly begun: Begun | null;
  readonly onBegun: () => void;
}

function Begin({ email, onEmail, begun, onBegun }: BeginProps) {
  const search = useSearch();
  const { action: reset, leftFor } = useMailing(begin, onBegun);
  const address = email.trim();
  const left = leftFor(address);
  return (
    <Entry
      title="New password"
      lead="If the address has an account, we email a code to it."
      onSubmit={() => reset.run(address)}
    >
      <EmailField value={email} onChange={onEmail} />
      <RefusalNote error={reset.error} />
      <Button type="submit" loading={reset.pending} disabled={!looksLikeEmail(address) || left > 0}>
        {continueWord(left)}
      </Button>
      {begun === null ? null : <HaveCode begun={begun} onChoose={onBegun} />}
      <Anchor component={Link} href={withSearch('/login', search)} size="sm">
        Back to login
      </Anchor>
    </Entry>
  );
}

interface ChooseProps {
  readonly begun: Begun;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

function Choose({ begun, onDone, onBack }: ChooseProps) {
  const { email, ticket } = begun;
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [asksTotp, setAsksTotp] = useState(false);
  const confirm = useAction(
    (body: UserCenterConfirmPasswordResetRequest) => userCenter.confirmPasswordReset(body),
    { onDone },
  );
  const refusal = usePasswordRefusal(confirm.error, 'newPassword', password);
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
      <EmailCodeField
        value={code}
        onChange={setCode}
        send={() => begin(email)}
        isSent
        isLong
        autoFocus
      />
      <NewPassword
        label="New password"
        value={password}
        onChange={setPassword}
        refused={refusal.refused}
      />
      {asksTotp ? <TotpField value={totp} onChange={setTotp} autoFocus /> : null}
      <RefusalNote error={needsTotp && totp === '' ? null : refusal.error} />
      <Text size="sm" className="dim">
        This ends all your sessions. API keys stay valid.
      </Text>
      <Button
        type="submit"
        loading={confirm.pending}
        disabled={code === '' || lengthFault(password) !== null}
      >
        Change password
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        Use another address
      </Anchor>
    </Entry>
  );
}

function Done() {
  const search = useSearch();
  return (
    <Entry title="Password changed" onSubmit={() => {}}>
      <Stack gap="md">
        <Text size="sm">Log in with the new one. You were logged out everywhere.</Text>
        <Button component={Link} href={withSearch('/login', search)}>
          Log in
        </Button>
      </Stack>
    </Entry>
  );
}
