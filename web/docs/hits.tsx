// The results of a search, section by section.
import { Link } from 'wouter';
import { Empty, Loaded } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import { docsText as t } from '../messages/docs.ts';
import styles from './docs.module.css';
import { sectionsFeed } from './documents.ts';
import { search } from './search.ts';

export interface HitsProps {
  readonly query: string;
  readonly onChoose: () => void;
}

export function Hits({ query, onChoose }: HitsProps) {
  const sections = useLive(sectionsFeed);
  return (
    <div className={styles.hits}>
      <Loaded live={sections} rows={8}>
        {(all) => {
          const hits = search(all, query);
          if (hits.length === 0) return <Empty title={t.nothingFound}>{t.nothingFoundWhy}</Empty>;
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
