// A failover of PostgreSQL itself: its primary is killed under load, and Patroni promotes the
// standby, again and again.
import { expect, test } from 'bun:test';
import { inDirectory } from '../crash/server-process.ts';
import { runFailovers } from './failovers.ts';
import { NO_PATRONI } from './patroni.ts';

const FAILOVERS = 2;

test.skipIf(NO_PATRONI)('a cluster survives the failovers of its PostgreSQL', () =>
  inDirectory(async (directory) => {
    const report = await runFailovers({ failovers: FAILOVERS, seed: 1, directory });
    expect(report.failovers).toHaveLength(FAILOVERS);
    expect(report.acknowledged).toBeGreaterThan(100 * FAILOVERS);
  }),
);
