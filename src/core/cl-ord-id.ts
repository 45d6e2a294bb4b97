// The clOrdId of whoever gave none: `api_<uid>_<id>`. It follows from two numbers, so the state and the answers keep it as
// an empty text, and it is spelled out where somebody reads it; making it for every order would cost a tenth of the core.

const prefixes: string[] = [];

/** `id`: the order's, or the number of a cancel request, which is drawn from the same counter. */
export function generatedClOrdId(uid: number, id: number): string {
  // Every report names one, so the constant half is made once per user.
  prefixes[uid] ??= `api_${uid}_`;
  return prefixes[uid] + id;
}

/** The clOrdId that was given, or else the generated one. */
export const clOrdIdOf = (uid: number, id: number, given: string): string =>
  given !== '' ? given : generatedClOrdId(uid, id);
