// The request of a call: its code, a form that really sends it, and the answer.
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
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import {
  type Credentials,
  keyCredentials,
  NO_CREDENTIALS,
  operatorCredentials,
} from '../../../src/sdk/credentials.ts';
import { useAction } from '../../components/action.ts';
import { useConfirm } from '../../components/confirm.tsx';
import { Scrollable } from '../../components/layout.tsx';
import { docsText } from '../../messages/docs.ts';
import { isSandbox, useSession } from '../../session/session.ts';
import { LanguageChoice, Code as SampleCode, useLanguage, useReaderKey } from '../code.tsx';
import { sampleOf } from '../samples.ts';
import { Code, indented } from './marks.tsx';
import styles from './reference.module.css';
import { type Exchange, prepare, send } from './request.ts';
import { answerOf, type Call, isWrite } from './spec.ts';

const t = docsText.tryIt;

/** Kept while the page is open, and never stored. */
const secrets = { apiKey: '', secretKey: '', token: '' };

interface Values {
  readonly by: 'session' | 'key';
  readonly secrets: typeof secrets;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The code of a request, a form to send it, and the example answer or the real one. */
export function Try({ call }: { readonly call: Call }) {
  const session = useSession();
  const form = useForm<Values>({
    initialValues: {
      by: 'session',
      secrets,
      parameters: exampleParameters(call),
      body: call.body === null ? '' : JSON.stringify(call.body.example ?? {}, null, 2),
    },
    onValuesChange: (values) => Object.assign(secrets, values.secrets),
  });
  const [exchange, setExchange] = useState<Exchange | null>(null);
  const usesKey = call.access === 'private' && form.values.by === 'key';
  const usesSession = call.access === 'session' || (call.access === 'private' && !usesKey);
  const isReady = !usesSession || session.state === 'loggedIn';
  const sending = useAction(
    (request: Values) =>
      send(
        prepare(call, request.parameters, request.body),
        credentialsOf(call, request),
        usesSession,
      ),
    { onDone: setExchange },
  );
  const { ask, dialog } = useConfirm(sending);
  return (
    <Scrollable label={t.title} className={styles.aside}>
      <form
        className={styles.try}
        onSubmit={form.onSubmit((values) => (isWrite(call) ? ask : sending.run)(values))}
      >
        <Stack gap={12}>
          <Group justify="space-between">
            <h2>{t.title}</h2>
            <LanguageChoice />
          </Group>
          <RequestCode call={call} values={form.values} />
          {isReady ? null : <p className={styles.note}>{t.logIn(call.access === 'private')}</p>}
          <CredentialFields call={call} form={form} usesKey={usesKey} />
          <RequestFields call={call} form={form} />
          <Button type="submit" loading={sending.pending} disabled={!isReady}>
            {t.send}
          </Button>
        </Stack>
      </form>
      <div aria-live="polite">
        {sending.error !== null ? (
          <Alert color="red" title={t.noAnswer}>
            {String(sending.error)}
          </Alert>
        ) : (
          <Answer call={call} exchange={sending.pending ? null : exchange} />
        )}
      </div>
      {dialog(() => ({
        title: t.confirm.title,
        consequences: [
          t.confirm.real(`${call.method} ${call.path}`),
          ...(call.access === 'private' ? [t.confirm.money(isSandbox)] : []),
        ],
        confirm: t.confirm.send,
        danger: true,
      }))}
    </Scrollable>
  );
}

/** The request as code, with the values of the form. */
function RequestCode({ call, values }: { readonly call: Call; readonly values: Values }) {
  const language = useLanguage();
  const reader = useReaderKey();
  const { method, path, query, body } = prepare(call, values.parameters, values.body);
  const { apiKey, secretKey, token } = values.secrets;
  const isSigned = call.access === 'private';
  const key = {
    url: reader.url,
    apiKey: apiKey || reader.apiKey,
    secretKey: isSigned ? secretKey || reader.secretKey : token || docsText.quickstart.yourToken,
  };
  const text = sampleOf(
    language,
    {
      ...{ method, body: body ?? '', isSigned, header: HEADERS[call.access] },
      target: query === '' ? path : `${path}?${query}`,
    },
    key,
  );
  return <SampleCode name={t.codeOf(language.name)} text={text} language={language.colors} />;
}

/** The headers that carry a token. */
const HEADERS = {
  public: null,
  private: null,
  session: { name: 'exchange-token', prefix: '' },
  operator: { name: 'Authorization', prefix: 'Bearer ' },
} as const;

interface AnswerProps {
  readonly call: Call;
  /** null until a request is answered: then a test's answer is the example. */
  readonly exchange: Exchange | null;
}

function Answer({ call, exchange }: AnswerProps) {
  if (exchange !== null) return <Result exchange={exchange} />;
  const { example } = answerOf(call);
  const answer = typeof example === 'string' ? example : indented(JSON.stringify(example));
  return (
    <>
      <h3>{docsText.reference.exampleAnswer}</h3>
      <Code label={docsText.reference.exampleAnswer} text={answer} language="json" />
    </>
  );
}

function credentialsOf({ access }: Call, { by, secrets: typed }: Values): Credentials {
  const { token, apiKey, secretKey } = typed;
  if (access === 'operator') return operatorCredentials(() => token);
  return access === 'private' && by === 'key'
    ? keyCredentials({ apiKey: apiKey.trim(), secretKey: secretKey.trim() })
    : NO_CREDENTIALS;
}

interface FieldsProps {
  readonly call: Call;
  readonly form: UseFormReturnType<Values>;
}

function CredentialFields({ call, form, usesKey }: FieldsProps & { readonly usesKey: boolean }) {
  return (
    <>
      {call.access === 'private' ? (
        <SegmentedControl
          aria-label={t.credentials}
          {...form.getInputProps('by')}
          data={[
            { value: 'session', label: t.session },
            { value: 'key', label: t.key },
          ]}
        />
      ) : null}
      {usesKey ? (
        <Stack gap={8}>
          <TextInput
            label={t.apiKey}
            autoComplete="off"
            {...form.getInputProps('secrets.apiKey')}
          />
          <PasswordInput
            label={t.secretKey}
            description={t.secretNote}
            autoComplete="off"
            {...form.getInputProps('secrets.secretKey')}
          />
        </Stack>
      ) : null}
      {call.access === 'operator' ? (
        <PasswordInput
          label={t.token}
          description={t.tokenNote}
          autoComplete="off"
          {...form.getInputProps('secrets.token')}
        />
      ) : null}
    </>
  );
}

function RequestFields({ call, form }: FieldsProps) {
  const parameters = call.parameters.filter((one) => one.in !== 'header');
  return (
    <>
      {parameters.length === 0 ? null : (
        <div className={styles.inputs}>
          {parameters.map(({ name, required = false }) => (
            <TextInput
              key={name}
              label={name}
              required={required}
              spellCheck={false}
              {...form.getInputProps(`parameters.${name}`)}
            />
          ))}
        </div>
      )}
      {call.body === null ? null : (
        <Textarea
          label={t.body}
          description={t.bodyNote}
          autosize
          minRows={2}
          maxRows={16}
          spellCheck={false}
          classNames={{ input: styles.mono! }}
          {...form.getInputProps('body')}
        />
      )}
    </>
  );
}

const Result = ({ exchange }: { readonly exchange: Exchange }) => (
  <>
    <h3>
      <span data-status={exchange.status}>{exchange.status}</span> {t.after(exchange.milliseconds)}
    </h3>
    <Code label={t.answer} text={indented(exchange.answer)} language="json" />
    <details>
      <summary>{t.details}</summary>
      {exchange.signed === null ? null : (
        <>
          <h3>{t.signed}</h3>
          <Code label={t.signedText} text={exchange.signed} />
        </>
      )}
      <h3>{t.sent}</h3>
      <Code label={t.sentText} text={exchange.sent} />
      <Code label={t.answerHeaders} text={exchange.headers} />
    </details>
  </>
);

/** Parameters that identify something of the example's account start empty. */
const OTHERS = /^(orderId|applyId|lastRowId|lastTradeId|lastEntryId|uid|apiKey|date)$/;

const exampleParameters = ({ parameters }: Call): Record<string, string> =>
  Object.fromEntries(
    parameters.map(({ name, example }) => [
      name,
      example === undefined || OTHERS.test(name) ? '' : String(example),
    ]),
  );
