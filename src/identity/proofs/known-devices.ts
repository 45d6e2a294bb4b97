// The signed value that a browser stores after a login and that distinguishes it from strangers
// in the same network. It is bound to the user and the password: a new password invalidates it.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ValuesHash } from '../sealing.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import type { User } from '../users.ts';

/** How long a browser is known after a login. */
export const DEVICE_MS = 180 * 24 * 60 * 60_000;

const NONCE_BYTES = 16;
/** v1.<uid>.<issued at>.<nonce>.<HMAC-SHA256> */
const FORM = /^v1\.(\d{1,15})\.(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/;

type Owner = Pick<User, 'uid' | 'passwordHash'>;

export class KnownDevices {
  readonly #hash: ValuesHash;
  readonly #now: () => number;

  constructor(store: IdentityStore, now: () => number) {
    this.#hash = store.sealer.peppered('known devices');
    this.#now = now;
  }

  /** A new value for a browser in which this user has just logged in. */
  issue(owner: Owner): string {
    const issuedAt = this.#now();
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const mac = this.#mac(owner, issuedAt, nonce).toString('base64url');
    return ['v1', owner.uid, issuedAt, nonce, mac].join('.');
  }

  /**
   * The name of the browser, for its count of failures; null where the value is not of this user.
   */
  nameOf(value: string, owner: Owner): string | null {
    const [, uid, issued, nonce, mac] = FORM.exec(value) ?? [];
    if (nonce === undefined || mac === undefined || Number(uid) !== owner.uid) return null;
    const issuedAt = Number(issued);
    if (this.#now() - issuedAt >= DEVICE_MS) return null;
    const expected = this.#mac(owner, issuedAt, nonce);
    return timingSafeEqual(expected, Buffer.from(mac, 'base64url')) ? nonce : null;
  }

  #mac({ uid, passwordHash }: Owner, issuedAt: number, nonce: string): Buffer {
    return this.#hash([uid, issuedAt, nonce, passwordHash]);
  }
}
