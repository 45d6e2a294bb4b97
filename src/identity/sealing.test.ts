// Sealed values open at their own place, under an active key, unaltered, and nowhere else.
import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { type MasterKey, parseMasterKeys } from './master-key.ts';
import { type SealedPlace, Sealer } from './sealing.ts';

function newKey(): MasterKey {
  const [key] = parseMasterKeys(randomBytes(32).toString('hex')) ?? [];
  if (key === undefined) throw new Error('A generated key is a key.');
  return key;
}

const place: SealedPlace = {
  table: 'api_keys',
  rowId: 7,
  purpose: 'api secret',
  terms: ['a', 1, null],
};
const secret = () => Buffer.from('the secret');
const opened = (sealer: Sealer, at: SealedPlace, sealed: string) =>
  Buffer.from(sealer.open(at, sealed)).toString();

describe('sealing', () => {
  test('a sealed value opens at its place and shows nothing of the secret', () => {
    const sealer = new Sealer([newKey()]);
    const sealed = sealer.seal(place, secret());
    expect(sealed).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
    expect(opened(sealer, place, sealed)).toBe('the secret');
    expect(sealer.seal(place, secret())).not.toBe(sealed);
  });

  test.each([
    { ...place, rowId: 8 },
    { ...place, table: 'totp' },
    { ...place, purpose: 'totp seed' },
    { ...place, terms: ['a', 2, null] },
    { ...place, terms: ['a', 1] },
  ])('it does not open at another place: %p', (other) => {
    const sealer = new Sealer([newKey()]);
    const sealed = sealer.seal(place, secret());
    expect(() => sealer.open(other, sealed)).toThrow('the row was altered');
  });

  test('every altered character is noticed', () => {
    const sealer = new Sealer([newKey()]);
    const sealed = sealer.seal(place, secret());
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
      const decodesAlike = decode(altered) === decode(sealed);
      if (!decodesAlike) expect(() => sealer.open(place, altered)).toThrow(/row 7/);
    }
  });

  test('a shortened tag is not accepted', () => {
    const sealer = new Sealer([newKey()]);
    const sealed = sealer.seal(place, secret());
    expect(() => sealer.open(place, sealed.slice(0, -6))).toThrow('does not hold a sealed value');
    expect(() => sealer.open(place, '')).toThrow('does not hold a sealed value');
  });

  test('rotation: all active keys open, the first one seals', () => {
    const [old, fresh] = [newKey(), newKey()];
    const sealed = new Sealer([old]).seal(place, secret());
    const both = new Sealer([fresh, old]);
    expect(both.isCurrent(sealed)).toBe(false);
    expect(opened(both, place, sealed)).toBe('the secret');
    const resealed = both.reseal(place, sealed);
    expect(both.isCurrent(resealed)).toBe(true);
    expect(opened(new Sealer([fresh]), place, resealed)).toBe('the secret');
    expect(() => new Sealer([fresh]).open(place, sealed)).toThrow(
      `sealed under master key ${old.kid}, which is not active`,
    );
  });

  test('a place whose parts run into each other is another place', () => {
    const sealer = new Sealer([newKey()]);
    const sealed = sealer.seal({ ...place, terms: ['a', 'b'] }, secret());
    expect(() => sealer.open({ ...place, terms: ['a,b'] }, sealed)).toThrow('the row was altered');
    expect(() => new Sealer([])).toThrow('at least one master key');
  });
});

/** The last base64url digit has unused bits: two texts may stand for the same bytes. */
function decode(sealed: string): string {
  const [version, kid, ...parts] = sealed.split('.');
  const bytes = parts.map((part) => Buffer.from(part, 'base64url').toString('hex'));
  return [version, kid, ...bytes].join('.');
}
