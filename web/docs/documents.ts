// The documents of the repository that are pages. Each loads when a user opens it; a search loads
// all of them, once.
import type { Feed } from '../live/live.ts';
import { docsText as t } from '../messages/docs.ts';
import { type PageOfPath, type PreparedPage, prepare } from './html.ts';
import { type Section, sectionsOf } from './search.ts';

export interface DocumentInfo {
  /** The end of the address of its page. */
  readonly slug: keyof typeof t.documents;
  readonly title: string;
  /** One line that helps to choose a document. */
  readonly what: string;
  /** Its path in the repository, which links between documents use. */
  readonly path: string;
  readonly load: () => Promise<{ readonly default: string }>;
}

export interface DocumentGroup {
  readonly title: string;
  readonly documents: readonly DocumentInfo[];
}

const page = (
  slug: DocumentInfo['slug'],
  load: DocumentInfo['load'],
  path = `docs/${slug}.md`,
): DocumentInfo => ({ slug, ...t.documents[slug], path, load });

/** The documents of customers, at /docs. */
export const groups: readonly DocumentGroup[] = [
  {
    title: t.groups.guides,
    documents: [
      page('orders', () => import('../../docs/orders.md')),
      page('earn', () => import('../../docs/earn.md')),
      page('websocket', () => import('../../docs/websocket.md')),
      page('errors', () => import('../../docs/errors.md')),
      page('sdk', () => import('../../docs/sdk.md')),
      page('ccxt', () => import('../../docs/ccxt.md')),
      page('binance', () => import('../../docs/binance.md')),
    ],
  },
  {
    title: t.groups.reference,
    documents: [
      page('rest', () => import('../../docs/rest.md')),
      page('glossary', () => import('../../docs/glossary.md')),
      page('changelog', () => import('../../CHANGELOG.md'), 'CHANGELOG.md'),
    ],
  },
];

/** The documents of operators, in the console. Contributors read theirs in the repository. */
export const operatorDocuments: readonly DocumentInfo[] = [
  page('operating', () => import('../../docs/operating.md')),
  page('cluster', () => import('../../docs/cluster.md')),
  page('security', () => import('../../docs/security.md')),
  page('proofs', () => import('../../docs/proofs.md')),
  page('benchmarks', () => import('../../docs/benchmarks.md')),
];

export const documents: readonly DocumentInfo[] = groups.flatMap(({ documents: all }) => all);

/** The page and the title of each document, by its path in the repository. */
export const pageOfPath: PageOfPath = new Map(
  [
    ...documents.map((document) => ['/docs', document] as const),
    ...operatorDocuments.map((document) => ['/operator/docs', document] as const),
  ].map(([base, { path, slug, title }]) => [path, { href: `${base}/${slug}`, title }]),
);

export const documentFeed = ({ slug, path, load }: DocumentInfo): Feed<PreparedPage> => ({
  key: ['docs', slug],
  every: null,
  read: async () => prepare((await load()).default, path, pageOfPath),
});

export const sectionsFeed: Feed<readonly Section[]> = {
  key: ['docs', 'all sections'],
  every: null,
  read: async () => {
    const loaded = await Promise.all(
      documents.map(async ({ slug, title, load }) =>
        sectionsOf(slug, title, (await load()).default),
      ),
    );
    const { callSections } = await import('./reference/call-sections.ts');
    return [...callSections(t.documents.api.title), ...loaded.flat()];
  },
};
