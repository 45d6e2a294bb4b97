// The newest items of a stream, up to a sum of bytes; the newest one stays however large it is.
export class Newest<T> {
  readonly #maxBytes: number;
  readonly #sizes: number[] = [];
  #bytes = 0;
  /** Oldest first. */
  readonly items: T[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(item: T, bytes: number): void {
    this.items.push(item);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.items.length > 1) {
      this.items.shift();
      this.#bytes -= this.#sizes.shift()!;
    }
  }
}
