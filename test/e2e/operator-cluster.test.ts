// The console's page of a cluster, with a leader's answers in place of the server's: nodes, lag and
// the handover. A single machine shows nothing of it.
import { expect } from 'bun:test';
import type { Cluster } from '../../src/sdk/index.ts';
import { browserTest, type Tab } from '../support/browser.ts';
import { withStage } from '../support/browser-people.ts';

const NODES = ['agio-1', 'agio-2', 'agio-3'] as const;
const BEGAN = Date.UTC(2026, 10, 22, 9, 30);

let operator: Tab;
let leader: string = NODES[0];
let epoch = 7;

withStage(async (stage) => {
  operator = await stage.console();
});

function cluster(): Cluster {
  const others = NODES.filter((node) => node !== leader);
  return {
    ...{ mode: 'cluster', leader, epoch, since: BEGAN, rules: 1, newRules: 1 },
    ...{ standbys: 1, standbysLost: 0, otherTokens: [], trouble: null, reason: null },
    nodes: [leader, ...others].map((node, at) => ({
      ...{ node, address: `${node}:7400`, role: node === leader ? 'leader' : 'follower' },
      ...{ release: '0.1.0', rules: 1, lastSeen: BEGAN + 1000 },
      ...{ seq: 120_443 - 2 * at, lag: 2 * at, connectedSince: at === 0 ? null : BEGAN + at },
    })),
  };
}

/** Answers as a leader of three nodes does; a handover takes until the second look. */
async function becomeCluster(): Promise<void> {
  const { page } = operator;
  await page.route('**/metrics', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}agio_cluster_epoch 7\n` });
  });
  await page.route('**/operator/v1/cluster', (route) => route.fulfill({ json: cluster() }));
  await page.route('**/operator/v1/cluster/lead', async (route) => {
    const { node } = route.request().postDataJSON() as { node: string };
    await route.fulfill({ json: { node, epoch } });
    setTimeout(() => {
      leader = node;
      epoch++;
    });
  });
}

const main = () => operator.page.getByRole('main');
const row = (node: string) => main().getByRole('row', { name: new RegExp(`^${node} `) });

browserTest('a single machine shows nothing of a cluster', async () => {
  await operator.visit('/operator/system');
  await main().getByText('Memory').waitFor();
  expect(await main().getByRole('link', { name: 'Cluster' }).count()).toBe(0);
  await operator.visit('/operator/system/cluster');
  await main().getByText('Page not found').waitFor();
  await main().getByRole('link', { name: 'Go to the overview' }).click();
  await main().getByRole('heading', { name: 'Overview' }).waitFor();
});

browserTest('the lead goes to another node after a question', async () => {
  await becomeCluster();
  await operator.visit('/operator/system');
  await main().getByRole('link', { name: 'Cluster' }).click();
  await row('agio-1').getByText('Leader').waitFor();
  expect(await row('agio-3').innerText()).toContain('120,439');
  expect(await row('agio-1').getByRole('button').count()).toBe(0);
  expect(await operator.accessibility()).toEqual([]);
  await operator.screenshot('journey-cluster');
  await main().getByRole('button', { name: 'Hand over lead to agio-2' }).click();
  const dialog = operator.page.getByRole('dialog');
  await dialog.getByText('agio-2 leads from now on, and agio-1 follows it.').waitFor();
  await operator.screenshot('journey-cluster-handover');
  await dialog.getByRole('button', { name: 'Hand over lead' }).click();
  await operator.page.getByText('agio-2 leads now, in term 8.').waitFor();
  await row('agio-2').getByText('Leader').waitFor();
  await operator.page.setViewportSize({ width: 360, height: 740 });
  expect(await operator.overflow()).toBeLessThanOrEqual(0);
  await operator.screenshot('journey-cluster-phone');
  expect(operator.errors).toEqual([]);
});
