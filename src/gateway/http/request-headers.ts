// The headers of a request, read once and as one object: the quickest way to the dozen of them that
// an order needs.

/** The part of Headers that a request needs; names are in lower case. */
export interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

export class ReadHeaders implements RequestHeaders {
  /** By names in lower case; no name that is asked for is one of Object.prototype. */
  readonly #values: Readonly<Record<string, string>>;

  constructor(headers: Headers) {
    this.#values = headers.toJSON();
  }

  get(name: string): string | null {
    return this.#values[name] ?? null;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }
}
