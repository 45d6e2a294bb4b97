// The SDK as a package: one file that runs in Node, Bun and a browser, and types that a strict
// compiler accepts.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSdk } from '../../src/sdk/build.ts';
import { browserTest, openBrowser } from '../support/browser.ts';
import { TestNode } from '../support/node.ts';
import { compile, run } from '../support/program.ts';
import { PATIENCE_MS } from '../support/waiting.ts';
import { closedUrl } from './fake-server.ts';

const TOUR = join(import.meta.dir, 'everywhere.js');
let node: TestNode;
let directory: string;
let shipped: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agio-sdk-'));
  shipped = join(directory, 'node_modules/agio-sdk');
  await buildSdk(shipped);
  node = await TestNode.start({ flags: ['--rate-limits', 'off'] });
});
afterAll(async () => {
  await node.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The first of the URLs is that of a node that does not run. */
async function access(): Promise<object> {
  const { credentials } = await node.client();
  return { url: [await closedUrl(), node.url], ...credentials };
}

const EXPECTED = {
  order: ['60000.01', '0.5', true],
  held: ['30000.005', '30000.005'],
  refused: [true, 100208, '1'],
  inexact: true,
  text: "it's (1+1)*2",
  found: 1,
  streams: 2,
};

/** Runs the tour in its own process, which must end without help. */
async function tour(command: readonly string[]): Promise<unknown> {
  const program = join(directory, `${command.length}.mjs`);
  writeFileSync(
    program,
    `import * as sdk from 'agio-sdk';
     import { tour } from ${JSON.stringify(TOUR)};
     console.log(JSON.stringify(await tour(sdk, ${JSON.stringify(await access())})));`,
  );
  const { stdout, ...ended } = await run([...command, program], { timeoutMs: PATIENCE_MS });
  expect(ended).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

/** Node has had a global WebSocket since version 22, and before it behind a switch. */
const NODE_MAJOR = Number(
  new TextDecoder()
    .decode(Bun.spawnSync(['node', '-p', 'process.versions.node']).stdout)
    .split('.')[0],
);
const WITH_WEBSOCKET = NODE_MAJOR < 22 ? ['--experimental-websocket'] : [];

test('in Node', async () => {
  expect(await tour(['node', ...WITH_WEBSOCKET])).toEqual(EXPECTED);
});

test.skipIf(NODE_MAJOR >= 22)(
  'in Node without a WebSocket, with a clear word about it',
  async () => {
    expect(await tour(['node'])).toEqual({ ...EXPECTED, streams: true });
  },
);

test('in Bun', async () => {
  expect(await tour([process.execPath])).toEqual(EXPECTED);
});

browserTest('in a page of another origin', async () => {
  const files: Readonly<Record<string, string>> = {
    '/sdk.js': readFileSync(join(shipped, 'index.js'), 'utf8'),
    '/tour.js': readFileSync(TOUR, 'utf8'),
  };
  const pages = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const script = files[new URL(request.url).pathname];
      const type = script === undefined ? 'text/html' : 'text/javascript';
      return new Response(script ?? '<!doctype html>', { headers: { 'Content-Type': type } });
    },
  });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${pages.port}/`);
    const seen = await page.evaluate(
      async (given) => {
        const load = (path: string) => import(path);
        const [sdk, { tour }] = await Promise.all([load('/sdk.js'), load('/tour.js')]);
        return tour(sdk, given) as Promise<unknown>;
      },
      await access(),
    );
    expect(seen).toEqual(EXPECTED);
  } finally {
    await browser.close();
    await pages.stop(true);
  }
});

test('npm packs all its files and no others', () => {
  const { stdout } = Bun.spawnSync(['npm', 'pack', '--dry-run', '--json', shipped], {
    cwd: directory,
  });
  const [{ name, files }] = JSON.parse(new TextDecoder().decode(stdout)) as [
    { name: string; files: { path: string }[] },
  ];
  expect(name).toBe('agio-sdk');
  const packed = files.map(({ path }) => path).filter((path) => !path.startsWith('types/'));
  expect(packed.sort()).toEqual(['LICENSE', 'index.js', 'package.json']);
  expect(files.map(({ path }) => path)).toContain('types/index.d.ts');
});

test('the types are complete and reject invalid requests', async () => {
  const project = join(directory, 'project');
  mkdirSync(project);
  writeFileSync(
    join(project, 'program.ts'),
    `import { AgioClient, OrderNotFound, decimal, type Order } from 'agio-sdk';
const client = new AgioClient({ url: 'http://127.0.0.1:8080' });
export async function use(): Promise<string> {
  const order = { symbol: 'A-B', side: 1, ordType: 2, price: '1', orderQty: 2n } as const;
  const { orderId } = await client.createOrder(order);
  for await (const order of client.allOrders({ type: 'OPEN' })) {
    const row: Order = order;
    if (row.orderId === orderId) return decimal.add(row.cumQty, row.leavesQty);
  }
  for await (const { data } of client.streams.orders()) return data[0]?.avgPx ?? '0';
  try {
    await client.cancelOrder({ orderId });
  } catch (error) {
    if (error instanceof OrderNotFound) return error.message;
  }
  // @ts-expect-error There is no third side.
  await client.createOrder({ symbol: 'A-B', side: 3, ordType: 2 });
  // @ts-expect-error A field that is misspelt.
  await client.orders({ type: 'OPEN', clOrderId: 'x' });
  return '';
}
`,
  );
  const config = {
    compilerOptions: {
      ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: [] },
      ...{ lib: ['es2023', 'dom'], exactOptionalPropertyTypes: true },
    },
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  const { code, stdout } = await compile(['--project', project]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
});
