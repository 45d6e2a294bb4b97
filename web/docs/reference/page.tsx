// The API reference: all calls by tag, or the call of the address.
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { docsText } from '../../messages/docs.ts';
import { NotFound } from '../../shell/notices.tsx';
import { useTitle } from '../../shell/title.ts';
import { CallPage } from './call.tsx';
import { Marked, Method } from './marks.tsx';
import styles from './reference.module.css';
import { type Call, calls, conventions, hrefOf, matching } from './spec.ts';

const t = docsText.reference;

interface ReferenceProps {
  /** Shows the calls of operators, for the console. */
  readonly ofOperators?: boolean;
}

export default function Reference({ ofOperators = false }: ReferenceProps) {
  const [location] = useLocation();
  const id = location.split('/api/')[1] ?? '';
  if (id === '') return <Overview ofOperators={ofOperators} />;
  const call = calls.find((one) => hrefOf(one) === location);
  return call === undefined ? <NotFound /> : <CallPage key={id} call={call} />;
}

function Overview({ ofOperators }: Required<ReferenceProps>) {
  const [query, setQuery] = useState('');
  useTitle(docsText.documentTitle(t.title));
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  const groups = matching(query, ofOperators);
  return (
    <article className={styles.reference}>
      <h1>{t.title}</h1>
      {conventions.map((paragraph) => (
        <p key={paragraph} className={styles.prose}>
          <Marked text={paragraph} />
        </p>
      ))}
      <ul className={styles.ways}>
        {['openapi.json', 'asyncapi.json'].map((file) => (
          <li key={file}>
            <a href={`/docs/${file}`} target="_blank" rel="noreferrer">
              {file}
            </a>
          </li>
        ))}
      </ul>
      <TextInput
        aria-label={t.find}
        placeholder={t.find}
        type="search"
        leftSection={<IconSearch size={16} />}
        maw={420}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {groups.length === 0 ? <p role="status">{t.noneFound}</p> : null}
      {groups.map((group) => (
        <section key={group.tag}>
          <h2>{group.tag}</h2>
          <p className={styles.prose}>{group.what}</p>
          <ul className={styles.calls}>
            {group.calls.map((call) => (
              <li key={call.id}>
                <CallLink call={call} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

function CallLink({ call }: { readonly call: Call }) {
  const { method, path, operation } = call;
  return (
    <Link href={hrefOf(call)} className={styles.call}>
      <span className={styles.line}>
        <Method method={method} />
        <code>{path}</code>
        {operation.deprecated ? <span className={styles.deprecated}>{t.deprecated}</span> : null}
      </span>
      <span className={styles.summary}>{operation.summary}</span>
    </Link>
  );
}
