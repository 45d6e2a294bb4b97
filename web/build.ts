// Bundles the web UI into dist/web: the page, and its scripts and styles with hashed names, also
// compressed. npm runs it after `npm ci` and before `npm start`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { replaceFolder } from '../build-files.ts';
import { PAGE_PATHS } from '../src/contract/pages.ts';
import { libraryStyles } from './library-styles.ts';

const ROOT = import.meta.dir;
const TARGET = join(ROOT, '../dist/web');
/** The path of the font in base.css, and its source. */
const FONT = '/assets/inter.woff2';
const FONT_SOURCE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
/** Higher qualities take seconds longer and save two percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const COMPRESSED = /\.(js|css|svg|html)$/;

/** Imports a document of the repository as HTML. It is trusted text, so it is not sanitized. */
const markdown: Bun.BunPlugin = {
  name: 'markdown',
  setup(build) {
    build.onLoad({ filter: /\.md$/ }, ({ path }) => ({
      contents: Bun.markdown.html(readFileSync(path, 'utf8'), { headings: true, tables: true }),
      loader: 'text',
    }));
  },
};

/** Keywords that the API reference does not show. */
const UNREAD = ['pattern', 'additionalProperties', 'headers', 'securitySchemes'];

/** Leaves out of docs/openapi.json what the reference does not show: an eighth of it. */
const reference: Bun.BunPlugin = {
  name: 'reference',
  setup(build) {
    build.onLoad({ filter: /openapi\.json$/ }, ({ path }) => {
      const document = JSON.parse(readFileSync(path, 'utf8'), (name, value) =>
        UNREAD.includes(name) ? undefined : value,
      );
      for (const operations of Object.values<Record<string, { description?: string }>>(
        document.paths,
      )) {
        for (const operation of Object.values(operations)) delete operation.description;
      }
      return { contents: JSON.stringify(document), loader: 'json' };
    });
  },
};

const OPTIONS: Bun.BuildConfig = {
  entrypoints: [join(ROOT, 'main.tsx')],
  target: 'browser',
  minify: true,
  metafile: true,
  naming: '[name]-[hash].[ext]',
  publicPath: '/assets/',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Inlined into the styles, the font would be larger and delay them.
  external: [FONT],
  plugins: [markdown, reference],
};

/** Replaces the folder `target`. Throws with the messages of the bundler. */
export const buildWeb = (target = TARGET): Promise<void> => replaceFolder(target, writeWeb);

async function writeWeb(target: string): Promise<void> {
  const { outputs, metafile } = await Bun.build({ ...OPTIONS, splitting: true });
  mkdirSync(join(target, 'assets'));
  for (const output of outputs.filter(({ path }) => !path.endsWith('.css'))) {
    write(join(target, 'assets', basename(output.path)), Buffer.from(await output.arrayBuffer()));
  }
  const modules = Object.values(metafile!.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const style = libraryStyles(modules) + (await ownStyles());
  const styleName = `main-${Bun.hash.xxHash32(style).toString(16).padStart(8, '0')}.css`;
  write(join(target, 'assets', styleName), Buffer.from(style));
  write(join(target, FONT), readFileSync(Bun.resolveSync(FONT_SOURCE, ROOT)));
  write(join(target, 'assets/icon.svg'), readFileSync(join(ROOT, 'icon.svg')));
  writePages(target, styleName, metafile!);
}

/** The styles of all pages in one file: bundled with lazy pages, each page repeats shared ones. */
async function ownStyles(): Promise<string> {
  const { outputs } = await Bun.build(OPTIONS);
  return outputs.find(({ path }) => path.endsWith('.css'))!.text();
}

/** Writes the page, and for each path one that preloads the path's own code too (pages.ts). */
function writePages(target: string, styleName: string, metafile: Bun.BuildMetafile): void {
  const chunks = Object.entries(metafile.outputs);
  const chunkOf = (...modules: readonly string[]) =>
    basename(
      chunks.find(([, { entryPoint }]) => modules.some((end) => entryPoint?.endsWith(end)))![0],
    );
  const entry = chunkOf('web/main.tsx');
  const icon = readFileSync(join(ROOT, 'icon.svg'), 'utf8').trim();
  const page = readFileSync(join(ROOT, 'index.html'), 'utf8')
    .replace('<!-- icon -->', icon.replace('<svg', '<svg aria-hidden="true"'))
    .replace('<!-- style -->', `<link rel="stylesheet" href="/assets/${styleName}">`)
    .replace('<!-- script -->', `<script type="module" src="/assets/${entry}"></script>`);
  const writePage = (name: string, first: readonly string[]) => {
    const preloads = chunksOf(first, metafile).map(
      (chunk) => `<link rel="modulepreload" href="/assets/${chunk}">`,
    );
    writeFileSync(join(target, name), page.replace('<!-- preload -->', preloads.join('\n    ')));
  };
  writePage('index.html', [entry]);
  for (const path of PAGE_PATHS) {
    writePage(`${path}.html`, [entry, chunkOf(`/${path}/page.tsx`, `/${path}-page.tsx`)]);
  }
}

/** The chunks with all that they import, which the browser would discover level after level. */
function chunksOf(first: readonly string[], { outputs }: Bun.BuildMetafile): readonly string[] {
  const needed = new Set(first);
  const known = new Map(Object.entries(outputs).map(([path, chunk]) => [basename(path), chunk]));
  for (const name of needed) {
    for (const { kind, path } of known.get(name)!.imports) {
      if (kind === 'import-statement' && path.endsWith('.js')) needed.add(basename(path));
    }
  }
  return [...needed];
}

function write(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes);
  if (!COMPRESSED.test(path)) return;
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, BROTLI));
}

if (import.meta.main) await buildWeb();
