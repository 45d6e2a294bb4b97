// Runs the code of the pages as shown: each language, against a server that was just started.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Module } from '../../src/sdk/index.ts';
import { TestNode, TRADING } from '../../test/support/node.ts';
import { firstRequest } from '../keys/first-request.ts';
import { quickstart } from './quickstart.ts';
import {
  languages,
  type SampleKey,
  type SampleLanguage,
  sampleOf,
  signedRequest,
} from './samples.ts';

const node = TestNode.forFile();
const directory = mkdtempSync(join(tmpdir(), 'samples-'));
let key: SampleKey;
beforeAll(async () => {
  const { credentials } = await node.client(
    { USDT: '1000', BTC: '1' },
    { moduleIds: [...TRADING, 1, 2, 3, 4] },
  );
  key = { url: node.url, ...credentials };
});
afterAll(() => rmSync(directory, { recursive: true }));

/** How the pages say to run it. */
const COMMANDS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  curl: (file) => ['sh', file],
  TypeScript: (file) => [process.execPath, file],
  Python: (file) => ['python3', file],
};
const canRun = ({ name }: SampleLanguage): boolean =>
  name !== 'Python' || Bun.which('python3') !== null;

/** The lines that the code prints. */
async function run({ name }: SampleLanguage, text: string): Promise<string> {
  const file = join(directory, name === 'TypeScript' ? 'agio.mts' : `agio.${name}`);
  writeFileSync(file, text);
  const { stdout, exited } = Bun.spawn([...COMMANDS[name]!(file)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const printed = await new Response(stdout).text();
  expect(await exited).toBe(0);
  return printed.trim();
}

describe.each(languages.filter(canRun).map((language) => [language.name, language] as const))(
  '%s',
  (_, language) => {
    test('the steps of the quickstart read the balances and check an order', async () => {
      const steps = quickstart(language, key, 'BTC-USDT');
      const printed = await run(language, steps.map(({ code }) => code).join('\n\n'));
      expect(printed).toContain('"asset":"USDT"');
      expect(printed).not.toContain('"msg"');
    });

    test('a query and a body are signed as they are sent', async () => {
      const order =
        '{"symbol":"BTC-USDT","side":1,"ordType":2,"price":1.5,\n' +
        '"orderQty":0.1,"clOrdId":"it\'s"}';
      const { method, path } = firstRequest([6]);
      const made = await run(language, sampleOf(language, signedRequest(method, path, order), key));
      expect(made).not.toContain('"100401"');
      const orders = signedRequest('GET', '/spot-api/api/private/v1/orders?type=OPEN&size=2');
      expect(await run(language, sampleOf(language, orders, key))).toContain('"data":[]');
    });

    test('a public call has no signature, and a wrong secret is rejected', async () => {
      const time = { ...signedRequest('GET', '/spot-api/api/public/v1/time'), isSigned: false };
      const code = sampleOf(language, time, key);
      expect(code).not.toContain(key.apiKey);
      expect(await run(language, code)).toContain('"businessTime"');
      const wrong = { ...key, secretKey: 'ff'.repeat(32) };
      const { method, path, body } = firstRequest([5]);
      const answer = await run(
        language,
        sampleOf(language, signedRequest(method, path, body), wrong),
      );
      expect(answer).toContain('"100401"');
      const header = { name: 'Authorization', prefix: 'Bearer ' };
      const bearer = { ...time, header, target: '/operator/v1/clock' };
      const operator = { ...key, secretKey: node.operatorToken };
      expect(await run(language, sampleOf(language, bearer, operator))).toContain('"offset"');
    });
  },
);

test.each<{ moduleIds: readonly Module[] }>(
  [[5], [6], [5, 6], [1], [2], [3, 6], [4]].map((moduleIds) => ({
    moduleIds: moduleIds as Module[],
  })),
)('the first request of a key with $moduleIds changes nothing', ({ moduleIds }) => {
  const { method, path } = firstRequest(moduleIds);
  expect(method === 'GET' || path.endsWith('/testorder')).toBe(true);
});
