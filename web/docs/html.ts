// A document's HTML made fit for a page: links between documents lead to their pages, tables scroll inside themselves,
// code has a button that copies it, and the headings are known. The HTML is our own: the build made it of our documents.

export interface Heading {
  readonly level: number;
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

export interface Prepared {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** `pageOf`: the page of each document, by its place in the repository; `path`: the place of this one. */
export function prepare(html: string, path: string, pageOf: ReadonlyMap<string, string>): Prepared {
  const linked = html.replace(/<a href="([^"]*)"/g, (_, href: string) => {
    const target = linkTarget(plainText(href), path, pageOf);
    if (target === null) return '<a';
    const away = target.startsWith('https://') ? ' target="_blank" rel="noreferrer"' : '';
    return `<a href="${escaped(target)}"${away}`;
  });
  const scrolled = linked
    .replaceAll(
      '<table>',
      '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
    )
    .replaceAll('</table>', '</table></div>');
  const copied = scrolled
    .replaceAll('<pre>', '<div class="code"><pre tabindex="0">')
    .replaceAll(
      '</pre>',
      '</pre><button type="button" data-copy aria-label="Copy the code">Copy</button></div>',
    );
  return { html: copied, headings: headingsOf(html) };
}

/**
 * Where a link of a document leads on the pages; null for what has no page here, such as a file of the repository.
 * `href` as it is written: errors.md#codes, #codes, https://…
 */
export function linkTarget(
  href: string,
  path: string,
  pageOf: ReadonlyMap<string, string>,
): string | null {
  if (href.startsWith('#') || href.startsWith('https://')) return href;
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return null;
  const [file = '', fragment] = href.split('#');
  // Paths are read against the document's own place; the host is never used.
  const resolved = new URL(file, `https://repository.invalid/${path}`).pathname.slice(1);
  const page = pageOf.get(resolved);
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

/** For a list at the side: GET /market-data-server/api/public/v1/trades is GET trades. */
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

/** The text of some HTML: tags and comments go, entities are read, white space is one space. */
export const plainText = (html: string): string =>
  html
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/<\/(td|th|p|li|h[1-6]|pre|tr)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]!)
    .replace(/\s+/g, ' ')
    .trim();

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
