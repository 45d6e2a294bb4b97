// Test support: every way to move bytes over the borders of path, query and body. The signed string
// has no separators, so all of these carry the same valid signature; whatever reads requests must
// accept the original only. Used by signature.test.ts and by the tests of the routes.

/** The signed parts of a request after the method, as text. */
export interface RequestParts {
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
  readonly body: string;
}

/** All other splits of the same bytes into path, query and body; the path keeps its slash. */
export function* borderMoves(parts: RequestParts): Generator<RequestParts> {
  const whole = parts.path + parts.query + parts.body;
  for (let first = 1; first <= whole.length; first++) {
    for (let second = first; second <= whole.length; second++) {
      const moved = {
        path: whole.slice(0, first),
        query: whole.slice(first, second),
        body: whole.slice(second),
      };
      if (moved.path !== parts.path || moved.query !== parts.query) yield moved;
    }
  }
}
