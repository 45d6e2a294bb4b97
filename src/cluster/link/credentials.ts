// The certificates of the link, which only a node with the master key can have. Each master key has
// a certificate authority, and a node signs itself a certificate with the first one at its start.
// No file and no exchange of certificates is needed.
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { derivedKeys, type MasterKey } from '../../identity/master-key.ts';

/** In PEM, the form that TLS reads. */
export interface LinkCredentials {
  readonly cert: string;
  readonly key: string;
  /** The authorities whose nodes are trusted: one for each master key. */
  readonly ca: readonly string[];
}

/** The name in all certificates. A node is known by its authority; its address may be any. */
export const LINK_NAME = 'link.agio.internal';

const PURPOSE = 'cluster link';

/** The credentials of a node with these master keys, the sealing one first. */
export function linkCredentials(masterKeys: readonly MasterKey[]): LinkCredentials {
  const authorities = derivedKeys(masterKeys, PURPOSE).map(({ kid, bytes }) => ({
    // A name of its own each, since a peer looks an authority up by its name.
    name: `agio cluster link ${kid}`,
    key: privateKeyOf(bytes),
  }));
  const issuer = authorities[0]!;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const own = { name: LINK_NAME, key: privateKey };
  return {
    cert: certificate(own, issuer, [extension(SUBJECT_ALT_NAME, ALT_NAMES)]),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    ca: authorities.map((each) => certificate(each, each, [extension(BASIC_CONSTRAINTS, IS_CA)])),
  };
}

/** The P-256 key with this scalar. The top bit is cleared, so that every scalar is a key. */
function privateKeyOf(scalar: Uint8Array): KeyObject {
  const d = Buffer.from(scalar);
  d[0]! &= 0x7f;
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(d);
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((b) => b.toString('base64url'));
  const key = { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: x!, y: y! };
  return createPrivateKey({ format: 'jwk', key });
}

// The DER of RFC 5280, for the one form of certificate above. @peculiar/x509 does it in 20 packages
// and only asynchronously.

interface Party {
  readonly name: string;
  readonly key: KeyObject;
}

const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  version: 0xa0,
  extensions: 0xa3,
} as const;

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const oid = (hex: string): Buffer => der(Tag.oid, Buffer.from(hex, 'hex'));
const ascii = (tag: number, text: string): Buffer => der(tag, Buffer.from(text));

const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');
const BASIC_CONSTRAINTS = oid('551d13');
const ECDSA_WITH_SHA256 = der(Tag.sequence, oid('2a8648ce3d040302'));
const IS_CA = der(Tag.sequence, der(Tag.boolean, Buffer.of(0xff)));
const ALT_NAMES = der(Tag.sequence, ascii(Tag.dnsName, LINK_NAME));
/** Wide enough for any clock: the master key decides how long a certificate is good. */
const VALIDITY = der(
  Tag.sequence,
  ascii(Tag.utcTime, '200101000000Z'),
  ascii(Tag.time, '21200101000000Z'),
);

const extension = (id: Uint8Array, value: Uint8Array): Buffer =>
  der(Tag.sequence, id, der(Tag.boolean, Buffer.of(0xff)), der(Tag.octets, value));

const nameOf = ({ name }: Party): Buffer =>
  der(Tag.sequence, der(Tag.set, der(Tag.sequence, COMMON_NAME, ascii(Tag.utf8, name))));

/** A certificate for the subject, in PEM, signed by the issuer. */
function certificate(subject: Party, issuer: Party, extensions: readonly Uint8Array[]): string {
  const serial = randomBytes(16);
  // Positive, and without leading zeros.
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const content = der(
    Tag.sequence,
    der(Tag.version, der(Tag.integer, Buffer.of(2))),
    der(Tag.integer, serial),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    VALIDITY,
    nameOf(subject),
    createPublicKey(subject.key).export({ type: 'spki', format: 'der' }),
    der(Tag.extensions, der(Tag.sequence, ...extensions)),
  );
  const signature = der(Tag.bits, Buffer.of(0), sign('sha256', content, issuer.key));
  const bytes = der(Tag.sequence, content, ECDSA_WITH_SHA256, signature);
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
}
