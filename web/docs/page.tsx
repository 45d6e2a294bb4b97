// The documents: navigation at the side, search above, and the document of the address.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconFileUnknown, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Empty, Loading } from '../components/states.tsx';
import { docsText as t } from '../messages/docs.ts';
import styles from './docs.module.css';
import { Document } from './document.tsx';
import { documents, groups } from './documents.ts';
import { Hits } from './hits.tsx';
import { wordsOf } from './search.ts';

/** Loads only when a user opens it, because it includes all schemas. */
const REFERENCE = { slug: 'api', ...t.documents.api };
const Reference = lazy(() => import('./reference/page.tsx'));

export default function DocsPage() {
  const [location] = useLocation();
  const slug = location.split('/')[2] ?? '';
  const document = slug === '' ? documents[0] : documents.find((one) => one.slug === slug);
  const [query, setQuery] = useState('');
  const searching = wordsOf(query).length > 0;
  return (
    <div className={styles.docs}>
      <div className={styles.side}>
        <TextInput
          aria-label={t.searchDocuments}
          placeholder={t.search}
          type="search"
          leftSection={<IconSearch size={16} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Contents current={slug === REFERENCE.slug ? slug : document?.slug} />
      </div>
      {searching ? (
        <Hits query={query} onChoose={() => setQuery('')} />
      ) : slug === REFERENCE.slug ? (
        <div className={styles.document}>
          <Suspense fallback={<Loading rows={16} />}>
            <Reference />
          </Suspense>
        </div>
      ) : document === undefined ? (
        <NotFound />
      ) : (
        <Document key={document.slug} document={document} />
      )}
    </div>
  );
}

function NotFound() {
  return (
    <div className={styles.missing}>
      <Empty
        icon={<IconFileUnknown size={30} stroke={1.5} />}
        title={t.notFound}
        action={
          <Button component={Link} href="/docs" variant="default">
            {t.goToDocs}
          </Button>
        }
      />
    </div>
  );
}

/** The API reference comes before the other documents for programs. */
const contents = groups.map(({ title, documents: listed }, at) => ({
  title,
  documents: at === 0 ? [REFERENCE, ...listed] : listed,
}));

/** A list at the side; on narrow screens a select. */
function Contents({ current }: { readonly current: string | undefined }) {
  const [, navigate] = useLocation();
  return (
    <>
      <nav className={styles.ways} aria-label={t.documentList}>
        {contents.map((group) => (
          <div key={group.title}>
            <p className={styles.group}>{group.title}</p>
            {group.documents.map(({ slug, title, what }) => (
              <Link
                key={slug}
                href={`/docs/${slug}`}
                title={what}
                className={styles.way}
                aria-current={slug === current ? 'page' : undefined}
              >
                {title}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <NativeSelect
        className={styles.chooser}
        aria-label={t.document}
        value={current ?? ''}
        onChange={(event) => navigate(`/docs/${event.currentTarget.value}`)}
        data={contents.map((group) => ({
          group: group.title,
          items: group.documents.map(({ slug, title }) => ({ value: slug, label: title })),
        }))}
      />
    </>
  );
}
