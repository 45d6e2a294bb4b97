// Builds of one checkout at the same time: a server that starts or runs meanwhile has whole pages,
// all of one build.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_PATHS } from '../../src/contract/pages.ts';
import { ApiDocuments } from '../../src/gateway/http/api-documents.ts';
import { WebPages } from '../../src/gateway/http/web-pages.ts';
import { Place } from '../support/cli.ts';
import { TestNode } from '../support/node.ts';

const ROOT = join(import.meta.dir, '../..');
const node = TestNode.forFile();
const documents = new ApiDocuments('');

/** Two processes that build, and their messages. */
function buildTwice(...command: string[]) {
  const builds = ['a', 'b'].map((id) =>
    Bun.spawn([process.execPath, ...command, id], { cwd: ROOT, stderr: 'pipe' }),
  );
  const errors = Promise.all(builds.map(({ stderr }) => new Response(stderr).text()));
  return { errors, run: () => builds.some(({ exitCode }) => exitCode === null) };
}

/** The answers of a server that starts now. */
function starting(directory: string): (path: string) => Promise<string | undefined> {
  const pages = new WebPages({ directory, mode: 'sandbox', documents });
  return async (path) => pages.respond(new Request(`http://localhost${path}`), path)?.text();
}

test('two builds of the checkout take no page from a server that starts or runs', async () => {
  const running = async (path: string) => (await fetch(node.url + path)).text();
  const builds = buildTwice('web/build.ts');
  while (builds.run()) {
    for (const answer of [starting(join(ROOT, 'dist/web')), running]) {
      for (const path of PAGE_PATHS) {
        const page = await answer(`/${path}`);
        expect(page).toContain('<div id="root">');
        const [script] = /\/assets\/main-[^"]+\.js/.exec(page!)!;
        expect(await answer(script)).toContain('import');
      }
    }
    await Bun.sleep(50);
  }
  expect(await builds.errors).toEqual(['', '']);
});

test('a server that starts while builds replace each other has the pages of one', async () => {
  using place = new Place();
  const directory = place.path('dist/web');
  const script = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { replaceFolder } from '${ROOT}/build-files.ts';
    for (let i = 0; i < 200; i++) {
      await replaceFolder('${directory}', (folder) => {
        mkdirSync(folder + '/assets');
        for (const name of ['trade.html', 'assets/main.js', 'index.html']) {
          writeFileSync(folder + '/' + name, process.argv.at(-1) + i);
        }
      });
    }`;
  const builds = buildTwice('-e', script);
  const seen = new Set<string | undefined>();
  while (builds.run()) {
    const answer = starting(directory);
    const [page, asset] = [await answer('/trade'), await answer('/assets/main.js')];
    if (page?.includes('not built') === false || seen.size > 0) expect(page).toBe(asset);
    if (asset !== undefined) seen.add(asset);
    await Bun.sleep(0);
  }
  expect(await builds.errors).toEqual(['', '']);
  expect(seen.size).toBeGreaterThan(2);
  expect(await starting(directory)('/trade')).toMatch(/^[ab]199$/);
  expect(readdirSync(place.path('dist'))).toEqual(['web']);
});
