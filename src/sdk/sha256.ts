// HMAC-SHA256 (FIPS 180-4, RFC 2104) in plain JavaScript. The Web's own works asynchronously only, and only on pages that came
// over TLS or from this machine; signing must be possible everywhere, with nothing between a timestamp and its request.

const BLOCK = 64;
const OUTER_PAD = 0x5c;
const INNER_PAD = 0x36;
const encoder = new TextEncoder();

/** A key made ready: the two padded blocks of HMAC are hashed once. */
export class HmacKey {
  readonly #inner: Uint32Array;
  readonly #outer: Uint32Array;

  /** `secret` is used as the text that it is, in UTF-8. */
  constructor(secret: string) {
    const bytes = encoder.encode(secret);
    const key = new Uint8Array(BLOCK);
    key.set(bytes.length > BLOCK ? toBytes(digest(INITIAL, bytes, 0)) : bytes);
    this.#inner = absorb(
      INITIAL,
      key.map((byte) => byte ^ INNER_PAD),
    );
    this.#outer = absorb(
      INITIAL,
      key.map((byte) => byte ^ OUTER_PAD),
    );
  }

  /** The HMAC of a text in UTF-8, as 64 lowercase hex digits. */
  sign(message: string): string {
    const inner = toBytes(digest(this.#inner, encoder.encode(message), BLOCK));
    return toHex(toBytes(digest(this.#outer, inner, BLOCK)));
  }
}

/** The SHA-256 of a text in UTF-8, as 64 lowercase hex digits. */
export const sha256 = (message: string): string =>
  toHex(toBytes(digest(INITIAL, encoder.encode(message), 0)));

/** The first `count` primes: their roots are the constants of the standard. */
function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}

/** The first 32 bits of the fraction of the n-th root, by integers: floor(root(prime · 2^(32n))) mod 2^32. */
function rootFraction(prime: number, n: 2n | 3n): number {
  const target = BigInt(prime) << (32n * n);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** n <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const INITIAL = Uint32Array.from(primes(8), (prime) => rootFraction(prime, 2n));
const ROUNDS = Uint32Array.from(primes(64), (prime) => rootFraction(prime, 3n));
const schedule = new Uint32Array(64);

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The state after one more block. */
function absorb(state: Uint32Array, bytes: Uint8Array, offset = 0): Uint32Array {
  for (let i = 0; i < 16; i++) {
    const p = offset + i * 4;
    schedule[i] = (bytes[p]! << 24) | (bytes[p + 1]! << 16) | (bytes[p + 2]! << 8) | bytes[p + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const [w15, w2] = [schedule[i - 15]!, schedule[i - 2]!];
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    schedule[i] = schedule[i - 16]! + s0 + schedule[i - 7]! + s1;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + schedule[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  return state.map((word, i) => word + mixed[i]!);
}

/** Goes on from a state that has absorbed `before` bytes, to the end of `bytes`. */
function digest(state: Uint32Array, bytes: Uint8Array, before: number): Uint32Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const bits = (before + bytes.length) * 8;
  new DataView(padded.buffer).setUint32(padded.length - 8, Math.floor(bits / 2 ** 32));
  new DataView(padded.buffer).setUint32(padded.length - 4, bits >>> 0);
  let next = state;
  for (let offset = 0; offset < padded.length; offset += BLOCK) {
    next = absorb(next, padded, offset);
  }
  return next;
}

function toBytes(state: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  state.forEach((word, i) => {
    view.setUint32(i * 4, word);
  });
  return bytes;
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
