// Documents as pages: links, HTML, and search.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, operatorDocuments, pageOfPath } from './documents.ts';
import { headingsOf, linkTarget, plainText, prepare, shortHeading } from './html.ts';
import { callSections } from './reference/call-sections.ts';
import { search, sectionsOf } from './search.ts';

const ROOT = join(import.meta.dir, '../..');
const rendered = (markdown: string): string =>
  Bun.markdown.html(markdown, { headings: true, tables: true });
const pages = [...documents, ...operatorDocuments].map((document) => ({
  ...document,
  page: pageOfPath.get(document.path)!.href,
  html: rendered(readFileSync(join(ROOT, document.path), 'utf8')),
}));

describe('links', () => {
  test.each([
    ['#codes', '#codes'],
    ['errors.md', '/docs/errors'],
    ['errors.md#codes', '/docs/errors#codes'],
    ['../CHANGELOG.md', '/docs/changelog'],
    ['https://example.com/a', 'https://example.com/a'],
    ['operating.md#cluster', '/operator/docs/operating#cluster'],
    ['architecture.md', null],
    ['../LICENSE', null],
    ['javascript:alert(1)', null],
    ['http://example.com', null],
    ['/etc/passwd', null],
  ])('%p leads to %p', (href, target) => {
    expect(linkTarget(href, 'docs/rest.md', pageOfPath)).toBe(target);
  });

  test('every link between the documents leads to an existing heading', () => {
    const idsOf = new Map(
      pages.map(({ page, html }) => [page, new Set(headingsOf(html).map(({ id }) => id))]),
    );
    for (const { path, page: own, html } of pages) {
      for (const [, href] of prepare(html, path, pageOfPath).html.matchAll(/<a href="([^"]*)"/g)) {
        if (href!.startsWith('https://')) continue;
        const [page, fragment] = href!.split('#');
        const ids = idsOf.get(page === '' ? own : page!);
        expect([path, href, ids === undefined]).toEqual([path, href, false]);
        if (fragment !== undefined) expect([href, ids!.has(fragment)]).toEqual([href, true]);
      }
    }
  });
});

describe('HTML', () => {
  const html = rendered(
    '# A `code` & b\n\n[gone](../LICENSE) [there](errors.md) [errors.md](errors.md#codes)\n\n' +
      '| | a |\n|---|---|\n| | 1 |\n\n```\nx < 1\n```\n',
  );

  test('tables scroll, code has a copy button, a link without a page is plain text', () => {
    const prepared = prepare(html, 'docs/rest.md', pageOfPath).html;
    expect(prepared).toContain('role="group" aria-label="Table"><table>');
    expect(prepared).toContain('</table></div>');
    expect(prepared).toContain('data-copy');
    expect(prepared).not.toContain('<th></th>');
    expect(prepared).toContain('<a>gone</a>');
    expect(prepared).toContain('<a href="/docs/errors#codes">Errors</a>');
    expect(prepared).toContain('<a href="/docs/errors">there</a>');
  });

  test('code has colors without inline styles, and its text stays', () => {
    const code = rendered('```json\n{"a<b": 1}\n```\n');
    const colored = prepare(code, 'docs/rest.md', pageOfPath).html;
    expect(colored).toContain('<span class="token-name">&quot;a&lt;b&quot;</span>');
    expect(colored).not.toContain('style=');
    expect(plainText(colored)).toContain('{"a<b": 1}');
  });

  test('a heading has a level, an id and a text', () => {
    expect(headingsOf(html)).toEqual([{ level: 1, id: 'a-code-b', text: 'A code & b' }]);
  });

  test.each([
    ['GET /spot-api/api/public/v2/instruments', 'GET v2/instruments'],
    ['POST /spot-api/api/private/v1/order/masscancel', 'POST order/masscancel'],
    ['Idempotency-Key', 'Idempotency-Key'],
  ])('%p is %p in the side list', (text, short) => {
    expect(shortHeading(text)).toBe(short);
  });

  test('the text of HTML has no tags, and entities are decoded once', () => {
    expect(plainText('<p>a &amp;lt; <code>b</code></p><!-- c -->')).toBe('a &lt; b');
  });
});

describe('search', () => {
  const sections = pages.flatMap(({ slug, title, html }) => sectionsOf(slug, title, html));

  test('a heading that equals the query comes first', () => {
    expect(search(sections, 'idempotency-key')[0]!.section).toMatchObject({
      slug: 'rest',
      heading: 'Idempotency-Key',
    });
  });

  test.each([
    ['place order', /^api\/createOrder$/],
    ['send order', /^api\/createOrder$/],
    ['createOrder', /^api\/createOrder$/],
    ['create orders', /^api\/createOrders$/],
    ['cancel order', /^api\/cancel/],
    ['amend order', /^api\/amendOrder/],
    ['balances', /^api\/balances$/],
    ['tickers', /^api\/tickers$/],
  ])('%p finds calls first', (query, slug) => {
    const hits = search([...callSections('API'), ...sections], query);
    expect(hits[0]!.section.slug).toMatch(slug);
  });

  test('the text of a call has no marks of markdown', () => {
    for (const { text } of callSections('API')) expect(text).not.toContain('`');
  });

  test('every call of a customer is found by its name', () => {
    for (const { slug, call } of callSections('API')) {
      const hits = search([...callSections('API'), ...sections], call!.split(' ')[0]!);
      expect(hits.slice(0, 3).map(({ section }) => section.slug)).toContain(slug);
    }
  });

  test('a section contains all words', () => {
    const hits = search(sections, 'reserve ALARM');
    expect(hits.length).toBeGreaterThan(0);
    for (const { section } of hits) {
      const all = `${section.heading} ${section.text}`.toLowerCase();
      expect(all.includes('reserve') && all.includes('alarm')).toBe(true);
    }
    expect(search(sections, 'reserve zzzz')).toEqual([]);
    expect(search(sections, '  ')).toEqual([]);
  });

  test('an excerpt shows the match', () => {
    for (const { section, excerpt } of search(sections, '100405')) {
      expect(`${section.heading} ${excerpt}`).toContain('100405');
      expect(excerpt.length).toBeLessThan(240);
    }
  });
});
