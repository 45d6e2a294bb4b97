// One document, with its headings at the side.
import { type MouseEvent, useEffect } from 'react';
import { useLocation } from 'wouter';
import { Loaded } from '../components/layout.tsx';
import { useLive } from '../live/live.ts';
import { docsText as t } from '../messages/docs.ts';
import { decoded } from '../shell/decoded.ts';
import { useTitle } from '../shell/title.ts';
import styles from './docs.module.css';
import { type DocumentInfo, documentFeed } from './documents.ts';
import { type Heading, type PreparedPage, shortHeading } from './html.ts';

export function Document({ document: info }: { readonly document: DocumentInfo }) {
  const live = useLive(documentFeed(info));
  useTitle(t.documentTitle(info.title));
  return (
    <div className={styles.document}>
      <Loaded live={live} rows={16}>
        {(prepared) => <Article prepared={prepared} />}
      </Loaded>
    </div>
  );
}

function Article({ prepared: { html, headings } }: { readonly prepared: PreparedPage }) {
  const [, navigate] = useLocation();
  useEffect(() => {
    // The document was not loaded when the browser looked for the heading of the address.
    const target = document.getElementById(decoded(location.hash.slice(1)));
    if (target === null) window.scrollTo(0, 0);
    else target.scrollIntoView();
  }, []);
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys click the links and buttons inside */}
      <article
        className={styles.text}
        onClick={(event) => follow(event, navigate)}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: has no user input
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <Headings headings={headings} />
    </>
  );
}

/** Links to other documents stay on the page, and buttons copy their code. */
function follow(event: MouseEvent<HTMLElement>, navigate: (path: string) => void): void {
  const target = event.target as Element;
  const button = target.closest<HTMLButtonElement>('button[data-copy]');
  if (button !== null) void copy(button);
  const href = target.closest('a')?.getAttribute('href') ?? '';
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (/^\/(operator\/)?docs\//.test(href) && plain) {
    event.preventDefault();
    navigate(href);
  }
}

const COPIED_MS = 1500;

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.previousElementSibling?.textContent ?? '';
  try {
    await navigator.clipboard.writeText(code);
    button.textContent = t.copied;
  } catch {
    button.textContent = t.notCopied;
  }
  setTimeout(() => {
    button.textContent = t.copy;
  }, COPIED_MS);
}

function Headings({ headings }: { readonly headings: readonly Heading[] }) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return null;
  return (
    <nav className={styles.contents} aria-label={t.onThisPage}>
      <p className={styles.group}>{t.onThisPage}</p>
      {shown.map(({ id, level, text }) => (
        <a key={id} href={`#${id}`} className={styles.heading} data-level={level} title={text}>
          {shortHeading(text)}
        </a>
      ))}
    </nav>
  );
}
