// The tests of identity, as on the leader of a cluster.
import { MemoryCluster, MemoryStore } from '../support/memory-store.ts';
import { describeReplicated } from '../support/replicated-identity.ts';

const FILES = [
  'api-keys',
  'audit',
  'sessions',
  'user-audit',
  'users',
  'proofs/email-codes',
  'proofs/known-networks',
  'proofs/lockout',
  'proofs/proofs',
  'proofs/totp',
];

describeReplicated(
  Object.fromEntries(
    FILES.map((file) => [file, () => import(`../../src/identity/${file}.test.ts`)]),
  ),
  () => new MemoryStore(new MemoryCluster()),
);
