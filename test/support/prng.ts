// Seeded randomness for tests: a failing run is repeated from its seed alone.
import { Prng as BasePrng } from '../../src/sandbox/prng.ts';

export class Prng extends BasePrng {
  /** A natural number below `n`, which is at most 2^53. */
  override below(n: number): number {
    return n <= 2 ** 32 ? super.below(n) : Number(this.belowBig(BigInt(n)));
  }

  /** A natural number below `n` of any size. */
  belowBig(n: bigint): bigint {
    let random = 0n;
    for (let bits = 1n; bits < n << 32n; bits <<= 32n)
      random = (random << 32n) | BigInt(this.next());
    return random % n;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.next());
  }
}
