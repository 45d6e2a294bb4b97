// The clOrdId of an order without one: `api_<uid>_<id>`. It follows from two numbers, so the state
// and the answers keep it as an empty text, and it is spelled out where somebody reads it; making
// it for every order would cost a tenth of the core.

const prefixes: string[] = [];

/** The constant half, made once per user: every report names one. */
function prefixOf(uid: number): string {
  prefixes[uid] ??= `api_${uid}_`;
  return prefixes[uid];
}

/** `id`: the order's, or the number of a cancel request, which is drawn from the same counter. */
export const generatedClOrdId = (uid: number, id: number): string => prefixOf(uid) + id;

/** The id that a user's clOrdId may have been generated from; null where it certainly was not. */
export function generatedFrom(uid: number, clOrdId: string): number | null {
  const prefix = prefixOf(uid);
  return clOrdId.startsWith(prefix) ? Number(clOrdId.slice(prefix.length)) : null;
}

/** The clOrdId that was given, or else the generated one. */
export const clOrdIdOf = (uid: number, id: number, given: string): string =>
  given !== '' ? given : generatedClOrdId(uid, id);
