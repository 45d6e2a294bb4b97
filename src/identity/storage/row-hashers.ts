// The keyed hashes of row-macs.ts: each master key has a derived key for each kind of MAC.
import { type DerivedKey, derivedKeys, type MasterKey } from '../master-key.ts';

/** The MACs of one master key, each with its own derived key. */
export interface Hashers {
  row(table: string, content: string): Uint8Array;
  /** The summand of a row in the digest of its table. Never stored: it could be recombined. */
  summand(mac: Uint8Array): Uint8Array;
  part(part: string, text: string): Uint8Array;
}

export function hashersOf(masterKeys: readonly MasterKey[]): ReadonlyMap<string, Hashers> {
  const rows = derivedKeys(masterKeys, 'mac of identity rows');
  const sets = derivedKeys(masterKeys, 'mac of identity row sets');
  const parts = derivedKeys(masterKeys, 'mac of identity parts');
  return new Map(
    rows.map((key, at) => {
      const [row, summand, part] = [key, sets[at]!, parts[at]!].map(hmacUnder);
      const hashers: Hashers = {
        row: (table, content) => row!(`${table}|${content}`),
        summand: (mac) => summand!(mac),
        part: (name, text) => part!(`${name}|${text}`),
      };
      return [key.kid, hashers];
    }),
  );
}

function hmacUnder({ bytes }: DerivedKey): (data: string | Uint8Array) => Uint8Array {
  const keyed = new Bun.CryptoHasher('sha256', bytes as Uint8Array<ArrayBuffer>);
  return (data) => {
    const hasher = keyed.copy();
    hasher.update(data as string);
    return hasher.digest() as Uint8Array;
  };
}
