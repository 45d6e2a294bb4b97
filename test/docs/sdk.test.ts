// The programs in docs/sdk.md compile against the SDK.
import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, ROOT } from '../support/program.ts';

const BLOCK = /^```ts\n([\s\S]*?)^```$/gm;

const NAMES =
  'AgioClient, InsufficientBalance, InvalidRequest, OutcomeUnknown, UserCenterClient, decimal';

/** A block without imports continues the one above it. */
const moduleOf = (code: string): string =>
  code.includes('import ')
    ? code
    : `import * as sdk from 'agio/sdk';
import { ${NAMES} } from 'agio/sdk';
declare const client: AgioClient;
export const used = [sdk, ${NAMES}];
${code}`;

test('every program in docs/sdk.md compiles', async () => {
  const document = readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8');
  const blocks = [...document.matchAll(BLOCK)].map(([, code]) => code!);
  expect(blocks.length).toBeGreaterThan(6);
  // Below the root, where the compiler finds the types of Bun.
  mkdirSync(join(ROOT, 'test-artifacts'), { recursive: true });
  const directory = mkdtempSync(join(ROOT, 'test-artifacts/sdk-'));
  try {
    for (const [i, code] of blocks.entries()) {
      writeFileSync(join(directory, `block-${i}.mts`), moduleOf(code));
    }
    const config = { extends: '../../tsconfig.json', include: ['*.mts'] };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
    const { code, stdout } = await compile(['--project', directory]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
