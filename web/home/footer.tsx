// The footer: the pages of the operator, which are settings of the server, and the API.
import { Link } from 'wouter';
import { markets } from '../messages/markets.ts';
import { shell } from '../messages/shell.ts';
import styles from './home.module.css';

const t = markets.footer;
const NAMES = ['terms', 'privacy', 'status', 'support'] as const;

/** The form in which the server writes them into the page. */
const links = JSON.parse(document.documentElement.dataset.links ?? '{}') as Readonly<
  Partial<Record<(typeof NAMES)[number], string | null>>
>;

export function Footer() {
  return (
    <footer className={styles.footer}>
      <nav aria-label={t.label}>
        <Link href="/docs">{t.api}</Link>
        <Link href="/settings">{shell.pages.settings}</Link>
        {NAMES.map((name) =>
          links[name] == null ? null : (
            <a key={name} href={links[name]} rel="noopener noreferrer">
              {t[name]}
            </a>
          ),
        )}
      </nav>
      <span className="dim">{t.operatedWith}</span>
    </footer>
  );
}
