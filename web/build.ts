// Bundles the web UI into dist/web: scripts and styles with a hash in their names, each also
// compressed, and the page that loads them. npm runs it after `npm ci` and before `npm start`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = import.meta.dir;
const TARGET = join(ROOT, '../dist/web');
/** As base.css names it, and where it comes from. */
const FONT = '/assets/inter.woff2';
const FONT_SOURCE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
/** Higher qualities take seconds and save two percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const COMPRESSED = /\.(js|css|svg|html)$/;

/** A document of the repository is imported as HTML; it is our own text, so it needs no cleaning. */
const markdown: Bun.BunPlugin = {
  name: 'markdown',
  setup(build) {
    build.onLoad({ filter: /\.md$/ }, ({ path }) => ({
      contents: Bun.markdown.html(readFileSync(path, 'utf8'), { headings: true, tables: true }),
      loader: 'text',
    }));
  },
};

/** Builds everything into `target`; throws with the bundler's messages where something does not fit. */
export async function buildWeb(target = TARGET): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(ROOT, 'main.tsx')],
    target: 'browser',
    splitting: true,
    minify: true,
    naming: '[name]-[hash].[ext]',
    publicPath: '/assets/',
    define: { 'process.env.NODE_ENV': '"production"' },
    // The font stays a file: as text in the styles it would be larger, and hold them up.
    external: [FONT],
    plugins: [markdown],
  });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'assets'), { recursive: true });
  let style = '';
  let entry = '';
  const scripts = new Map<string, string>();
  for (const output of outputs) {
    const name = basename(output.path);
    if (name.endsWith('.css')) {
      // The bundler leaves it to us to load the styles of lazy pages; they are few, so all come as one. Those of
      // the libraries go first.
      const text = await output.text();
      style = name.startsWith('main-') ? text + style : style + text;
      continue;
    }
    if (output.kind === 'entry-point') entry = name;
    if (name.endsWith('.js')) scripts.set(name, await output.text());
    write(join(target, 'assets', name), new Uint8Array(await output.arrayBuffer()));
  }
  const styleName = `main-${Bun.hash.xxHash32(style).toString(16).padStart(8, '0')}.css`;
  write(join(target, 'assets', styleName), Buffer.from(style));
  write(join(target, FONT), readFileSync(Bun.resolveSync(FONT_SOURCE, ROOT)));
  write(join(target, 'assets/icon.svg'), readFileSync(join(ROOT, 'icon.svg')));
  const icon = readFileSync(join(ROOT, 'icon.svg'), 'utf8').trim();
  const page = readFileSync(join(ROOT, 'index.html'), 'utf8')
    .replace('<!-- preload -->', preloads(entry, scripts).join('\n    '))
    .replace('<!-- icon -->', icon.replace('<svg', '<svg aria-hidden="true"'))
    .replace('<!-- style -->', `<link rel="stylesheet" href="/assets/${styleName}">`)
    .replace('<!-- script -->', `<script type="module" src="/assets/${entry}"></script>`);
  writeFileSync(join(target, 'index.html'), page);
}

/** Asks for all that the entry imports at once, where the browser would find out one level after another. */
function preloads(entry: string, scripts: ReadonlyMap<string, string>): string[] {
  const transpiler = new Bun.Transpiler({ loader: 'js' });
  const needed = new Set([entry]);
  for (const name of needed) {
    for (const { kind, path } of transpiler.scanImports(scripts.get(name)!)) {
      if (kind === 'import-statement') needed.add(basename(path));
    }
  }
  return [...needed].map((name) => `<link rel="modulepreload" href="/assets/${name}">`);
}

function write(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes);
  if (!COMPRESSED.test(path)) return;
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, BROTLI));
}

if (import.meta.main) await buildWeb();
