// The state hash is a sum of facts: order does not matter, removing undoes adding, and facts that
// differ in anything (also only in how their words are divided into fields) have different hashes.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { StateHash } from './state-hash.ts';
import { type Amount, amount } from './units.ts';

type Field = number | string | { readonly amount: bigint };
interface FactOf {
  readonly kind: number;
  readonly fields: readonly Field[];
}

const field: fc.Arbitrary<Field> = fc.oneof(
  fc.nat(5),
  fc.maxSafeNat(),
  fc.constantFrom(0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, Number.MAX_SAFE_INTEGER),
  fc.string({ maxLength: 6 }),
  fc.bigInt(-(10n ** 30n), 10n ** 30n).map((n) => ({ amount: n })),
);
const fact: fc.Arbitrary<FactOf> = fc.record({
  kind: fc.nat(12),
  fields: fc.array(field, { minLength: 1, maxLength: 5 }),
});

function begin(hash: StateHash, { kind, fields }: FactOf): void {
  hash.begin(kind);
  for (const value of fields) {
    if (typeof value === 'number') hash.number(value);
    else if (typeof value === 'string') hash.text(value);
    else hash.amount(amount(value.amount));
  }
}

function digestOf(facts: readonly FactOf[]): string {
  const hash = new StateHash();
  for (const one of facts) {
    begin(hash, one);
    hash.add();
  }
  return hash.digest();
}

describe('a sum of facts', () => {
  test('does not depend on their order', () => {
    fc.assert(
      fc.property(fc.array(fact), fc.array(fact), (some, others) => {
        expect(digestOf([...some, ...others])).toBe(digestOf([...others, ...some]));
      }),
    );
  });

  test('forgets removed rows', () => {
    fc.assert(
      fc.property(fc.array(fact), fc.array(fact), (stay, go) => {
        const hash = new StateHash();
        for (const one of [...go, ...stay]) {
          begin(hash, one);
          hash.add();
        }
        for (const one of go) {
          begin(hash, one);
          hash.remove();
        }
        expect(hash.digest()).toBe(digestOf(stay));
      }),
    );
  });

  test('is continued by a copy without a change to the original', () => {
    const hash = new StateHash();
    begin(hash, { kind: 1, fields: [1] });
    hash.add();
    const before = hash.digest();
    const copy = hash.copy();
    begin(copy, { kind: 1, fields: [2] });
    copy.add();
    expect(hash.digest()).toBe(before);
    expect(copy.digest()).toBe(digestOf([1, 2].map((n) => ({ kind: 1, fields: [n] }))));
  });
});

describe('facts are distinguished', () => {
  test('when they differ in anything', () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(fact, (one) => {
        const name = JSON.stringify(one, (_key, v: unknown) =>
          typeof v === 'bigint' ? `${v}n` : v,
        );
        const digest = digestOf([one]);
        expect(seen.get(digest) ?? canonical(name)).toBe(canonical(name));
        seen.set(digest, canonical(name));
      }),
      { numRuns: 5_000 },
    );
  });

  /** A small amount is mixed as the number it is. */
  const canonical = (name: string): string =>
    name.replace(/\{"amount":"(\d+)n"\}/g, (whole, n: string) =>
      Number.isSafeInteger(Number(n)) ? n : whole,
    );

  test('when neighbouring numbers have the same digits', () => {
    const two = (a: number, b: number): string => digestOf([{ kind: 1, fields: [a, b] }]);
    const words = [0, 1, 5, 2 ** 30 - 1, 2 ** 30, 2 ** 30 + 5, 2 ** 31, 2 ** 32 + 5, 2 ** 53 - 1];
    const digests = words.flatMap((a) => words.map((b) => two(a, b)));
    expect(new Set(digests).size).toBe(words.length ** 2);
  });

  test('when one number looks like two', () => {
    // A number of two words begins with the upper one, which is marked; a number of one word never
    // looks like that.
    const high = 5;
    const low = 7;
    const one = digestOf([{ kind: 1, fields: [high * 2 ** 30 + low] }]);
    expect(digestOf([{ kind: 1, fields: [2 ** 31 + high, low] }])).not.toBe(one);
    expect(digestOf([{ kind: 1, fields: [high, low] }])).not.toBe(one);
  });

  test('in both halves of the digest, by kind and by content', () => {
    const facts = Array.from({ length: 200 }, (_, n) => [
      { kind: n, fields: [1] },
      { kind: 300, fields: [n] },
    ]).flat();
    const digests = facts.map((one) => digestOf([one]));
    // Zeros in front are written too.
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{16}$/);
    expect(digests.some((digest) => /^0|^.{8}0/.test(digest))).toBe(true);
    for (const from of [0, 8]) {
      expect(new Set(digests.map((digest) => digest.slice(from, from + 8))).size).toBe(400);
    }
  });

  test('by the sign and the form of an amount', () => {
    const of = (n: bigint): string => {
      const hash = new StateHash();
      hash.begin(0);
      hash.amount(n as unknown as Amount);
      hash.add();
      return hash.digest();
    };
    const big = 10n ** 20n;
    expect(new Set([-big, big, -big - 1n, big + 1n].map(of)).size).toBe(4);
  });
});
