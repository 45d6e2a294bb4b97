// The headers of a request, read one by one: an order needs a dozen of them, and one object of all
// would cost more than these look-ups.

/** The part of Headers that a request needs; names are in lower case. */
export interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}
