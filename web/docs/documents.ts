// The documents of the repository that are pages. Each loads when a user opens it; a search loads
// all of them, once.
import type { Feed } from '../live/live.ts';
import { docsText as t } from '../messages/docs.ts';
import { type PreparedPage, prepare } from './html.ts';
import { type Section, sectionsOf } from './search.ts';

export interface DocumentInfo {
  /** Its page is /docs/<slug>. */
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

export const groups: readonly DocumentGroup[] = [
  {
    title: t.groups.programs,
    documents: [
      page('orders', () => import('../../docs/orders.md')),
      page('rest', () => import('../../docs/rest.md')),
      page('errors', () => import('../../docs/errors.md')),
      page('websocket', () => import('../../docs/websocket.md')),
      page('sdk', () => import('../../docs/sdk.md')),
      page('ccxt', () => import('../../docs/ccxt.md')),
    ],
  },
  {
    title: t.groups.concepts,
    documents: [
      page('earn', () => import('../../docs/earn.md')),
      page('architecture', () => import('../../docs/architecture.md')),
      page('security', () => import('../../docs/security.md')),
      page('proofs', () => import('../../docs/proofs.md')),
      page('benchmarks', () => import('../../docs/benchmarks.md')),
      page('glossary', () => import('../../docs/glossary.md')),
    ],
  },
  {
    title: t.groups.operators,
    documents: [
      page('operating', () => import('../../docs/operating.md')),
      page('changelog', () => import('../../CHANGELOG.md'), 'CHANGELOG.md'),
    ],
  },
];

export const documents: readonly DocumentInfo[] = groups.flatMap(({ documents: all }) => all);

/** The page of each document, by its path in the repository. */
export const pageOfPath: ReadonlyMap<string, string> = new Map(
  documents.map(({ path, slug }) => [path, `/docs/${slug}`]),
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
    return loaded.flat();
  },
};
