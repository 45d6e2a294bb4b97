// Nodes that join while customers sign up: identity and journal change between any two reads.
import { expect, spyOn, test } from 'bun:test';
import { TestCluster } from '../support/cluster.ts';

/** A new store of the cluster; `change` runs right after, or before, it has read `method`. */
function storeWith(cluster: TestCluster, method: 'head' | 'readIdentity', change: () => unknown) {
  const store = cluster.store();
  const original = store[method].bind(store) as (...args: unknown[]) => Promise<never>;
  spyOn(store, method).mockImplementation(async (...args: unknown[]) => {
    await change();
    const answer = await original(...args);
    await change();
    return answer;
  });
  return store;
}

test.each(['readIdentity', 'head'] as const)(
  'a node joins while users sign up and get money around its %s',
  async (method) => {
    await using cluster = await TestCluster.start(['a']);
    const [a] = cluster.nodes.map(({ node }) => node);
    const signUp = async () => {
      const { uid } = await a!.client();
      return uid;
    };
    await signUp();
    let signedUp = 0;
    const store = storeWith(cluster, method, async () => {
      signedUp = await signUp();
    });
    const { node: b } = await cluster.add('b', { store });
    await cluster.settled();
    expect(signedUp).toBeGreaterThan(1);
    expect(b.services.identity.users.find(signedUp)).toBeDefined();
    expect(b.state.stateHash()).toBe(a!.state.stateHash());
  },
);
