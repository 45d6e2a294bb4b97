// Runs the snippets as shown, and verifies their signatures as the server does.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../src/contract/problem.ts';
import { verifySignature } from '../../src/gateway/auth/signature.ts';
import { SigningKey } from '../../src/identity/live-key.ts';
import type { Module } from '../../src/sdk/index.ts';
import { firstRequest, type KeyInUse, shellSnippet, typescriptSnippet } from './snippets.ts';

const SECRET = '0f'.repeat(32);
const API_KEY = 'ab'.repeat(20);
const CHOICES: readonly (readonly Module[])[] = [[5], [6], [5, 6], [1], [2], [3, 6], [4]];

/** A server that verifies signatures with the real code. */
interface Arrived {
  readonly verified: ReturnType<typeof verifySignature>;
  readonly request: string;
}

let arrived: Arrived[] = [];
const listener = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    const body = new Uint8Array(await request.arrayBuffer());
    const signed = {
      apiKey: request.headers.get('exchange-api-key'),
      timestamp: request.headers.get('exchange-api-timestamp'),
      signature: request.headers.get('exchange-api-sign'),
      method: request.method,
      path: pathname,
      query: search.slice(1),
      body,
    };
    const verified = verifySignature(new SigningKey(SECRET), signed, Date.now());
    arrived.push({
      verified,
      request: `${request.method} ${pathname} ${Buffer.from(body)}`.trim(),
    });
    return new Response('understood');
  },
});
let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'snippets-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await listener.stop(true);
});

const inUse = (moduleIds: readonly Module[]): KeyInUse => ({
  url: `http://127.0.0.1:${listener.port}`,
  apiKey: API_KEY,
  secretKey: SECRET,
  moduleIds,
});

async function outputOf(command: readonly string[]): Promise<string> {
  arrived = [];
  const { stdout, exited } = Bun.spawn([...command], { stdout: 'pipe', stderr: 'inherit' });
  const text = await new Response(stdout).text();
  expect(await exited).toBe(0);
  return text.trim();
}

function expectUnderstood(moduleIds: readonly Module[], output: string): void {
  const { method, path, body } = firstRequest(moduleIds);
  expect(output).toBe('understood');
  expect(arrived).toHaveLength(1);
  expect(arrived[0]!.verified).not.toBeInstanceOf(Problem);
  expect(arrived[0]!.request).toBe(`${method} ${path} ${body}`.trim());
}

for (const moduleIds of CHOICES) {
  test(`a shell runs the request of a key with ${moduleIds}, signed as the server wants it`, async () => {
    expectUnderstood(moduleIds, await outputOf(['sh', '-c', shellSnippet(inUse(moduleIds))]));
  });

  test(`so does TypeScript, with ${moduleIds}`, async () => {
    const file = join(directory, `first-${moduleIds.join('-')}.mts`);
    writeFileSync(file, typescriptSnippet(inUse(moduleIds)));
    expectUnderstood(moduleIds, await outputOf([process.execPath, file]));
  });
}

test('a wrong secret would be noticed here', async () => {
  const wrong = { ...inUse([5]), secretKey: 'ff'.repeat(32) };
  await outputOf(['sh', '-c', shellSnippet(wrong)]);
  expect(arrived[0]!.verified).toBeInstanceOf(Problem);
});

test('nothing that is asked for changes anything', () => {
  for (const moduleIds of CHOICES) {
    const { method, path } = firstRequest(moduleIds);
    expect(method === 'GET' || path.endsWith('/testorder')).toBe(true);
  }
});
