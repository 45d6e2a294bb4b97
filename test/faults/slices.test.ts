// Failovers between two slices of one order, against a real cluster.
import { expect, test } from 'bun:test';
import { inDirectory } from '../harness/server-process.ts';
import { NO_POSTGRES } from '../support/postgres.ts';
import { runSliceFailovers } from './slice-failovers.ts';

const FAILOVERS = 6;

test.skipIf(NO_POSTGRES)('an order that a failover divides is whole, once, on every node', () =>
  inDirectory(async (directory) => {
    const progress = (): void => {};
    const report = await runSliceFailovers({ failovers: FAILOVERS, seed: 1, directory, progress });
    expect(report.killsBetween + report.handoversBetween).toBeGreaterThan(0);
    expect(report.whole).toBeGreaterThan(FAILOVERS / 2);
    expect(report.acknowledged).toBeGreaterThan(10 * FAILOVERS);
  }),
);
