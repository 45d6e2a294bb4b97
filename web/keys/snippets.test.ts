// Runs the snippets as shown, and verifies their signatures as the server does.
import { afterAll, expect, test } from 'bun:test';
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
const CHOICES: Module[][] = [[5], [6], [5, 6], [1], [2], [3, 6], [4]];

interface Arrived {
  readonly verified: ReturnType<typeof verifySignature>;
  readonly request: string;
}

let arrived: Arrived[] = [];
/** A server that verifies signatures with the real code. */
const listener = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { method, headers, url } = request;
    const { pathname: path, search } = new URL(url);
    const body = new Uint8Array(await request.arrayBuffer());
    const signed = {
      apiKey: headers.get('exchange-api-key'),
      timestamp: headers.get('exchange-api-timestamp'),
      signature: headers.get('exchange-api-sign'),
      ...{ method, path, query: search.slice(1), body },
    };
    const verified = verifySignature(new SigningKey(SECRET), signed, Date.now());
    arrived.push({ verified, request: `${method} ${path} ${Buffer.from(body)}`.trim() });
    return new Response('understood');
  },
});
const directory = mkdtempSync(join(tmpdir(), 'snippets-'));

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
  // It changes nothing.
  expect(method === 'GET' || path.endsWith('/testorder')).toBe(true);
}

test.each(CHOICES)('a shell sends the first request of a key with %p', async (...moduleIds) => {
  expectUnderstood(moduleIds, await outputOf(['sh', '-c', shellSnippet(inUse(moduleIds))]));
});

test.each(CHOICES)('TypeScript sends the first request of a key with %p', async (...moduleIds) => {
  const file = join(directory, `first-${moduleIds.join('-')}.mts`);
  writeFileSync(file, typescriptSnippet(inUse(moduleIds)));
  expectUnderstood(moduleIds, await outputOf([process.execPath, file]));
});

test('the server here rejects a wrong secret', async () => {
  const wrong = { ...inUse([5]), secretKey: 'ff'.repeat(32) };
  await outputOf(['sh', '-c', shellSnippet(wrong)]);
  expect(arrived[0]!.verified).toBeInstanceOf(Problem);
});
