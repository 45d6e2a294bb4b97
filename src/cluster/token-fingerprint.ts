// Fingerprints of the operator token, by which nodes find out that they have different ones. They
// are keyed: nobody without a master key can try tokens against them.
import { createHmac } from 'node:crypto';
import { derivedKeys, type MasterKey } from '../identity/master-key.ts';

const PURPOSE = 'fingerprint of the operator token';
const HEX_DIGITS = 32;

/** One fingerprint for each master key, since a rotation has nodes with different first keys. */
export function tokenFingerprint(masterKeys: readonly MasterKey[], token: string): string {
  return derivedKeys(masterKeys, PURPOSE)
    .map(({ kid, bytes }) => {
      const mac = createHmac('sha256', bytes).update(token).digest('hex');
      return `${kid}:${mac.slice(0, HEX_DIGITS)}`;
    })
    .join(',');
}

/** True if two nodes have different tokens, as far as a master key that both have shows it. */
export function tokensDiffer(a: string, b: string): boolean {
  const known = new Map(a.split(',').map((each) => each.split(':') as [string, string]));
  return b.split(',').some((each) => {
    const [kid, mac] = each.split(':') as [string, string];
    return known.has(kid) && known.get(kid) !== mac;
  });
}
