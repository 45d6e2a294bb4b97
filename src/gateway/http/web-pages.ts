// Serves the user interface from the output of `npm run build`: scripts and styles, which have a
// hash in their names and never change, and pages, which get a new nonce for each request. All
// files are read at the start, so that a later build does not break open pages.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PAGE_PATHS, type PagePath } from '../../contract/pages.ts';
import type { ApiDocuments } from './api-documents.ts';
import { type AssetIcons, ICON_POLICY } from './asset-icons.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
const ASSETS = '/assets/';
/** Below ASSETS. */
const ICONS = 'icons/';
/** These calls begin with the path of the operator's page. */
const OPERATOR_CALLS = '/operator/v1/';
/** The content of a hashed name never changes. The icon is the one file without a hash. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const FOR_A_DAY = 'public, max-age=86400';
const HOME: PagePath = 'home';

const NOT_BUILT = `<!doctype html><title>agio</title>
<p>The user interface is not built. In the checkout, run <code>npm run build</code> and restart.
The API works.</p>`;

/** Browsers apply it only over TLS; a sandbox has none. */
const REQUIRE_TLS = { 'Strict-Transport-Security': 'max-age=31536000' };

/** The headers of every page and file of the interface. */
const SECURITY = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

export interface WebPagesOptions {
  /** Where the build is. */
  readonly directory: string;
  /** sandbox or production; the interface offers the sandbox's clock and faucet only there. */
  readonly mode: string;
  /** They lie among the pages. */
  readonly documents: ApiDocuments;
  /** The pages of the operator that the footer links to. */
  readonly links?: WebLinks;
  /** The operator's icons of assets. */
  readonly icons?: AssetIcons;
}

/** By name: the address of a page elsewhere; null: there is no link. */
type WebLinks = Readonly<
  Partial<Record<'terms' | 'privacy' | 'status' | 'support', string | null>>
>;

interface WebBuild {
  /** By name. */
  readonly files: ReadonlyMap<string, Blob>;
  /** By the first part of their paths; null: of paths that do not exist. */
  readonly pages: ReadonlyMap<string | null, string>;
}

/** Another build may replace the folder while it is read, or be about to. */
const MAX_READS = 5;
const BETWEEN_READS_MS = 20;

/** All files are of one build. */
function readBuild(directory: string): WebBuild {
  for (let reads = 1; ; reads++) {
    const build = identityOf(directory);
    const isLast = reads === MAX_READS;
    try {
      const read = readFiles(directory);
      if (isLast || (build !== null && identityOf(directory) === build)) return read;
    } catch (error) {
      if (isLast) throw error;
    }
    Bun.sleepSync(BETWEEN_READS_MS);
  }
}

/** null where there is no folder. */
function identityOf(directory: string): string | null {
  const stats = statSync(directory, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino}/${stats.mtimeMs}`;
}

function readFiles(directory: string): WebBuild {
  const assets = join(directory, 'assets');
  const names = existsSync(assets) ? readdirSync(assets) : [];
  const pageOf = (name: string): string => {
    const file = join(directory, `${name}.html`);
    return existsSync(file) ? readFileSync(file, 'utf8') : NOT_BUILT;
  };
  return {
    files: new Map(names.map((name) => [name, new Blob([readFileSync(join(assets, name))])])),
    pages: new Map<string | null, string>([
      ...PAGE_PATHS.map((path) => [path, pageOf(path)] as const),
      [null, pageOf('index')],
    ]),
  };
}

/** The links that the settings name. */
export const linksOf = (
  settings: Readonly<Record<'termsUrl' | 'privacyUrl' | 'statusUrl' | 'supportUrl', string | null>>,
): WebLinks => ({
  terms: settings.termsUrl,
  privacy: settings.privacyUrl,
  status: settings.statusUrl,
  support: settings.supportUrl,
});

/** A text as the value of an attribute in double quotes. */
const attributeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export class WebPages {
  readonly #build: WebBuild;
  readonly #mode: string;
  readonly #links: string;
  readonly #icons: AssetIcons;
  readonly #security: Readonly<Record<string, string>>;
  readonly #documents: ApiDocuments;

  constructor({ directory, mode, documents, links = {}, icons = new Map() }: WebPagesOptions) {
    this.#links = attributeText(JSON.stringify(links));
    this.#icons = icons;
    this.#documents = documents;
    this.#security = mode === 'production' ? { ...SECURITY, ...REQUIRE_TLS } : SECURITY;
    this.#mode = mode;
    this.#build = readBuild(directory);
  }

  /** The answer to a request for a page or one of its files; null for a path that is neither. */
  respond(request: Request, path: string): Response | null {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    if (path.startsWith(OPERATOR_CALLS)) return null;
    if (path.startsWith(ASSETS)) return this.#file(request, path.slice(ASSETS.length));
    // A signed request is a call, wherever its bytes were moved; it never gets a page.
    if (request.headers.has('exchange-api-sign')) return null;
    const document = this.#documents.respond(request, path);
    if (document !== null) return document;
    const page = this.#build.pages.get(path === '/' ? HOME : path.split('/', 2)[1]!);
    return page === undefined ? null : this.#withNonce(page);
  }

  /** The page for an unknown path; null for a program, which gets the error body. */
  notFound(request: Request): Response | null {
    const isBrowser = request.headers.get('accept')?.includes('text/html') ?? false;
    return isBrowser && request.method === 'GET'
      ? this.#withNonce(this.#build.pages.get(null)!, 404)
      : null;
  }

  /** An icon, whose asset is the name of its file. */
  #icon(file: string): Response | null {
    const icon = this.#icons.get(file.replace(/\.svg$/, ''));
    if (icon === undefined || !file.endsWith('.svg')) return null;
    return new Response(icon, {
      headers: {
        ...this.#security,
        'Content-Type': 'image/svg+xml',
        'Cache-Control': FOR_A_DAY,
        'Content-Security-Policy': ICON_POLICY,
      },
    });
  }

  #file(request: Request, name: string): Response | null {
    if (name.startsWith(ICONS)) return this.#icon(name.slice(ICONS.length));
    const type = TYPES[extname(name)];
    const plain = this.#build.files.get(name);
    // The compressed forms have no type of their own, so their names are unknown.
    if (type === undefined || plain === undefined) return null;
    const headers = new Headers({
      ...this.#security,
      'Content-Type': type,
      'Cache-Control': /-[a-z0-9]{8}\./.test(name) ? IMMUTABLE : FOR_A_DAY,
      Vary: 'Accept-Encoding',
    });
    const accepted = request.headers.get('accept-encoding') ?? '';
    for (const [encoding, suffix] of ENCODINGS) {
      const compressed = this.#build.files.get(name + suffix);
      if (compressed === undefined || !accepted.includes(encoding)) continue;
      headers.set('Content-Encoding', encoding);
      return new Response(compressed, { headers });
    }
    return new Response(plain, { headers });
  }

  /**
   * Scripts and data come from this very host and nowhere else. The component library writes style
   * elements, which carry the nonce; nothing inline runs.
   */
  #withNonce(page: string, status = 200): Response {
    const nonce = crypto.getRandomValues(Buffer.alloc(16)).toString('base64url');
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ];
    const text = page
      .replace('MODE', this.#mode)
      .replace('LINKS', () => this.#links)
      .replace('ICONS', () => [...this.#icons.keys()].join(' '));
    return new Response(text.replaceAll('NONCE', nonce), {
      status,
      headers: {
        ...this.#security,
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy': policy.join('; '),
      },
    });
  }
}
