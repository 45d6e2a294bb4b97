// A command that ends each leader: after two of them no third one takes the lead, until the command
// was set aside. Then every node has the same state without it.
import { expect, spyOn, test } from 'bun:test';
import { endedLease } from '../../src/cluster/lease-watch.ts';
import { InvariantError } from '../../src/core/assert.ts';
import type { Command } from '../../src/core/command.ts';
import { amount } from '../../src/core/units.ts';
import { derivedKeys, parseMasterKeys, SNAPSHOTS } from '../../src/identity/master-key.ts';
import { signSetAside } from '../../src/journal/set-aside.ts';
import { type ClusterNode, MASTER_KEY, TestCluster } from '../support/cluster.ts';
import { until } from '../support/waiting.ts';

const POISON = 'poison';
const [KEY] = derivedKeys(parseMasterKeys(MASTER_KEY)!, SNAPSHOTS);

/** Makes the node's core break an invariant at a credit with this reference. */
function makeVulnerable({ node }: ClusterNode): void {
  const { exchange } = node.services.engine;
  const requireHarmless = (command: Command): Command => {
    const isPoison = command.type === 'transferFunds' && command.reference === POISON;
    if (isPoison) throw new InvariantError('this command is poisonous');
    return command;
  };
  const applyNext = exchange.applyNext.bind(exchange);
  spyOn(exchange, 'applyNext').mockImplementation((seq, time, command) =>
    applyNext(seq, time, requireHarmless(command)),
  );
  const applyRecord = exchange.applyRecord.bind(exchange);
  spyOn(exchange, 'applyRecord').mockImplementation((header, commands, each) => {
    applyRecord(header, [...commands].map(requireHarmless), each);
  });
}

test('two leaders fall, the third node waits, and leads without the command', async () => {
  await using cluster = await TestCluster.start(['a', 'b', 'c']);
  const [a, b, c] = cluster.nodes as [ClusterNode, ClusterNode, ClusterNode];
  const uid = await a.node.user();
  await cluster.settled();
  for (const one of cluster.nodes) makeVulnerable(one);
  const { assetId } = a.node.state.assetNamed('BTC')!;
  const terms = {
    direction: 'credit',
    uid,
    assetId,
    amount: amount(1),
    reference: POISON,
  } as const;
  const credit = a.node.services.engine.submit({ type: 'transferFunds', ...terms });
  await expect(credit).rejects.toThrow('An invariant is broken');
  cluster.kill(a);
  const seq = a.node.seq + 1;
  const [first, second] = [b, c].map(({ node }) => node);
  await until(() => first!.failures.length + second!.failures.length > 0);
  const [fallen, left] = first!.failures.length > 0 ? [b, c] : [c, b];
  cluster.kill(fallen);

  const waits = () => left.node.services.cluster!.status().role === 'none';
  await until(waits);
  const { epoch } = cluster.shared.held!;
  const asked = spyOn(left.store, 'setAside');
  await until(() => asked.mock.calls.length > 2);
  expect([left.node.failures, cluster.shared.held!.epoch]).toEqual([[], epoch]);

  const record = cluster.shared.records.at(-1)!;
  const chainHash = Buffer.from(record.chainHash).toString('hex');
  const facts = {
    seq,
    part: 0,
    chainHash,
    command: `transferFunds of account ${uid}`,
    time: 1,
    reason: '',
  };
  const ended = await endedLease(left.store);
  await left.store.addSetAside(signSetAside(KEY!, facts), ended);
  await until(() => left.node.services.cluster!.leads);
  await left.node.must({ type: 'createAsset', asset: 'SOL', scale: 8, fiat: false });
  expect(left.node.failures).toEqual([]);
  await until(() => left.node.services.identity.audit.has('journal.skip', `seq:${seq}`));

  const { node: again } = await cluster.add('d');
  await until(() => again.seq === cluster.shared.head.seq);
  expect(again.state.stateHash()).toBe(left.node.state.stateHash());
  for (const { node } of [a, fallen]) await node.stop().catch(() => undefined);
});
