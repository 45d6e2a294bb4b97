// The documents of the repository that are pages: titles, paths, and how to load them.

export interface DocumentInfo {
  /** Its page is /docs/<slug>; '' for the first document. */
  readonly slug: string;
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

export const groups: readonly DocumentGroup[] = [
  {
    title: 'For programs',
    documents: [
      {
        slug: 'rest',
        title: 'HTTP API',
        what: 'Conventions, signing, every call with examples.',
        path: 'docs/rest.md',
        load: () => import('../../docs/rest.md'),
      },
      {
        slug: 'errors',
        title: 'Errors',
        what: 'Every code, what it means, whether to try again.',
        path: 'docs/errors.md',
        load: () => import('../../docs/errors.md'),
      },
      {
        slug: 'websocket',
        title: 'Websockets',
        what: 'Channels, resuming, checksums.',
        path: 'docs/websocket.md',
        load: () => import('../../docs/websocket.md'),
      },
      {
        slug: 'sdk',
        title: 'SDK',
        what: 'The typed client, for Node, Bun and browsers.',
        path: 'docs/sdk.md',
        load: () => import('../../docs/sdk.md'),
      },
      {
        slug: 'ccxt',
        title: 'ccxt',
        what: 'Bots that speak ccxt.',
        path: 'docs/ccxt.md',
        load: () => import('../../docs/ccxt.md'),
      },
    ],
  },
  {
    title: 'How it works',
    documents: [
      {
        slug: 'earn',
        title: 'Earn',
        what: 'The rules of interest, redemption and boosters, with figures.',
        path: 'docs/earn.md',
        load: () => import('../../docs/earn.md'),
      },
      {
        slug: 'architecture',
        title: 'Architecture',
        what: 'How the parts fit together, and why.',
        path: 'docs/architecture.md',
        load: () => import('../../docs/architecture.md'),
      },
      {
        slug: 'security',
        title: 'Security',
        what: 'What protects people and money, each with its test.',
        path: 'docs/security.md',
        load: () => import('../../docs/security.md'),
      },
      {
        slug: 'proofs',
        title: 'Proofs',
        what: 'What is proved, and by what.',
        path: 'docs/proofs.md',
        load: () => import('../../docs/proofs.md'),
      },
      {
        slug: 'benchmarks',
        title: 'Benchmarks',
        what: 'How fast it is, measured.',
        path: 'docs/benchmarks.md',
        load: () => import('../../docs/benchmarks.md'),
      },
      {
        slug: 'glossary',
        title: 'Glossary',
        what: 'One word, one meaning.',
        path: 'docs/glossary.md',
        load: () => import('../../docs/glossary.md'),
      },
    ],
  },
  {
    title: 'For operators',
    documents: [
      {
        slug: 'operating',
        title: 'Operating',
        what: 'Install, set up, back up, upgrade, mend.',
        path: 'docs/operating.md',
        load: () => import('../../docs/operating.md'),
      },
      {
        slug: 'changelog',
        title: 'Changelog',
        what: 'What has changed.',
        path: 'CHANGELOG.md',
        load: () => import('../../CHANGELOG.md'),
      },
    ],
  },
];

export const documents: readonly DocumentInfo[] = groups.flatMap(({ documents: all }) => all);

/** The page of each document, by its path in the repository. */
export const pageOfPath: ReadonlyMap<string, string> = new Map(
  documents.map(({ path, slug }) => [path, `/docs/${slug}`]),
);
