// One call: access, fields and errors, and beside them its code with a form to send it.
import { useEffect } from 'react';
import { Link } from 'wouter';
import { privilegeWords } from '../../keys/privileges.ts';
import { docsText } from '../../messages/docs.ts';
import { useTitle } from '../../shell/title.ts';
import { Marked, Method, Table } from './marks.tsx';
import styles from './reference.module.css';
import {
  answerRows,
  type Call,
  calls,
  type FieldRow,
  fieldRows,
  hrefOf,
  parameterRows,
  rejectionsOf,
} from './spec.ts';
import { Try } from './try.tsx';

const t = docsText.reference;

export function CallPage({ call }: { readonly call: Call }) {
  const { id, method, path, operation, body, tag } = call;
  useTitle(t.callTitle(id));
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  const parameters = parameterRows(call, ['path', 'query']);
  const headers = parameterRows(call, ['header']);
  return (
    <article className={`${styles.reference} ${styles.page}`}>
      <header>
        <p className={styles.crumbs}>
          <Link href={hrefOf(call).replace(`/${id}`, '')}>{t.title}</Link> / {tag}
        </p>
        <h1 className={styles.title}>
          <Method method={method} /> <code>{path}</code>
        </h1>
        <p className={styles.prose}>
          <Marked text={operation.summary} />
        </p>
        <dl className={styles.facts}>
          <dt>{t.access}</dt>
          <dd>{accessText(call)}</dd>
          <dt>{t.sdk}</dt>
          <dd>
            <code>{operation['x-agio-sdk']}</code>
          </dd>
        </dl>
      </header>
      <Try call={call} />
      <div>
        {parameters.length === 0 ? null : <Fields title={t.parameters} rows={parameters} />}
        {body === null ? null : <Fields title={t.body} rows={fieldRows(body.schema)} />}
        {headers.length === 0 ? null : <Fields title={t.headers} rows={headers} />}
        <Fields title={t.answer} rows={answerRows(call)} isAnswer />
        <Rejections call={call} />
        <Siblings call={call} />
      </div>
    </article>
  );
}

function accessText({ access, operation }: Call): string {
  const module = operation['x-agio-module'];
  return [
    t.accessOf[access],
    ...(module === undefined ? [] : [t.module(module, privilegeWords([module]))]),
    ...(operation['x-agio-step-up'] ? [t.stepUp] : []),
  ].join(' ');
}

interface FieldsProps {
  readonly title: string;
  readonly rows: readonly FieldRow[];
  /** Fields of an answer have no defaults. */
  readonly isAnswer?: boolean;
}

const Fields = ({ title, rows, isAnswer = false }: FieldsProps) => (
  <>
    <h2>{title}</h2>
    {rows.length === 0 ? (
      <p className={styles.prose}>{t.noFields}</p>
    ) : (
      <Table
        label={isAnswer ? t.answerFields : title}
        columns={[t.field, t.form, ...(isAnswer ? [] : [t.default]), t.meaning]}
        rows={rows.map(({ name, form, absent, about }) => ({
          key: name,
          cells: [
            <code key={name}>{name}</code>,
            form,
            ...(isAnswer ? [] : [absent ?? t.required]),
            about,
          ],
        }))}
      />
    )}
  </>
);

/** Folded away: they are many, and the same for most calls. */
function Rejections({ call }: { readonly call: Call }) {
  const rejections = rejectionsOf(call);
  return (
    <details className={styles.fold}>
      <summary>
        <h2>{t.rejectionCount(rejections.length)}</h2>
      </summary>
      <Table
        label={t.rejections}
        columns={[t.http, t.code, t.name, t.reason]}
        rows={rejections.map(({ http, code, name, text }) => ({
          key: name,
          cells: [http, code, <code key={name}>{name}</code>, text],
        }))}
      />
      <p className={styles.prose}>
        {t.allCodes}
        <Link href="/docs/errors">{t.errors}</Link>.
      </p>
    </details>
  );
}

function Siblings({ call }: { readonly call: Call }) {
  const others = calls.filter(({ tag }) => tag === call.tag);
  return (
    <nav className={styles.siblings} aria-label={t.callsOf(call.tag)}>
      <h2>{t.callsOf(call.tag)}</h2>
      {others.map((one) => (
        <Link key={one.id} href={hrefOf(one)} aria-current={one === call ? 'page' : undefined}>
          {one.id}
        </Link>
      ))}
    </nav>
  );
}
