// The first page of the docs: a signed request in three steps, and the way to everything else.
import { Link } from 'wouter';
import { LinkButton } from '../components/texts.tsx';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { docsText } from '../messages/docs.ts';
import { useTitle } from '../shell/title.ts';
import { Code, LanguageChoice, useLanguage, useReaderKey } from './code.tsx';
import styles from './docs.module.css';
import { quickstart } from './quickstart.ts';

const t = docsText.quickstart;

interface CardsProps {
  readonly documents: readonly {
    readonly href: string;
    readonly title: string;
    readonly what: string;
  }[];
}

/** Links to documents, each with a line that helps to choose. */
export const Cards = ({ documents }: CardsProps) => (
  <ul className={styles.cards}>
    {documents.map(({ href, title, what }) => (
      <li key={href}>
        <Link href={href} className={styles.hit}>
          <span className={styles.where}>{title}</span>
          <span className={styles.excerpt}>{what}</span>
        </Link>
      </li>
    ))}
  </ul>
);

interface LandingProps {
  readonly contents: readonly (CardsProps & { readonly title: string })[];
}

export function Landing({ contents }: LandingProps) {
  useTitle(docsText.documentTitle(t.name));
  return (
    <div className={styles.document}>
      <article className={`${styles.text} ${styles.landing}`}>
        <h1>{docsText.title}</h1>
        <p className={styles.lead}>{docsText.lead}</p>
        <Quickstart />
        {contents.map(({ title, documents }) => (
          <section key={title}>
            <h2>{title}</h2>
            <Cards documents={documents} />
          </section>
        ))}
      </article>
    </div>
  );
}

function Quickstart() {
  const language = useLanguage();
  const key = useReaderKey();
  const { data: instruments = [] } = useLive(feeds.instruments);
  const symbol = instruments.find(({ open }) => open)?.symbol ?? 'BTC-USDT';
  return (
    <section aria-labelledby="quickstart">
      <div className={styles.stepsHead}>
        <h2 id="quickstart">{t.title}</h2>
        <LanguageChoice />
      </div>
      {quickstart(language, key, symbol).map(({ title, how, code }, at) => (
        <div key={title}>
          <h3>{title}</h3>
          {at > 0 ? null : (
            <p>
              {t.keyHow(key.isOwn)}{' '}
              {key.isOwn ? null : (
                <LinkButton href="/keys/new" size="compact-sm" variant="default">
                  {t.createKey}
                </LinkButton>
              )}
            </p>
          )}
          <p>{how}</p>
          <Code name={t.code(title)} text={code} language={language.colors} />
        </div>
      ))}
    </section>
  );
}
