// Bundles the web UI into dist/web: the page, and its scripts and styles with hashed names, also
// compressed. npm runs it after `npm ci` and before `npm start`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

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

/** Builds everything into `target`. Throws with the messages of the bundler. */
export async function buildWeb(target = TARGET): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(ROOT, 'main.tsx')],
    target: 'browser',
    splitting: true,
    minify: true,
    naming: '[name]-[hash].[ext]',
    publicPath: '/assets/',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Inlined into the styles, the font would be larger and delay them.
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
      // One file has all styles, because the bundler does not load those of lazy pages. The styles
      // of the libraries come first.
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

/** Preloads all that the entry imports; the browser would discover it one level after another. */
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
