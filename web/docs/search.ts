// Search in the documents: sections that contain all words, matches in headings first.
import { headingsOf, plainText } from './html.ts';

export interface Section {
  readonly slug: string;
  readonly document: string;
  /** The heading's id; '' before the first heading. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  /** The names and the summary of a call of the API, by which a reader looks for it. */
  readonly call?: string;
}

export interface Hit {
  readonly section: Section;
  /** Text around the first match. */
  readonly excerpt: string;
}

/** The sections of one document's HTML. */
export function sectionsOf(slug: string, document: string, html: string): Section[] {
  const headings = headingsOf(html);
  const parts = html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/s);
  return parts
    .map((part, index) => {
      const heading = headings[index - 1];
      return {
        slug,
        document,
        id: heading?.id ?? '',
        heading: heading?.text ?? document,
        text: plainText(part),
      };
    })
    .filter(({ id, text }) => id !== '' || text !== '');
}

const AROUND = 70;
const MAX_HITS = 30;

/** The words of a query, in lower case; none if it is blank. */
export const wordsOf = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/** Sections that contain all words of the query, best match first. */
export function search(sections: readonly Section[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const scored = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0);
  // Sections with the same score keep the order of the documents.
  scored.sort((a, b) => b.score - a.score);
  return scored
    .slice(0, MAX_HITS)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }));
}

/**
 * 0 unless each word occurs. Matches in headings count more, those in the names of a call even
 * more, and an exact heading or name most.
 */
function scoreOf({ heading, text, call }: Section, words: readonly string[]): number {
  const title = heading.toLowerCase();
  const body = text.toLowerCase();
  const name = call?.toLowerCase() ?? '';
  const names = name.split(' ');
  let score = 0;
  for (const word of words) {
    const [inName, inTitle, inText] = [name, title, body].map((part) => part.includes(word));
    if (!inName && !inTitle && !inText) return 0;
    // A whole word counts more, so that `order` finds `createOrder` before `createOrders`.
    score += (names.includes(word) ? 25 : inName ? 20 : 0) + (inTitle ? 10 : 0) + (inText ? 1 : 0);
  }
  const query = words.join(' ');
  const isExact = title === query || names.includes(query);
  return isExact ? score + 100 : score;
}

function excerptOf(text: string, words: readonly string[]): string {
  const body = text.toLowerCase();
  const places = words.map((word) => body.indexOf(word)).filter((place) => place >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + 2 * AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`;
}
