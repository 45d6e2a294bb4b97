// The API reference: all calls by tag, or the call of the address.
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { NotFound } from '../../shell/notices.tsx';
import { CallPage } from './call.tsx';
import { Marked, Method } from './marks.tsx';
import styles from './reference.module.css';
import { type Call, calls, conventions, matching } from './spec.ts';

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
    document.title = 'API reference · Docs · agio';
    window.scrollTo(0, 0);
  }, []);
  const groups = matching(query);
  return (
    <article className={styles.reference}>
      <h1>API reference</h1>
      {conventions.map((paragraph) => (
        <p key={paragraph} className={styles.prose}>
          <Marked text={paragraph} />
        </p>
      ))}
      <ul className={styles.ways}>
        <li>
          <Link href="/docs/rest">In prose, with examples</Link>
        </li>
        <li>
          <Link href="/docs/websocket">Websockets</Link>
        </li>
        <li>
          <Link href="/docs/errors">Errors</Link> and{' '}
          <Link href="/docs/errors#fix-codes-on-the-wire">FIX codes</Link>
        </li>
        <li>
          <Link href="/docs/changelog#deprecated">Deprecations</Link>
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
        aria-label="Find a call"
        placeholder="Find a call"
        type="search"
        leftSection={<IconSearch size={16} />}
        maw={420}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {groups.length === 0 ? <p role="status">No call has all of these words.</p> : null}
      {groups.map((group) => (
        <section key={group.tag}>
          <h2>{group.tag}</h2>
          <p className={styles.prose}>{group.what}</p>
          <ul className={styles.calls}>
            {group.calls.map((call) => (
              <li key={call.id}>
                <Way call={call} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

function Way({ call: { id, method, path, operation } }: { readonly call: Call }) {
  return (
    <Link href={`/docs/api/${id}`} className={styles.call}>
      <span className={styles.line}>
        <Method method={method} />
        <code>{path}</code>
        {operation.deprecated ? <span className={styles.deprecated}>deprecated</span> : null}
      </span>
      <span className={styles.summary}>{operation.summary}</span>
    </Link>
  );
}
