// The master key comes from the environment or from a file that only its owner reads.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadMasterKeys, masterKeyFile, parseMasterKeys } from './master-key.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agio-master-key-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('master key text', () => {
  test('hex, base64 and base64url of the same bytes are the same key', () => {
    const bytes = randomBytes(32);
    const texts = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
    const kids = texts.map((text) => parseMasterKeys(text)?.[0]?.kid);
    expect(new Set(kids).size).toBe(1);
    expect(kids[0]).toMatch(/^[0-9a-f]{12}$/);
  });

  test('several keys keep their order, and a repeated one counts once', () => {
    const [a, b] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64')];
    const [kidA, kidB] = [a, b].map((text) => parseMasterKeys(text)?.[0]?.kid);
    expect(parseMasterKeys(`${a}, ${b},${a}\n`)?.map((key) => key.kid)).toEqual([kidA!, kidB!]);
  });

  test.each(['', 'short', 'ab'.repeat(31), 'zz'.repeat(32), `${'ab'.repeat(32)},`])(
    '%p is no master key',
    (text) => expect(parseMasterKeys(text)).toBeUndefined(),
  );
});

describe('loading', () => {
  test('the environment wins, and no file is made', () => {
    const configured = randomBytes(32).toString('hex');
    expect(loadMasterKeys({ configured, dataDir, mayCreate: true })).toHaveLength(1);
    expect(existsSync(masterKeyFile(dataDir))).toBe(false);
  });

  test('a bad text is rejected without being repeated', () => {
    const load = () => loadMasterKeys({ configured: 'hunter2', dataDir, mayCreate: true });
    expect(load).toThrow(/^AGIO_MASTER_KEY is not a master key(?!.*hunter2)/);
  });

  test('the sandbox makes a 0600 file once and reads it from then on', () => {
    const source = { configured: null, dataDir, mayCreate: true };
    const first = loadMasterKeys(source);
    const file = masterKeyFile(dataDir);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.tmp`)).toBe(false);
    const content = readFileSync(file, 'utf8');
    expect(loadMasterKeys(source)[0]?.kid).toBe(first[0]!.kid);
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(loadMasterKeys({ ...source, mayCreate: false })).toHaveLength(1);
  });

  test('without permission to create one, a missing key is rejected', () => {
    const load = () => loadMasterKeys({ configured: null, dataDir, mayCreate: false });
    expect(load).toThrow('set AGIO_MASTER_KEY');
  });

  test('a file that others can read is rejected with the remedy', () => {
    const file = masterKeyFile(dataDir);
    writeFileSync(file, randomBytes(32).toString('hex'));
    for (const mode of [0o644, 0o640, 0o602]) {
      chmodSync(file, mode);
      const load = () => loadMasterKeys({ configured: null, dataDir, mayCreate: true });
      expect(load).toThrow(`chmod 600 ${file}`);
    }
  });

  test('no fresh key is made beside secrets that another key sealed', () => {
    writeFileSync(join(dataDir, 'identity.db'), 'sealed');
    const load = () => loadMasterKeys({ configured: null, dataDir, mayCreate: true });
    expect(load).toThrow('set AGIO_MASTER_KEY as before');
    expect(existsSync(masterKeyFile(dataDir))).toBe(false);
  });
});
