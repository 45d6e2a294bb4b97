// Told of every access that somebody has ended before its time: a key that was revoked, a session that was closed, a user who was
// suspended. Whoever holds on to an access beyond one call (an open websocket) listens, and lets go at once.

export type Ending =
  | { readonly type: 'keyRevoked'; readonly keyId: number }
  | { readonly type: 'sessionEnded'; readonly sessionId: number }
  | { readonly type: 'userSuspended'; readonly uid: number };

export class Endings {
  #listener: ((ending: Ending) => void) | null = null;

  /** There is one listener at most. */
  listen(listener: (ending: Ending) => void): void {
    this.#listener = listener;
  }

  tell(ending: Ending): void {
    this.#listener?.(ending);
  }
}
