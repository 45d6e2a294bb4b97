// Processes of nodes, as tests of stores need them: a member may lead, and nobody else.
import { type NodeProcess, THIS_RELEASE } from '../../src/cluster/members.ts';
import type { Candidate, ClusterStore, LeaseAnswer } from '../../src/cluster/store.ts';

export const candidate = (node: string, address: string): Candidate => ({
  node,
  address,
  instance: `${node} at ${address}`,
});

/** A process of this release. */
export const processOf = (
  node: string,
  address = `${node}:1`,
  changes: Partial<NodeProcess> = {},
): NodeProcess => ({
  ...candidate(node, address),
  release: '0.1.0',
  ...THIS_RELEASE,
  token: 'k:1',
  ...changes,
});

/** Makes a node a member, and asks for the lease. */
export async function acquireAs(
  store: Pick<ClusterStore, 'register' | 'acquire'>,
  node: string,
  address: string,
  ended?: string,
): Promise<LeaseAnswer> {
  await store.register(processOf(node, address), null);
  return store.acquire(candidate(node, address), ended);
}
