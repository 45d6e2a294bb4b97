// The clOrdId of an order without one: `api_<uid>_<id>`. The state and the answers keep it as an
// empty text, since making it for every order would cost a tenth of the core.

const prefixes: string[] = [];

/** The constant half, made once per user: every report names one. */
function prefixOf(uid: number): string {
  prefixes[uid] ??= `api_${uid}_`;
  return prefixes[uid];
}

/** `id`: of the order, or of a cancel request (both from one counter). */
export const generatedClOrdId = (uid: number, id: number): string => prefixOf(uid) + id;

/** True if the core generated the clOrdId of an order; most clOrdIds are the caller's own. */
export const isGenerated = (uid: number, id: number, clOrdId: string): boolean =>
  clOrdId.startsWith(prefixOf(uid)) && clOrdId === generatedClOrdId(uid, id);

/** The id that may have generated a user's clOrdId, or null. */
export function generatedFrom(uid: number, clOrdId: string): number | null {
  const prefix = prefixOf(uid);
  return clOrdId.startsWith(prefix) ? Number(clOrdId.slice(prefix.length)) : null;
}

export const clOrdIdOf = (uid: number, id: number, given: string): string =>
  given !== '' ? given : generatedClOrdId(uid, id);
