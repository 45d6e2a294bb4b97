// Seals secrets that must be recoverable (API secrets, TOTP seeds): AES-256-GCM under a key that
// is derived from a master key for each purpose. The place of a value (table, row, purpose, terms)
// is authenticated with it, so a value opens only in its row and with its terms. Text form:
// v1.<kid>.<nonce>.<ciphertext>.<tag>, the last three base64url.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { MasterKey } from './master-key.ts';
import { IdentityError, MasterKeyError } from './result.ts';

/** An HMAC of a list of values. */
export type ValuesHash = (values: readonly (string | number | null)[]) => Buffer;

/** The place of a sealed value, which opens nowhere else. */
export interface SealedPlace {
  readonly table: string;
  readonly rowId: string | number;
  readonly purpose: string;
  /** The columns of the row that bind the value. */
  readonly terms: readonly (string | number | null)[];
}

const CIPHER = 'aes-256-gcm';
const VERSION = 'v1';
/** 96 random bits, the nonce size of GCM; safe for 2^32 values per key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

interface SealedParts {
  readonly kid: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

export class Sealer {
  readonly #sealing: MasterKey;
  readonly #active: ReadonlyMap<string, MasterKey>;
  /** Derived keys by kid and purpose. */
  readonly #derived = new Map<string, KeyObject>();

  /** The first key seals; every key opens. */
  constructor(masterKeys: readonly MasterKey[]) {
    const [first] = masterKeys;
    if (first === undefined) throw new IdentityError('Sealing needs at least one master key.');
    this.#sealing = first;
    this.#active = new Map(masterKeys.map((key) => [key.kid, key]));
  }

  /** Seals a secret for one place. The caller wipes `secret` after use. */
  seal(place: SealedPlace, secret: Uint8Array): string {
    const { kid } = this.#sealing;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keyFor(this.#sealing, place.purpose), nonce, {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(boundData(place, kid));
    const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
    const parts = [nonce, ciphertext, cipher.getAuthTag()].map((part) =>
      part.toString('base64url'),
    );
    return [VERSION, kid, ...parts].join('.');
  }

  /** The secret sealed at this place. Throws IdentityError where it does not open. */
  open(place: SealedPlace, sealed: string): Uint8Array {
    const where = `${place.table} row ${place.rowId} (${place.purpose})`;
    const parts = parseSealed(sealed);
    if (parts === undefined) {
      throw new IdentityError(`${where} does not hold a sealed value of this version.`);
    }
    const master = this.#active.get(parts.kid);
    if (master === undefined) {
      throw new MasterKeyError(
        `${where} is sealed under master key ${parts.kid}, which is not active: add that key to ` +
          'AGIO_MASTER_KEY after the first one.',
      );
    }
    const { kid } = parts;
    const decipher = createDecipheriv(CIPHER, this.#keyFor(master, place.purpose), parts.nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundData(place, kid));
    decipher.setAuthTag(parts.tag);
    const secret = decipher.update(parts.ciphertext);
    try {
      decipher.final();
    } catch {
      secret.fill(0);
      throw new IdentityError(`${where} does not open: the row was altered.`);
    }
    return secret;
  }

  /** True if the value is sealed under the current key. */
  isCurrent(sealed: string): boolean {
    return parseSealed(sealed)?.kid === this.#sealing.kid;
  }

  /** The same secret at the same place, under the current key. */
  reseal(place: SealedPlace, sealed: string): string {
    const secret = this.open(place, sealed);
    const resealed = this.seal(place, secret);
    secret.fill(0);
    return resealed;
  }

  /**
   * An HMAC of lists of values under the current master key. It becomes useless with the next
   * master key, so it is only for short-lived data.
   */
  peppered(purpose: string): ValuesHash {
    const key = this.#keyFor(this.#sealing, `pepper ${purpose}`);
    return (values) => createHmac('sha256', key).update(JSON.stringify(values), 'utf8').digest();
  }

  #keyFor(master: MasterKey, purpose: string): KeyObject {
    const name = `${master.kid}|${purpose}`;
    const known = this.#derived.get(name);
    if (known !== undefined) return known;
    const bytes = new Uint8Array(hkdfSync('sha256', master.key, '', `agio ${purpose}`, KEY_BYTES));
    const key = createSecretKey(bytes);
    bytes.fill(0);
    this.#derived.set(name, key);
    return key;
  }
}

/** JSON, so that two places never have the same text. */
const boundData = ({ table, rowId, purpose, terms }: SealedPlace, kid: string): Buffer =>
  Buffer.from(JSON.stringify([table, rowId, purpose, kid, ...terms]), 'utf8');

function parseSealed(sealed: string): SealedParts | undefined {
  const [version, kid, ...encoded] = sealed.split('.');
  if (version !== VERSION || !kid || encoded.length !== 3) return undefined;
  if (!encoded.every((part) => /^[A-Za-z0-9_-]*$/.test(part))) return undefined;
  const [nonce, ciphertext, tag] = encoded.map((part) => Buffer.from(part, 'base64url'));
  if (nonce?.length !== NONCE_BYTES || tag?.length !== TAG_BYTES) return undefined;
  return ciphertext === undefined ? undefined : { kid, nonce, ciphertext, tag };
}
