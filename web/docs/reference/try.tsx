// Sends a real request to this server and shows the signed text, the request and the answer.
import {
  Alert,
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { laidOut } from './exact.ts';
import { Code } from './marks.tsx';
import styles from './reference.module.css';
import { type Exchange, type Means, prepare, send } from './request.ts';
import type { Call } from './spec.ts';

type State =
  | { readonly state: 'idle' }
  | { readonly state: 'sending' }
  | { readonly state: 'failed'; readonly why: string }
  | { readonly state: 'answered'; readonly exchange: Exchange };

/** Kept while the page is open, and never stored. */
const typed = { apiKey: '', secretKey: '', token: '' };

export function Try({ call }: { readonly call: Call }) {
  const session = useSession();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => exampleValues(call));
  const [body, setBody] = useState(() => exampleBody(call));
  const [by, setBy] = useState<Means['by']>('session');
  const [secrets, setSecrets] = useState(typed);
  const [state, setState] = useState<State>({ state: 'idle' });
  const means = meansOf(call, by, secrets);
  const isReady = session.state === 'loggedIn' || means.by !== 'session';
  const keep = (more: Partial<typeof typed>): void => {
    Object.assign(typed, more);
    setSecrets({ ...typed });
  };

  async function submit(): Promise<void> {
    setState({ state: 'sending' });
    try {
      const exchange = await send(prepare(call, values, body), means);
      setState({ state: 'answered', exchange });
    } catch (error) {
      setState({ state: 'failed', why: error instanceof Error ? error.message : String(error) });
    }
  }

  return (
    <section aria-label="Try it">
      <h2>Try it</h2>
      <form
        className={styles.try}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack gap={12}>
          {call.access === 'private' ? (
            <SegmentedControl
              aria-label="By what"
              value={by}
              onChange={(value) => setBy(value as Means['by'])}
              data={[
                { value: 'session', label: 'This session' },
                { value: 'key', label: 'An API key' },
              ]}
            />
          ) : null}
          {means.by === 'session' && !isReady ? (
            <p className={styles.note}>
              Log in first{call.access === 'private' ? ', or choose an API key' : ''}.
            </p>
          ) : null}
          {means.by === 'key' ? <KeyFields secrets={secrets} keep={keep} /> : null}
          {means.by === 'operator' ? (
            <PasswordInput
              label="Operator token"
              description="Kept in the memory of this page alone."
              autoComplete="off"
              value={secrets.token}
              onChange={(event) => keep({ token: event.currentTarget.value })}
            />
          ) : null}
          <Inputs call={call} values={values} setValues={setValues} />
          {call.body === null ? null : (
            <Textarea
              label="Body"
              description="Sent, and signed, exactly as it stands here."
              autosize
              minRows={2}
              maxRows={16}
              spellCheck={false}
              classNames={{ input: styles.mono! }}
              value={body}
              onChange={(event) => setBody(event.currentTarget.value)}
            />
          )}
          <Group>
            <Button type="submit" loading={state.state === 'sending'} disabled={!isReady}>
              Send
            </Button>
            {call.method === 'GET' ? null : (
              <span className={styles.note}>This is carried out for real.</span>
            )}
          </Group>
        </Stack>
      </form>
      <div aria-live="polite">
        {state.state === 'failed' ? (
          <Alert color="red" title="No answer">
            {state.why}
          </Alert>
        ) : null}
        {state.state === 'answered' ? <Answered exchange={state.exchange} /> : null}
      </div>
    </section>
  );
}

interface KeyFieldsProps {
  readonly secrets: typeof typed;
  readonly keep: (more: Partial<typeof typed>) => void;
}

function KeyFields({ secrets, keep }: KeyFieldsProps) {
  return (
    <Stack gap={8}>
      <TextInput
        label="API key"
        autoComplete="off"
        value={secrets.apiKey}
        onChange={(event) => keep({ apiKey: event.currentTarget.value.trim() })}
      />
      <PasswordInput
        label="Secret key"
        description="Signs here, is not sent, and is kept in the memory of this page alone."
        autoComplete="off"
        value={secrets.secretKey}
        onChange={(event) => keep({ secretKey: event.currentTarget.value.trim() })}
      />
    </Stack>
  );
}

interface InputsProps {
  readonly call: Call;
  readonly values: Readonly<Record<string, string>>;
  readonly setValues: (values: Readonly<Record<string, string>>) => void;
}

function Inputs({ call, values, setValues }: InputsProps) {
  const shown = call.parameters.filter((one) => one.in !== 'header');
  if (shown.length === 0) return null;
  return (
    <div className={styles.inputs}>
      {shown.map(({ name, required }) => (
        <TextInput
          key={name}
          label={name}
          required={required ?? false}
          withAsterisk={required ?? false}
          spellCheck={false}
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
    </div>
  );
}

function Answered({ exchange }: { readonly exchange: Exchange }) {
  const { request, headers, signed, status, answerHeaders, answer, milliseconds } = exchange;
  const { method, path, query, body } = request;
  const lines = (entries: Iterable<readonly [string, string]>): string =>
    Array.from(entries, ([name, value]) => `${name}: ${value}`).join('\n');
  const first = `${method} ${path}${query === '' ? '' : `?${query}`}`;
  const sent = [first, lines(Object.entries(headers)), '', body ?? ''].join('\n').trimEnd();
  return (
    <>
      {signed === null ? null : (
        <>
          <h3>Signed</h3>
          <Code label="What was signed" text={signed} />
        </>
      )}
      <h3>Sent</h3>
      <Code label="What was sent" text={sent} />
      <h3>
        <span data-status={status}>{status}</span> after {milliseconds} ms
      </h3>
      <Code label="The headers of the answer" text={lines(answerHeaders)} />
      <Code label="The answer" text={laidOut(answer)} />
    </>
  );
}

function meansOf(call: Call, by: Means['by'], secrets: typeof typed): Means {
  const { apiKey, secretKey, token } = secrets;
  switch (call.access) {
    case 'public':
      return { by: 'nothing' };
    case 'operator':
      return { by: 'operator', token };
    case 'session':
      return { by: 'session' };
    case 'private':
      return by === 'key' ? { by, apiKey, secretKey } : { by: 'session' };
  }
}

/** Fields that identify something of the example's account start empty. */
const OTHERS = /^(orderId|applyId|lastRowId|lastTradeId|lastEntryId|uid|apiKey|date)$/;

const exampleValues = ({ parameters }: Call): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter((one) => one.example !== undefined && !OTHERS.test(one.name))
      .map(({ name, example }) => [name, String(example)]),
  );

const exampleBody = ({ body }: Call): string =>
  body === null ? '' : JSON.stringify(body.example ?? {}, null, 2);
