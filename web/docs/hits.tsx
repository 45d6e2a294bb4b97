// The results of a search, section by section.
import { Link } from 'wouter';
import { Empty, Loaded } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import styles from './docs.module.css';
import { sectionsFeed } from './load.ts';
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
          if (hits.length === 0) {
            return (
              <Empty title="Nothing found">
                All words have to be in one section. Try fewer, or a part of a word.
              </Empty>
            );
          }
          return (
            <>
              <h1 className={styles.found} role="status">
                {hits.length === 1 ? '1 section' : `${hits.length} sections`}
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
