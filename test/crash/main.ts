// `npm run crash -- --rounds 100 --seed 1`: the crash rounds on demand. Uses and removes a directory of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCrashRounds } from './rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const dataDir = mkdtempSync(join(tmpdir(), 'agio-crash-'));
const started = performance.now();
try {
  const report = await runCrashRounds({
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    dataDir,
    progress: (line) => console.log(line),
  });
  const sorted = report.recoveryMs.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!)} ms`;
  console.log(
    [
      '',
      `${report.rounds} kills in ${Math.round((performance.now() - started) / 1000)} s, seed ${values.seed}`,
      `${report.acknowledged} acknowledged writes: each there exactly once`,
      `${report.unknown} unanswered writes: ${report.unknownDone} entirely there, the others not at all`,
      `start after a kill: median ${at(0.5)}, 99 % ${at(0.99)}`,
      'all sums hold; agio verify is clean',
    ].join('\n'),
  );
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
