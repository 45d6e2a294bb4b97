// One document, with its headings at the side.
import { type MouseEvent, useEffect } from 'react';
import { useLocation } from 'wouter';
import { Loaded } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import { decoded } from '../shell/decoded.ts';
import styles from './docs.module.css';
import type { DocumentInfo } from './documents.ts';
import { type Heading, type Prepared, shortHeading } from './html.ts';
import { documentFeed } from './load.ts';

export function Document({ document: info }: { readonly document: DocumentInfo }) {
  const live = useLive(documentFeed(info));
  useEffect(() => {
    document.title = `${info.title} · Docs · agio`;
  });
  return (
    <div className={styles.document}>
      <Loaded live={live} rows={16}>
        {(prepared) => <Read prepared={prepared} />}
      </Loaded>
    </div>
  );
}

function Read({ prepared: { html, headings } }: { readonly prepared: Prepared }) {
  const [, navigate] = useLocation();
  useEffect(() => {
    // The document was not loaded when the browser looked for the heading of the address.
    const target = document.getElementById(decoded(location.hash.slice(1)));
    if (target === null) window.scrollTo(0, 0);
    else target.scrollIntoView();
  }, []);
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links and buttons inside are pressed by keys as clicks */}
      <article
        className={styles.text}
        onClick={(event) => act(event, navigate)}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build of our own documents, nothing of users is in it
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <Contents headings={headings} />
    </>
  );
}

/** Links to other documents stay on the page, and buttons copy their code. */
function act(event: MouseEvent<HTMLElement>, navigate: (path: string) => void): void {
  const target = event.target as Element;
  const button = target.closest<HTMLButtonElement>('button[data-copy]');
  if (button !== null) {
    copy(button);
    return;
  }
  const href = target.closest('a')?.getAttribute('href') ?? '';
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (href.startsWith('/docs/') && plain) {
    event.preventDefault();
    navigate(href);
  }
}

const COPIED_MS = 1500;

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.previousElementSibling?.textContent ?? '';
  try {
    await navigator.clipboard.writeText(code);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}

function Contents({ headings }: { readonly headings: readonly Heading[] }) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return null;
  return (
    <nav className={styles.contents} aria-label="On this page">
      <p className={styles.group}>On this page</p>
      {shown.map(({ id, level, text }) => (
        <a key={id} href={`#${id}`} className={styles.heading} data-level={level} title={text}>
          {shortHeading(text)}
        </a>
      ))}
    </nav>
  );
}
