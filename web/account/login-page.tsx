// Login: email address and password, then the codes that the server asks for.
import { Alert, Anchor, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Code, hasCode } from '../api/refusal.ts';
import { useAction } from '../components/action.ts';
import { EmailCodeField, TotpField } from '../components/code-fields.tsx';
import { Loading, RefusalNote } from '../components/states.tsx';
import { logIn, useLogOut, useSession, useSessionEnded } from '../session/session.ts';
import { nextPath, withSearch } from './address.ts';
import { Entry } from './entry.tsx';

export default function LoginPage() {
  const { state, me } = useSession();
  // After the login, the form itself navigates to the next page.
  const [wasLoggedOut, setWasLoggedOut] = useState(false);
  if (state === 'loggedOut' && !wasLoggedOut) setWasLoggedOut(true);
  if (state === 'unknown' && !wasLoggedOut) return <Loading rows={6} />;
  return me === null || wasLoggedOut ? <LoginForm /> : <LoggedInAlready email={me.email} />;
}

function LoggedInAlready({ email }: { readonly email: string }) {
  const search = useSearch();
  const logOut = useLogOut();
  return (
    <Entry
      title="You are logged in"
      lead={
        <>
          As <strong className="breakable">{email}</strong>. To use another account, log out first.
        </>
      }
      onSubmit={() => {}}
    >
      <Group>
        <Button component={Link} href={nextPath(search)}>
          Continue
        </Button>
        <Button variant="default" onClick={() => logOut()}>
          Log out
        </Button>
      </Group>
    </Entry>
  );
}

function LoginForm() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const ended = useSessionEnded();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [mailed, setMailed] = useState('');
  const [asksTotp, setAsksTotp] = useState(false);
  const [asksMail, setAsksMail] = useState(false);
  const withCode = (emailAuthCode: string) =>
    logIn({
      email: email.trim(),
      password,
      ...(totp === '' ? {} : { googleAuthCode: totp }),
      ...(emailAuthCode === '' ? {} : { emailAuthCode }),
    });
  const goOn = () => navigate(nextPath(search));
  const login = useAction(withCode, { onDone: goOn });
  const needsTotp = hasCode(login.error, Code.totpNeeded);
  const needsMail = hasCode(login.error, Code.emailCodeNeeded);
  if (needsTotp && !asksTotp) setAsksTotp(true);
  if (needsMail && !asksMail) setAsksMail(true);
  // The last error concerns the previous code, not the one in the field.
  const typed = (set: (code: string) => void) => (code: string) => {
    login.clear();
    set(code);
  };
  // The first request for a code is a question, not an error.
  const isQuestion = (needsTotp && totp === '') || (needsMail && mailed === '');
  // A login without the emailed code makes the server send one.
  const sendAgain = async () => {
    try {
      await withCode('');
      goOn();
    } catch (error) {
      if (!hasCode(error, Code.emailCodeNeeded)) throw error;
    }
  };
  return (
    <Entry title="Log in" onSubmit={() => login.run(mailed)}>
      {ended ? (
        <Alert color="yellow" variant="light" p="xs" role="status">
          Your session expired. Log in again.
        </Alert>
      ) : null}
      <TextInput
        label="Email address"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        required
        autoFocus
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        required
      />
      {asksTotp ? <TotpField value={totp} onChange={typed(setTotp)} autoFocus /> : null}
      {asksMail ? (
        <EmailCodeField
          value={mailed}
          onChange={typed(setMailed)}
          send={sendAgain}
          isSent
          description="This network is new for your account, so we emailed you a code."
          autoFocus
        />
      ) : null}
      <RefusalNote error={isQuestion ? null : login.error} />
      <Button type="submit" loading={login.pending} disabled={email === '' || password === ''}>
        Log in
      </Button>
      <Group justify="space-between">
        <Anchor component={Link} href={withSearch('/reset', search)} size="sm">
          Forgot the password?
        </Anchor>
        <Text size="sm">
          New here?{' '}
          <Anchor component={Link} href={withSearch('/register', search)} underline="always">
            Create an account
          </Anchor>
        </Text>
      </Group>
      <Text size="xs" className="dim">
        Do you operate this exchange?{' '}
        <Anchor component={Link} href="/operator" underline="always">
          Operator console
        </Anchor>
      </Text>
    </Entry>
  );
}
