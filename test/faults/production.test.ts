// The production installation of docs/cluster.md works as printed: PostgreSQL fails over, and the
// database password is rotated, under load through HAProxy. Every acknowledged write is there once,
// and all nodes have the same journal and state.
import { expect, test } from 'bun:test';
import { Load } from '../harness/load.ts';
import { printedBlock } from './printed.ts';
import { NO_PRODUCTION, type NodeName, Production } from './production.ts';

const CUSTOMERS = 4;
/** Acknowledged writes after each step. */
const PROGRESS = 20;
/** The answers of a node that restarts, if HAProxy sent anybody there. */
const RESTARTING = /is starting|is stopping/;

/** The role of the nodes gets another name and password, node after node. */
async function rotatePassword(production: Production, load: Load): Promise<void> {
  await production.sql('next role', 'agio');
  const { installation } = production;
  await installation.shell('agio-1', printedBlock('cluster.md', 'next role rights'));
  for (const node of ['agio-1', 'agio-2', 'agio-3'] satisfies NodeName[]) {
    await installation.shell(node, printedBlock('cluster.md', 'next role on a node'));
    await production.restartNode(node);
    await load.progress(PROGRESS);
  }
  expect(await production.sql('sessions of the old role', 'agio')).toBe('0\n');
  await production.sql('end of the old role', 'agio');
  await load.progress(PROGRESS);
}

test.skipIf(NO_PRODUCTION)(
  'the printed installation survives a failover and a rotation',
  async () => {
    const production = await Production.start();
    try {
      const load = new Load({
        nodes: [production.balancer],
        keys: await production.openVenue(CUSTOMERS),
        operatorToken: production.operatorToken,
        seed: 1,
        prefix: 'production',
      });
      try {
        await load.progress(PROGRESS);
        await production.synchronous();
        await production.failOver();
        await load.progress(PROGRESS);
        await rotatePassword(production, load);
      } finally {
        await load.stop();
      }
      await production.check(load.calls);
      expect(load.calls.filter(({ detail }) => RESTARTING.test(detail))).toEqual([]);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${production.logs()}`, { cause: error });
    } finally {
      await production.dispose();
    }
  },
);
