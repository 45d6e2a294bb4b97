// The docs of customers: navigation at the side, search above, and the page of the address.
import { NativeSelect, TextInput } from '@mantine/core';
import { IconFileUnknown, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Empty, Loaded, Loading } from '../components/layout.tsx';
import { LinkButton } from '../components/texts.tsx';
import { useLive } from '../live/live.ts';
import { docsText as t } from '../messages/docs.ts';
import { pageCode } from '../shell/page-code.ts';
import styles from './docs.module.css';
import { Document } from './document.tsx';
import { documents, groups, sectionsFeed } from './documents.ts';
import { Landing } from './landing.tsx';
import { search, wordsOf } from './search.ts';

/** Loads only when a user opens it, because it includes all schemas. */
const Reference = lazy(pageCode(() => import('./reference/page.tsx')));

export default function DocsPage() {
  const [location] = useLocation();
  const slug = location.split('/')[2] ?? '';
  const document = documents.find((one) => one.slug === slug);
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
        <Contents />
      </div>
      {searching ? (
        <Hits query={query} onChoose={() => setQuery('')} />
      ) : slug === '' ? (
        <Landing contents={contents} />
      ) : slug === 'api' ? (
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
        icon={IconFileUnknown}
        title={t.notFound}
        isPage
        action={
          <LinkButton href="/docs" variant="default">
            {t.goToDocs}
          </LinkButton>
        }
      />
    </div>
  );
}

/** The pages of the docs by group; the API reference is no document. */
const contents = groups.map(({ title, documents: listed }, at) => ({
  title,
  documents: [...(at === 0 ? [] : [{ slug: 'api', ...t.documents.api }]), ...listed].map(
    ({ slug, ...entry }) => ({ ...entry, href: `/docs/${slug}` }),
  ),
}));

const FIRST = { href: '/docs', title: t.quickstart.name, what: t.lead };

/** A list at the side; on narrow screens a select. */
function Contents() {
  const [location, navigate] = useLocation();
  const current = location.split('/').slice(0, 3).join('/');
  const links = contents.map(({ title, documents: listed }, at) => ({
    title,
    documents: at === 0 ? [FIRST, ...listed] : listed,
  }));
  return (
    <>
      <nav className={styles.ways} aria-label={t.documentList}>
        {links.map((group) => (
          <div key={group.title}>
            <p className={styles.group}>{group.title}</p>
            {group.documents.map(({ href, title, what }) => (
              <Link
                key={href}
                href={href}
                title={what}
                className={styles.way}
                aria-current={href === current ? 'page' : undefined}
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
        value={current}
        onChange={(event) => navigate(event.currentTarget.value)}
        data={links.map((group) => ({
          group: group.title,
          items: group.documents.map(({ href, title }) => ({ value: href, label: title })),
        }))}
      />
    </>
  );
}

interface HitsProps {
  readonly query: string;
  readonly onChoose: () => void;
}

/** The results of a search, section by section. */
function Hits({ query, onChoose }: HitsProps) {
  const sections = useLive(sectionsFeed);
  return (
    <div className={styles.hits}>
      <Loaded live={sections} rows={8}>
        {(all) => {
          const hits = search(all, query);
          if (hits.length === 0) return <Empty title={t.nothingFound} hint={t.nothingFoundWhy} />;
          return (
            <>
              <h1 className={styles.found} role="status">
                {t.found(hits.length)}
              </h1>
              <ul className={styles.list}>
                {hits.map(({ section: { slug, document, id, heading }, excerpt }) => (
                  <li key={`${slug}#${id}`}>
                    <Link
                      href={id === '' ? `/docs/${slug}` : `/docs/${slug}#${id}`}
                      className={styles.hit}
                      onClick={onChoose}
                    >
                      <span className={styles.from}>{document}</span>
                      <span className={styles.where}>{heading}</span>
                      <span className={styles.excerpt}>{excerpt}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
