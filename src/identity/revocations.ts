// Revoked accesses as events: an API key, a session, or all of a suspended user's. A listener that
// keeps an access for longer than one call, such as an open websocket, closes it immediately.

export type Revocation =
  | { readonly type: 'keyRevoked'; readonly keyId: number }
  | { readonly type: 'sessionEnded'; readonly sessionId: number }
  | { readonly type: 'userSuspended'; readonly uid: number };

export class Revocations {
  #listener: ((revocation: Revocation) => void) | null = null;

  /** Sets the listener; there is at most one. */
  subscribe(listener: (revocation: Revocation) => void): void {
    this.#listener = listener;
  }

  emit(revocation: Revocation): void {
    this.#listener?.(revocation);
  }
}
