// The views of a server, read from outside.
import { Database, SQLiteError } from 'bun:sqlite';
import { viewsPath } from '../../src/views/view-store.ts';

/** The position and state of a node's views, which its follower thread makes of its own files. */
export function viewsOf(dataDir: string): {
  readonly seq: number;
  readonly stateHash: string;
} {
  try {
    using views = new Database(viewsPath(dataDir), { readonly: true });
    const meta = views.query<{ seq: number; stateHash: string }, []>(
      'SELECT appliedSeq AS seq, stateHash FROM meta',
    );
    return meta.get() ?? NO_VIEWS;
  } catch (error) {
    // The follower has yet to make the file, has it alone, or has no tables in it yet.
    if (error instanceof SQLiteError) return NO_VIEWS;
    throw error;
  }
}

const NO_VIEWS = { seq: -1, stateHash: '' };
