// Login: email address and password, then the codes that the server asks for.
import { Anchor, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Code, hasCode } from '../api/rejection.ts';
import { useAction } from '../components/action.ts';
import { Loading, RejectionNote } from '../components/layout.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { Caution, Fine, LinkButton, PlainButton, TextLink } from '../components/texts.tsx';
import { account as t } from '../messages/account.ts';
import { logIn, useLogOut, useSession, useSessionEnd } from '../session/session.ts';
import { nextPath, withSearch } from './address.ts';
import { AroundEmail, Entry } from './entry.tsx';

export default function LoginPage() {
  const { state, me } = useSession();
  // After the login, the form itself navigates to the next page.
  const [wasLoggedOut, setWasLoggedOut] = useState(false);
  if (state === 'loggedOut' && !wasLoggedOut) setWasLoggedOut(true);
  if (state === 'unknown' && !wasLoggedOut) return <Loading rows={6} />;
  return me === null || wasLoggedOut ? <LoginForm /> : <AlreadyLoggedIn email={me.email} />;
}

function AlreadyLoggedIn({ email }: { readonly email: string }) {
  const search = useSearch();
  const logOut = useLogOut();
  return (
    <Entry title={t.loggedIn} lead={<AroundEmail text={t.loggedInAs} email={email} />}>
      <Group>
        <LinkButton href={nextPath(search)}>{t.continue}</LinkButton>
        <PlainButton onClick={() => logOut()}>{t.logOut}</PlainButton>
      </Group>
    </Entry>
  );
}

function LoginForm() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const ended = useSessionEnd();
  const { values, getInputProps } = useForm({ initialValues: { email: '', password: '' } });
  const proof = useProof();
  const { email, password } = values;
  const send = (codes: Partial<typeof proof.body>) =>
    logIn({ email: email.trim(), password, ...codes });
  const onDone = () => navigate(nextPath(search));
  const login = useAction(() => send(proof.body), { onDone });
  // A login without the emailed code makes the server send one.
  const sendAgain = async () => {
    const { emailAuthCode: _, ...codes } = proof.body;
    try {
      await send(codes);
      onDone();
    } catch (error) {
      if (!hasCode(error, Code.emailCodeNeeded)) throw error;
    }
  };
  return (
    <Entry title={t.logIn} onSubmit={() => login.run()}>
      {ended === null ? null : <Caution role="status">{ended}</Caution>}
      <TextInput
        label={t.email}
        type="email"
        autoComplete="username"
        {...getInputProps('email')}
        required
        autoFocus
      />
      <PasswordInput
        label={t.password}
        autoComplete="current-password"
        {...getInputProps('password')}
        required
      />
      <ProofFields
        proof={proof}
        error={login.error}
        // The field appears as soon as the server has sent the code.
        emailCode={{ send: sendAgain, sentAt: Date.now(), description: t.newNetwork }}
        autoFocus
      />
      <RejectionNote error={unlessQuestion(login.error, proof)} />
      <Button type="submit" loading={login.pending} disabled={email === '' || password === ''}>
        {t.logIn}
      </Button>
      <OtherWays search={search} />
    </Entry>
  );
}

const OtherWays = ({ search }: { readonly search: string }) => (
  <>
    <Group justify="space-between">
      <TextLink href={withSearch('/reset', search)}>{t.forgotPassword}</TextLink>
      <Text size="sm">
        {t.newHere}{' '}
        <Anchor component={Link} href={withSearch('/register', search)} underline="always">
          {t.createAccount}
        </Anchor>
      </Text>
    </Group>
    <Fine>
      {t.isOperator}{' '}
      <Anchor component={Link} href="/operator" underline="always">
        {t.operatorConsole}
      </Anchor>
    </Fine>
  </>
);
