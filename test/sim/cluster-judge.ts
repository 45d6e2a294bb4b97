// The verdict about a simulated cluster: its journal, the files and the identity of every node, and
// what callers were told, all tell the same story.
import { expect } from 'bun:test';
import { rowsOf } from '../../src/identity/storage/change.ts';
import { FileJournalReader } from '../../src/journal/file-journal-reader.ts';
import { lastSeqOf } from '../../src/journal/journal.ts';
import { nextChainHash } from '../../src/journal/record.ts';
import { copyFaults, type NodeCopy } from '../harness/checker.ts';
import { JournalAudit } from '../harness/journal-audit.ts';
import { sorted } from '../support/memory-store.ts';
import type { Callers } from './callers.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/** The column of the audit log. */
const AUDIT_DETAILS = 9;

/** Returns how many commands were done in slices. */
export async function judge(
  cluster: SimulatedCluster,
  callers: Callers<ClusterNode>,
): Promise<number> {
  const { nodes, shared, hashes } = cluster;
  const audit = new JournalAudit({ hashes });
  expect(audit.apply(shared.records, callers.calls)).toEqual([]);
  const copies = await Promise.all(nodes.map(copyOf));
  expect(copyFaults(copies, audit)).toEqual([]);
  for (const node of nodes) {
    expect(node.failures).toEqual([]);
    requireSameIdentity(node, cluster);
  }
  const log = rowsOf('audit_log', shared.identity.rows);
  const details = log.map((row) => Buffer.from(JSON.parse(row)[AUDIT_DETAILS], 'hex'));
  callers.judge(audit, details.map(String));
  return audit.inSlices;
}

/** The end of the node's files, and its state. */
async function copyOf({ name, disk, node }: ClusterNode): Promise<NodeCopy> {
  const reader = new FileJournalReader(disk.mount());
  let seq = 0;
  let chainHash: Uint8Array = new Uint8Array(32);
  for await (const records of reader.read(1)) {
    for (const record of records) {
      seq = lastSeqOf(record);
      chainHash = nextChainHash(chainHash, record);
    }
  }
  await reader.close();
  const { exchange } = node!.services.engine;
  return { node: name, seq, chainHash, stateHash: exchange.state.stateHash() };
}

/** The node's tables are those of the store. */
function requireSameIdentity({ node }: ClusterNode, { shared }: SimulatedCluster): void {
  const { store, replication } = node!.services.identity;
  expect(sorted(store.image(replication!.version))).toEqual(sorted(shared.identity));
}
