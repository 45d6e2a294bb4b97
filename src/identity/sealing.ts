// Sealing of the secrets that must be recoverable (API secrets, TOTP seeds): AES-256-GCM under a
// key derived from a master key per purpose. The place of a value (table, row, purpose, terms) and its
// key are authenticated with it, so a value does not open in another row or beside other terms. Text
// form: v2.<kid>.<nonce>.<ciphertext>.<tag>, the last three base64url; v1 left the terms out.
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { IdentityError } from './errors.ts';
import type { MasterKey } from './master-key.ts';

/** Where a sealed value lives. It opens at this place only. */
export interface SealedPlace {
  readonly table: string;
  readonly rowId: string | number;
  readonly purpose: string;
  /** Columns of the row that the value is bound to. */
  readonly terms: readonly (string | number | null)[];
}

const CIPHER = 'aes-256-gcm';
const VERSION = 'v2';
/** What older releases sealed: without the terms. Read once, when their database is upgraded. */
const UNBOUND = 'v1';
/** 96 random bits, the size GCM is made for; safe for 2^32 values per key, far beyond one venue. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

interface SealedParts {
  readonly version: string;
  readonly kid: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

export class Sealer {
  readonly #sealing: MasterKey;
  readonly #active: ReadonlyMap<string, MasterKey>;
  /** Keys derived so far, by kid and purpose: derivation is paid once, not per value. */
  readonly #derived = new Map<string, KeyObject>();

  /** The first key seals; every key opens. */
  constructor(masterKeys: readonly MasterKey[]) {
    const [first] = masterKeys;
    if (first === undefined) throw new IdentityError('Sealing needs at least one master key.');
    this.#sealing = first;
    this.#active = new Map(masterKeys.map((key) => [key.kid, key]));
  }

  /** Seals a secret for one place. The caller wipes `secret` when it needs it no more. */
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

  /** The secret sealed at this place; throws an IdentityError when it does not open. */
  open(place: SealedPlace, sealed: string): Uint8Array {
    return this.#open(place, sealed, VERSION);
  }

  /** The secret of a value of an older release, sealed for its terms as well. */
  bind(place: SealedPlace, sealed: string): string {
    const secret = this.#open(place, sealed, UNBOUND);
    const bound = this.seal(place, secret);
    secret.fill(0);
    return bound;
  }

  /** Whether a value is sealed for its terms. */
  isBound(sealed: string): boolean {
    return parseSealed(sealed)?.version !== UNBOUND;
  }

  #open(place: SealedPlace, sealed: string, version: string): Uint8Array {
    const where = `${place.table} row ${place.rowId} (${place.purpose})`;
    const parts = parseSealed(sealed);
    if (parts?.version !== version) {
      throw new IdentityError(`${where} does not hold a sealed value of this version.`);
    }
    const master = this.#active.get(parts.kid);
    if (master === undefined) {
      throw new IdentityError(
        `${where} is sealed under master key ${parts.kid}, which is not active: add that key to ` +
          'AGIO_MASTER_KEY after the first one.',
      );
    }
    const { kid } = parts;
    const decipher = createDecipheriv(CIPHER, this.#keyFor(master, place.purpose), parts.nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(version === VERSION ? boundData(place, kid) : unboundData(place, kid));
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

  /** Whether the value is sealed under the key that seals now. */
  isCurrent(sealed: string): boolean {
    return parseSealed(sealed)?.kid === this.#sealing.kid;
  }

  /** The same secret at the same place, under the key that seals now. */
  reseal(place: SealedPlace, sealed: string): string {
    const secret = this.open(place, sealed);
    const resealed = this.seal(place, secret);
    secret.fill(0);
    return resealed;
  }

  /**
   * A key for hashing under the master key that seals now (a pepper). What was hashed under it is
   * of no use after that key is replaced, so it is only for what is short-lived.
   */
  pepper(purpose: string): KeyObject {
    return this.#keyFor(this.#sealing, `pepper ${purpose}`);
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

/** A JSON array, so that two places never read the same. */
const boundData = ({ table, rowId, purpose, terms }: SealedPlace, kid: string): Buffer =>
  Buffer.from(JSON.stringify([table, rowId, purpose, kid, ...terms]), 'utf8');

/** What v1 was bound to: table|rowId|purpose|kid. */
const unboundData = ({ table, rowId, purpose }: SealedPlace, kid: string): Buffer =>
  Buffer.from([table, rowId, purpose, kid].join('|'), 'utf8');

function parseSealed(sealed: string): SealedParts | undefined {
  const [version, kid, ...encoded] = sealed.split('.');
  if ((version !== VERSION && version !== UNBOUND) || !kid || encoded.length !== 3)
    return undefined;
  if (!encoded.every((part) => /^[A-Za-z0-9_-]*$/.test(part))) return undefined;
  const [nonce, ciphertext, tag] = encoded.map((part) => Buffer.from(part, 'base64url'));
  if (nonce?.length !== NONCE_BYTES || tag?.length !== TAG_BYTES) return undefined;
  return ciphertext === undefined ? undefined : { version, kid, nonce, ciphertext, tag };
}
