// Addresses as people and other sites have them.

/** A part of an address without its percent signs; of what somebody has mangled, the part as it stands, which names nothing. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
