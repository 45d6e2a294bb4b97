// The API reference: all calls by tag, or the call of the address.
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { docsText } from '../../messages/docs.ts';
import { NotFound } from '../../shell/notices.tsx';
import { CallPage } from './call.tsx';
import { Marked, Method } from './marks.tsx';
import styles from './reference.module.css';
import { type Call, calls, conventions, matching } from './spec.ts';

const t = docsText.reference;

export default function Reference() {
  const [location] = useLocation();
  const id = location.split('/')[3] ?? '';
  if (id === '') return <Overview />;
  const call = calls.find((one) => one.id === id);
  return call === undefined ? <NotFound /> : <CallPage key={id} call={call} />;
}

function Overview() {
  const [query, setQuery] = useState('');
  useEffect(() => {
    document.title = docsText.documentTitle(t.title);
    window.scrollTo(0, 0);
  }, []);
  const groups = matching(query);
  return (
    <article className={styles.reference}>
      <h1>{t.title}</h1>
      {conventions.map((paragraph) => (
        <p key={paragraph} className={styles.prose}>
          <Marked text={paragraph} />
        </p>
      ))}
      <ul className={styles.ways}>
        <li>
          <Link href="/docs/rest">{t.prose}</Link>
        </li>
        <li>
          <Link href="/docs/websocket">{t.websockets}</Link>
        </li>
        <li>
          <Link href="/docs/errors">{t.errors}</Link>
        </li>
        <li>
          <Link href="/docs/errors#fix-codes-on-the-wire">{t.fixCodes}</Link>
        </li>
        <li>
          <Link href="/docs/changelog#deprecated">{t.deprecations}</Link>
        </li>
        <li>
          <a href="/docs/openapi.json" target="_blank" rel="noreferrer">
            openapi.json
          </a>
        </li>
        <li>
          <a href="/docs/asyncapi.json" target="_blank" rel="noreferrer">
            asyncapi.json
          </a>
        </li>
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

function CallLink({ call: { id, method, path, operation } }: { readonly call: Call }) {
  return (
    <Link href={`/docs/api/${id}`} className={styles.call}>
      <span className={styles.line}>
        <Method method={method} />
        <code>{path}</code>
        {operation.deprecated ? <span className={styles.deprecated}>{t.deprecated}</span> : null}
      </span>
      <span className={styles.summary}>{operation.summary}</span>
    </Link>
  );
}
