// The tests of identity as on the leader of a cluster, over the store in memory.
import { MemoryCluster, MemoryStore } from '../support/memory-store.ts';
import { describeReplicated } from '../support/replicated-identity.ts';

describeReplicated('the store in memory', () => new MemoryStore(new MemoryCluster()));
