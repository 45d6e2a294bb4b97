// The part of a venue that only the database of its cluster has: identity, and the commands that
// came after those of its journal files.
import type { ClusterStore } from '../cluster/store.ts';
import type { IdentityImage } from '../identity/storage/change.ts';

export interface SharedVenue {
  readonly store: Pick<ClusterStore, 'read' | 'setAside'>;
  /** Read before the journal, so that every user of it is in the journal. */
  readonly image: IdentityImage;
}
