// The login of the operator: the token of the installation, tried before it is kept.
import { Alert, Button, Code, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { Entry } from '../account/entry.tsx';
import { tryToken } from '../api/operator.ts';
import { isLoggedOut } from '../api/refusal.ts';
import { useAction } from '../components/action.ts';
import { RefusalNote } from '../components/states.tsx';
import { forget } from '../live/live.ts';
import { beginOperator, useOperatorEnded } from '../session/operator.ts';
import { isSandbox } from '../session/session.ts';
import { keys } from './feeds.ts';

/** What a header can carry, and what the settings accept as a token. */
const TOKEN = /^[\x21-\x7e]{1,256}$/;

export function OperatorLogin() {
  const [typed, setTyped] = useState('');
  const [odd, setOdd] = useState(false);
  const ended = useOperatorEnded();
  const login = useAction(async (token: string) => {
    await tryToken(token);
    forget(keys.all);
    beginOperator(token);
  });
  const submit = () => {
    const token = typed.trim();
    const fits = TOKEN.test(token);
    setOdd(!fits);
    login.clear();
    if (fits) login.run(token);
  };
  const wrong = odd || isLoggedOut(login.error);
  return (
    <Entry
      title="Operator console"
      lead="For whoever runs this exchange. It is opened by the operator token, not by an account."
      onSubmit={submit}
    >
      {ended ? (
        <Alert color="yellow" variant="light" p="xs" role="status">
          The token is not accepted any more: the server may have been restarted with another one.
        </Alert>
      ) : null}
      <PasswordInput
        label="Operator token"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        error={wrong ? 'This is not the operator token of this exchange.' : undefined}
        data-autofocus
      />
      <Text size="xs" className="dim" component="div">
        {isSandbox ? (
          <>
            In a sandbox it is <Code>operatorToken</Code> in <Code>sandbox.json</Code> of the data
            directory.
          </>
        ) : (
          <>
            It is the setting <Code>AGIO_OPERATOR_TOKEN</Code> of the server.
          </>
        )}{' '}
        It is kept until this tab is closed. Everything done with it is in the audit log.
      </Text>
      <RefusalNote error={isLoggedOut(login.error) ? null : login.error} />
      <Button type="submit" loading={login.pending} disabled={typed.trim() === ''}>
        Open the console
      </Button>
    </Entry>
  );
}
