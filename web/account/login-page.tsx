// Logging in: address and password, then the codes that the server asks for.
import { Anchor, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Code, hasCode } from '../api/refusal.ts';
import { useAction } from '../components/action.ts';
import { RefusalNote } from '../components/states.tsx';
import { logIn } from '../session/session.ts';
import { Entry, nextPath } from './entry.tsx';

export default function LoginPage() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [mailed, setMailed] = useState('');
  const [asked, setAsked] = useState<'totp' | 'mail' | null>(null);
  const login = useAction(logIn, { onDone: () => navigate(nextPath(search)) });
  const submit = () =>
    login.run({
      email: email.trim(),
      password,
      ...(totp === '' ? {} : { googleAuthCode: totp.trim() }),
      ...(mailed === '' ? {} : { emailAuthCode: mailed.trim() }),
    });
  const needsTotp = hasCode(login.error, Code.totpNeeded);
  const needsMail = hasCode(login.error, Code.emailCodeNeeded);
  if (needsTotp && asked !== 'totp') setAsked('totp');
  if (needsMail && asked !== 'mail') setAsked('mail');
  // A code that is asked for the first time is a question, not a mistake.
  const isQuestion = (needsTotp && totp === '') || (needsMail && mailed === '');
  return (
    <Entry title="Log in" onSubmit={submit}>
      <TextInput
        label="E-mail address"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        required
        data-autofocus
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        required
      />
      {asked === null ? null : (
        <TextInput
          label={asked === 'totp' ? 'Authenticator code' : 'Code from the e-mail'}
          description={
            asked === 'totp'
              ? 'The six digits that your authenticator shows, or a recovery code.'
              : 'This network is new for your account, so a code was sent to your e-mail address.'
          }
          inputMode={asked === 'totp' ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoFocus
          value={asked === 'totp' ? totp : mailed}
          onChange={(event) => (asked === 'totp' ? setTotp : setMailed)(event.currentTarget.value)}
        />
      )}
      <RefusalNote error={isQuestion ? null : login.error} />
      <Button type="submit" loading={login.pending} disabled={email === '' || password === ''}>
        Log in
      </Button>
      <Group justify="space-between">
        <Anchor component={Link} href="/reset" size="sm">
          Forgot the password?
        </Anchor>
        <Text size="sm">
          New here?{' '}
          <Anchor component={Link} href={`/register${search === '' ? '' : `?${search}`}`}>
            Create an account
          </Anchor>
        </Text>
      </Group>
    </Entry>
  );
}
