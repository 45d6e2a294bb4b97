// One call: access, request, answer, refusals, an example, and a form to try it.
import { useEffect } from 'react';
import { Link } from 'wouter';
import { laidOut } from './exact.ts';
import { Code, Marked, Method } from './marks.tsx';
import styles from './reference.module.css';
import {
  type Access,
  answerOf,
  answerRows,
  type Call,
  calls,
  type FieldRow,
  fieldRows,
  formOf,
  type Parameter,
  refusalsOf,
} from './spec.ts';
import { Try } from './try.tsx';

const WHO: Readonly<Record<Access, string>> = {
  public: 'Everyone.',
  private: 'An API key that signs, or a session.',
  session: 'A session of the user centre.',
  operator: 'The operator.',
};

/** The names of key privileges. */
const MODULES: Readonly<Record<number, string>> = {
  1: 'earn, read',
  2: 'subscribe',
  3: 'redeem',
  4: 'enterprise admin',
  5: 'trading, read',
  6: 'trading, write',
};

export function CallPage({ call }: { readonly call: Call }) {
  const { method, path, operation, access, body, tag } = call;
  useEffect(() => {
    document.title = `${operation.operationId} · API reference · agio`;
    window.scrollTo(0, 0);
  }, [operation.operationId]);
  const module = operation['x-agio-module'];
  return (
    <div className={styles.page}>
      <article className={styles.reference}>
        <p className={styles.crumbs}>
          <Link href="/docs/api">API reference</Link> / {tag}
        </p>
        <h1 className={styles.title}>
          <Method method={method} /> <code>{path}</code>
        </h1>
        <p className={styles.prose}>
          <Marked text={operation.summary} />
        </p>
        <dl className={styles.facts}>
          <dt>Who may</dt>
          <dd>
            {WHO[access]}
            {module === undefined ? '' : ` Module ${module}: ${MODULES[module]}.`}
            {operation['x-agio-step-up'] ? ' A session needs a step-up.' : ''}
          </dd>
          <dt>SDK</dt>
          <dd>
            <code>{operation['x-agio-sdk']}</code>
          </dd>
        </dl>
        <Parameters call={call} title="Parameters" places={['path', 'query']} />
        {body === null ? null : <Fields title="Body" rows={fieldRows(body.schema)} withDefaults />}
        <Parameters call={call} title="Headers" places={['header']} />
        <h2>Answer</h2>
        <Fields rows={answerRows(call)} />
        <Example call={call} />
        <Refusals call={call} />
        <Try call={call} />
      </article>
      <Siblings call={call} />
    </div>
  );
}

interface ParametersProps {
  readonly call: Call;
  readonly title: string;
  readonly places: readonly Parameter['in'][];
}

function Parameters({ call: { parameters }, title, places }: ParametersProps) {
  const rows = parameters
    .filter((one) => places.includes(one.in))
    .map((one) => ({
      name: one.name,
      form: `${formOf(one.schema)}${one.in === 'path' ? ' (path)' : ''}`,
      absent: one.required ? null : String(one.schema.default ?? '–'),
      about: one.description ?? '',
    }));
  return rows.length === 0 ? null : <Fields title={title} rows={rows} withDefaults />;
}

interface FieldsProps {
  readonly title?: string;
  readonly rows: readonly FieldRow[];
  readonly withDefaults?: boolean;
}

function Fields({ title, rows, withDefaults = false }: FieldsProps) {
  const heading = title === undefined ? null : <h2>{title}</h2>;
  if (rows.length === 0) {
    return (
      <>
        {heading}
        <p className={styles.prose}>No fields.</p>
      </>
    );
  }
  return (
    <>
      {heading}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className={styles.scroll} tabIndex={0} aria-label={title ?? 'Fields of the answer'}>
        <table>
          <thead>
            <tr>
              <th>field</th>
              <th>form</th>
              {withDefaults ? <th>if left out</th> : null}
              <th>meaning</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, form, absent, about }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{form}</td>
                {withDefaults ? <td>{absent ?? 'required'}</td> : null}
                <td>{about}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** A request of a test, and the server's answer. */
function Example({ call }: { readonly call: Call }) {
  const { parameters, body, method, path } = call;
  const { example } = answerOf(call);
  const query = parameters
    .filter((one) => one.in === 'query' && one.example !== undefined)
    .map(({ name, example: value }) => `${name}=${value}`)
    .join('&');
  const target = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, String(one.example)), path);
  const asked = `${method} ${target}${query === '' ? '' : `?${query}`}`;
  const sent = body?.example === undefined ? '' : `\n\n${JSON.stringify(body.example, null, 2)}`;
  const answered = typeof example === 'string' ? example : laidOut(JSON.stringify(example));
  return (
    <>
      <h2>Example</h2>
      <Code label="The request of the example" text={asked + sent} />
      <Code label="The answer of the example" text={answered} />
    </>
  );
}

function Refusals({ call }: { readonly call: Call }) {
  return (
    <>
      <h2>Refusals</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className={styles.scroll} tabIndex={0} aria-label="Refusals">
        <table>
          <thead>
            <tr>
              <th>HTTP</th>
              <th>code</th>
              <th>name</th>
              <th>why</th>
            </tr>
          </thead>
          <tbody>
            {refusalsOf(call).map(({ http, code, name, text }) => (
              <tr key={name}>
                <td>{http}</td>
                <td>{code}</td>
                <td>
                  <code>{name}</code>
                </td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.prose}>
        All codes: <Link href="/docs/errors">Errors</Link>.
      </p>
    </>
  );
}

function Siblings({ call }: { readonly call: Call }) {
  const others = calls.filter(({ tag }) => tag === call.tag);
  return (
    <nav className={styles.siblings} aria-label={`Calls of ${call.tag}`}>
      <p>{call.tag}</p>
      {others.map(({ id }) => (
        <Link key={id} href={`/docs/api/${id}`} aria-current={id === call.id ? 'page' : undefined}>
          {id}
        </Link>
      ))}
    </nav>
  );
}
