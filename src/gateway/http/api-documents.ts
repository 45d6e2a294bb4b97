// The machine-readable descriptions of the API, as `npm run gen` left them in docs/: OpenAPI of the
// calls and AsyncAPI of the websockets. They say nothing that is secret, so tools of any origin may
// read them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The files under /docs/. */
const FILES: readonly string[] = ['openapi.json', 'asyncapi.json'];
const PREFIX = '/docs/';

interface ApiDocument {
  readonly plain: Blob;
  readonly compressed: Blob;
  readonly etag: string;
}

export class ApiDocuments {
  readonly #documents: ReadonlyMap<string, ApiDocument>;

  /** `directory` is where the documents are; one that is not there is not served. */
  constructor(directory: string) {
    const found = FILES.filter((name) => existsSync(join(directory, name)));
    this.#documents = new Map(
      found.map((name) => {
        const bytes = readFileSync(join(directory, name));
        const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('base64url');
        return [
          PREFIX + name,
          {
            plain: new Blob([bytes]),
            compressed: new Blob([gzipSync(bytes)]),
            etag: `"${digest.slice(0, 22)}"`,
          },
        ];
      }),
    );
  }

  /** The answer to a GET or HEAD of one of them; null for another path. */
  respond({ headers }: Request, path: string): Response | null {
    const document = this.#documents.get(path);
    if (document === undefined) return null;
    const { plain, compressed, etag } = document;
    const common = {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
      ETag: etag,
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
    };
    if (headers.get('if-none-match') === etag) {
      return new Response(null, { status: 304, headers: common });
    }
    const zipped = headers.get('accept-encoding')?.includes('gzip') ?? false;
    if (!zipped) return new Response(plain, { headers: common });
    return new Response(compressed, { headers: { ...common, 'Content-Encoding': 'gzip' } });
  }
}
