// The part of a venue that only the database of its cluster has: identity, and the commands that
// came after those of its journal files.
import type { ClusterStore, IdentityAtSeq } from '../cluster/store.ts';
import type { IdentityCopy } from '../identity/storage/image.ts';

export interface SharedVenue {
  readonly store: Pick<ClusterStore, 'read' | 'setAside'>;
  /** The journal counts up to the moment of this identity. */
  readonly identity: IdentityCopy<IdentityAtSeq>;
}
