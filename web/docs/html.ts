// Prepares the HTML of a document for a page: links lead to pages, tables scroll, code has a copy
// button, and headings are listed. The build made the HTML from our own documents.
import { docsText as t } from '../messages/docs.ts';
import { tokensOf } from './highlight.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

export interface PreparedPage {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** The pages and titles of documents, by their paths in the repository. */
export type PageOfPath = ReadonlyMap<string, { readonly href: string; readonly title: string }>;

/** The name of a file as the text of a link. */
const FILE_NAME = /^(?:<code>)?(?:docs\/)?[\w-]+\.md(?:<\/code>)?$/;

/** `path`: of this document in the repository. */
export function prepare(html: string, path: string, pageOf: PageOfPath): PreparedPage {
  const linked = html.replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, href: string, text: string) => {
    const target = linkTarget(plainText(href), path, pageOf);
    if (target === null) return `<a>${text}</a>`;
    const external = target.startsWith('https://') ? ' target="_blank" rel="noreferrer"' : '';
    // A reader looks for a title, not for a file.
    const title = FILE_NAME.test(text) ? titleOf(target, pageOf) : undefined;
    return `<a href="${escaped(target)}"${external}>${title ?? text}</a>`;
  });
  const scroll = `<div class="scroll" tabindex="0" role="group" aria-label="${t.table}">`;
  const copy = `<button type="button" data-copy aria-label="${t.copyCode}">${t.copy}</button>`;
  const complete = linked
    // A corner without a text heads no column.
    .replace(/<th([^>]*)><\/th>/g, '<td$1></td>')
    .replaceAll('<table>', `${scroll}<table>`)
    .replaceAll('</table>', '</table></div>')
    .replace(CODE, (_, language: string, code: string) => {
      return `<pre><code>${colored(decodedText(code), language)}</code></pre>`;
    })
    .replaceAll('<pre>', '<div class="code"><pre tabindex="0">')
    .replaceAll('</pre>', `</pre>${copy}</div>`);
  return { html: complete, headings: headingsOf(html) };
}

const CODE = /<pre><code class="language-(\w+)[^"]*">(.*?)<\/code><\/pre>/gs;

/** The HTML of code, with the kinds of its tokens as classes (docs.module.css). */
const colored = (code: string, language: string): string =>
  tokensOf(code, language)
    .map(({ kind, text }) =>
      kind === null ? escaped(text) : `<span class="token-${kind}">${escaped(text)}</span>`,
    )
    .join('');

const titleOf = (target: string, pageOf: PageOfPath): string | undefined =>
  [...pageOf.values()].find(({ href }) => href === target.split('#')[0])?.title;

/**
 * The page that a link of a document leads to; null if it has none, such as a source file.
 * `href`: as written, such as errors.md#codes, #codes or https://….
 */
export function linkTarget(href: string, path: string, pageOf: PageOfPath): string | null {
  if (href.startsWith('#') || href.startsWith('https://')) return href;
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return null;
  const [file = '', fragment] = href.split('#');
  // Resolves paths against the document's own path; nothing uses the host.
  const resolved = new URL(file, `https://repository.invalid/${path}`).pathname.slice(1);
  const page = pageOf.get(resolved)?.href;
  if (page === undefined) return null;
  return fragment === undefined ? page : `${page}#${fragment}`;
}

const HEADING = /<h([1-6]) id="([^"]*)">(.*?)<\/h\1>/gs;

export const headingsOf = (html: string): readonly Heading[] =>
  [...html.matchAll(HEADING)].map(([, level, id, inner]) => ({
    level: Number(level),
    id: id!,
    text: plainText(inner!),
  }));

/** A short name for the side list: GET /market-data-server/api/public/v1/trades is GET trades. */
export const shortHeading = (text: string): string =>
  text.replace(/^([A-Z]+) \/\S*\/(v\d+)\/(?=\S)/, (_, method: string, version: string) =>
    version === 'v1' ? `${method} ` : `${method} ${version}/`,
  );

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The text of HTML, without tags and comments, with decoded entities and single spaces. */
export const plainText = (html: string): string =>
  html
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/<\/(td|th|p|li|h[1-6]|pre|tr)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(ENTITY, (entity) => ENTITIES[entity]!)
    .replace(/\s+/g, ' ')
    .trim();

const ENTITY = /&(?:lt|gt|quot|#39|amp);/g;

const decodedText = (html: string): string => html.replace(ENTITY, (entity) => ENTITIES[entity]!);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
