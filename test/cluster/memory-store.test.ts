// The store in memory, with which simulated clusters run, keeps the contract of the port.
import { MemoryCluster, MemoryStore } from '../support/memory-store.ts';
import { storeContract } from '../support/store-contract.ts';

storeContract('the store in memory', async () => {
  const cluster = new MemoryCluster(() => 1_000_000);
  return {
    connect: () => new MemoryStore(cluster),
    expireLease: async () => {
      cluster.held!.renewal = '';
    },
    dispose: async () => undefined,
  };
});
