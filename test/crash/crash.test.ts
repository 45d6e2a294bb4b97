// Ten crash rounds with every test run; a hundred and more by `npm run crash`.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCrashRounds } from './rounds.ts';

const ROUNDS = 10;

test('what was acknowledged survives SIGKILL under load, exactly once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agio-crash-'));
  try {
    const report = await runCrashRounds({ rounds: ROUNDS, seed: 1, dataDir, progress: () => {} });
    expect(report.rounds).toBe(ROUNDS);
    expect(report.acknowledged).toBeGreaterThan(ROUNDS);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 300_000);
