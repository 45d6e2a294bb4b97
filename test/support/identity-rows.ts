// Identity as rows in memory, for tests.
import type { ClusterStore, IdentityAtSeq } from '../../src/cluster/store.ts';
import type { IdentityImage, IdentityRow, RowTarget } from '../../src/identity/storage/change.ts';
import { emptyCopy, IdentityCopy } from '../../src/identity/storage/image.ts';

class Rows implements RowTarget {
  readonly rows: IdentityRow[] = [];

  constructor(readonly head: IdentityAtSeq) {}

  take(rows: readonly IdentityRow[]): void {
    this.rows.push(...rows);
  }

  close(): void {}
}

/** All rows of the store. */
export async function imageIn(
  store: Pick<ClusterStore, 'readIdentity'>,
): Promise<IdentityAtSeq & IdentityImage> {
  const { head, rows } = await store.readIdentity((found) => new Rows(found));
  return { ...head, rows };
}

/** A copy of these rows in memory, as a node makes it of those of a store. */
export function copyOfImage({ rows, ...head }: IdentityImage): IdentityCopy {
  const copy = new IdentityCopy(head, emptyCopy(undefined));
  try {
    copy.take(rows);
    return copy;
  } catch (error) {
    copy.close();
    throw error;
  }
}
