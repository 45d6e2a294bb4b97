// Parts of an address, decoded.

/** Decodes a part of an address; returns a malformed part unchanged. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
