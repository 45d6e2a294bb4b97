// API keys: creation, revocation, and the directory of live keys that serves every signed request.
// The table has secrets sealed; memory has them only as prepared HMACs. A key is live until it is
// revoked; the caller checks expiry and address on the LiveKey.
import { randomBytes } from 'node:crypto';
import { IP_RANGE_FORM, type IpRanges, parseIpRanges } from './ip.ts';
import { isModuleId, type KeyTerms, LiveKey } from './live-key.ts';
import { deny, denyField, IdentityError, type Result, success } from './result.ts';
import { Revocations } from './sessions.ts';
import type { IdentityStore } from './storage/identity-store.ts';
import { type KeyTermsRow, keyPlace } from './storage/sealed-secrets.ts';
import { Uses } from './uses.ts';

export interface NewApiKey {
  readonly uid: number;
  readonly alias: string;
  readonly moduleIds: readonly number[];
  readonly ipAllowList?: readonly string[] | null;
  /** Wall clock, ms. */
  readonly expiresAt?: number | null;
  readonly strictClOrdId?: boolean;
  readonly replayGuard?: boolean;
}

/** The only time that the secret is shown. */
export interface CreatedApiKey {
  readonly keyId: number;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** A key, live or revoked, as a list shows it. */
export interface ApiKeyInfo extends Omit<KeyTerms, 'ipAllowList'> {
  readonly ipAllowList: readonly string[] | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

interface KeyRow extends KeyTermsRow {
  readonly sealed_secret: string | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

/** The terms of a key in its row, as JSON. */
type StoredTerms = Omit<KeyTerms, 'keyId' | 'apiKey' | 'uid' | 'ipAllowList'> &
  Pick<ApiKeyInfo, 'ipAllowList'>;

/** 160 bits cannot be guessed. Hex is safe in every shell and header. */
const API_KEY_BYTES = 20;
const SECRET_BYTES = 32;
const MAX_ALIAS = 64;
/** More ranges than this belong in a firewall. */
const MAX_RANGES = 50;
/** Bounds the memory that one user can fill. */
const MAX_LIVE_KEYS_PER_USER = 1_000;

export class ApiKeys {
  readonly #store: IdentityStore;
  readonly #now: () => number;
  readonly #revocations: Revocations;
  readonly #live = new Map<string, LiveKey>();
  readonly #byId = new Map<number, LiveKey>();
  /** By key id. */
  readonly uses = new Uses();

  /** Loads every live key. Throws IdentityError where a secret does not open. */
  constructor(store: IdentityStore, now: () => number, revocations = new Revocations()) {
    this.#store = store;
    this.#revocations = revocations;
    this.#now = now;
    for (const row of this.#liveRows()) this.#load(row);
  }

  /** The live key of this name, by one map look-up. */
  lookup(apiKey: string): LiveKey | undefined {
    return this.#live.get(apiKey);
  }

  /** Like `lookup`, by id. */
  lookupById(keyId: number): LiveKey | undefined {
    return this.#byId.get(keyId);
  }

  /** The keys among these that are revoked on the disk too, so that they can never sign again. */
  goneOf(keyIds: Iterable<number>): number[] {
    // A revocation that the cluster may still lose does not count.
    if (this.#store.durable() !== undefined) return [];
    const stored = 'SELECT count(*) AS n FROM api_keys WHERE key_id = ? AND revoked_at IS NULL';
    return [...keyIds].filter((id) => !this.#byId.has(id) && this.#store.count(stored, id) === 0);
  }

  /**
   * Creates a key of an existing user, live immediately; only the answer has the secret.
   * `alongside` is in the same transaction: both are done, or neither. Rejections: invalidField,
   * userUnknown.
   */
  create(wanted: NewApiKey, alongside: () => void = () => {}): Result<CreatedApiKey> {
    const checked = checkNewKey(wanted, this.#now());
    if (!checked.ok) return checked;
    const { uid } = wanted;
    if (this.#store.count('SELECT count(*) AS n FROM users WHERE uid = ?', uid) === 0) {
      return deny('userUnknown', 'uid', { text: 'No such user.' });
    }
    const live = 'SELECT count(*) AS n FROM api_keys WHERE uid = ? AND revoked_at IS NULL';
    if (this.#store.count(live, uid) >= MAX_LIVE_KEYS_PER_USER) {
      const text = `A user has at most ${MAX_LIVE_KEYS_PER_USER} keys. Delete one first.`;
      return denyField('uid', text, 'tooManyKeys');
    }
    const apiKey = randomBytes(API_KEY_BYTES).toString('hex');
    const secretKey = randomBytes(SECRET_BYTES).toString('hex');
    const key = { uid, apiKey, terms: JSON.stringify(checked.value) };
    const row = this.#insert(key, Buffer.from(secretKey, 'ascii'), alongside);
    this.#load(row);
    return success({ keyId: row.key_id, apiKey, secretKey });
  }

  /** All keys of a user, newest first. */
  list(uid: number): ApiKeyInfo[] {
    return this.#store
      .all<KeyRow>('SELECT * FROM api_keys WHERE uid = ? ORDER BY key_id DESC', uid)
      .map((row) => this.#infoOf(row));
  }

  /** A live or revoked key by its name. */
  find(apiKey: string): ApiKeyInfo | undefined {
    const row = this.#store.get<KeyRow>('SELECT * FROM api_keys WHERE api_key = ?', apiKey);
    return row && this.#infoOf(row);
  }

  /** Revokes a key immediately and destroys its secret; false where it is not live. */
  revoke(apiKey: string): boolean {
    const live = this.#live.get(apiKey);
    if (live === undefined) return false;
    this.#store.requireLeading();
    // The directory forgets first: if the disk fails below, the key is dead until a restart.
    this.#forget(live);
    this.#store.run(
      'UPDATE api_keys SET revoked_at = ?, sealed_secret = NULL WHERE key_id = ?',
      this.#now(),
      live.keyId,
    );
    return true;
  }

  /** Notes a use of the key in memory, for flushLastUsed. */
  touch(key: LiveKey, now: number): void {
    this.uses.note(key.keyId, now);
  }

  /**
   * Writes at most `maximum` of the noted uses; returns how many. The commit does not wait for the
   * disk: a crash may lose these times, which are a convenience.
   */
  flushLastUsed(maximum = Number.POSITIVE_INFINITY): number {
    const uses = this.uses.first(maximum);
    if (uses.length === 0) return 0;
    // Another node of a cluster may have noted an earlier use.
    const update = this.#store.query(
      'UPDATE api_keys SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE key_id = ?',
    );
    this.#store.writeLazily(() => {
      for (const [keyId, time] of uses) update.run(time, keyId);
    });
    for (const [keyId, time] of uses) this.uses.written(keyId, time);
    return uses.length;
  }

  /** Follows another node, which has written some keys and deleted others. */
  refresh(written: readonly number[], deleted: readonly number[]): void {
    if (deleted.length > 0) this.refreshAll();
    for (const keyId of written) {
      const row = this.#store.get<KeyRow>('SELECT * FROM api_keys WHERE key_id = ?', keyId)!;
      this.uses.written(keyId, row.last_used_at ?? 0);
      this.#refreshOne(row.api_key, row.revoked_at === null ? row : undefined);
    }
  }

  /** Brings the whole directory in line with the table. */
  refreshAll(): void {
    const rows = new Map(this.#liveRows().map((row) => [row.api_key, row]));
    for (const apiKey of new Set([...this.#live.keys(), ...rows.keys()])) {
      this.#refreshOne(apiKey, rows.get(apiKey));
    }
  }

  /** `row` is that of the key if it is live. */
  #refreshOne(apiKey: string, row: KeyRow | undefined): void {
    const live = this.#live.get(apiKey);
    if (live?.keyId === row?.key_id) return;
    if (live !== undefined) this.#forget(live);
    if (row !== undefined) this.#load(row);
  }

  #insert(
    { uid, apiKey, terms }: { readonly uid: number; readonly apiKey: string; terms: string },
    secret: Uint8Array,
    alongside: () => void,
  ): KeyRow {
    const store = this.#store;
    try {
      return store.write(() => {
        alongside();
        // The secret is sealed to the id, so the row must exist first. Only this transaction sees
        // the empty value. A statement with RETURNING returns the row or throws.
        const inserted = store.get<KeyRow>(
          `INSERT INTO api_keys (key_id, api_key, sealed_secret, uid, terms, created_at)
           VALUES (?, ?, '', ?, ?, ?) RETURNING *`,
          store.nextId('key'),
          apiKey,
          uid,
          terms,
          this.#now(),
        )!;
        return store.get<KeyRow>(
          'UPDATE api_keys SET sealed_secret = ? WHERE key_id = ? RETURNING *',
          store.sealer.seal(keyPlace(inserted), secret),
          inserted.key_id,
        )!;
      });
    } finally {
      secret.fill(0);
    }
  }

  #liveRows(): KeyRow[] {
    return this.#store.all<KeyRow>('SELECT * FROM api_keys WHERE revoked_at IS NULL');
  }

  #forget(key: LiveKey): void {
    key.markRevoked();
    this.#live.delete(key.apiKey);
    this.#byId.delete(key.keyId);
    this.#revocations.emit({ type: 'keyRevoked', keyId: key.keyId });
  }

  #load(row: KeyRow): void {
    const secret = this.#store.sealer.open(keyPlace(row), row.sealed_secret ?? '');
    const terms = termsOf(row);
    const key = new LiveKey({ ...terms, ipAllowList: rangesOf(terms) }, secret);
    secret.fill(0);
    this.#live.set(key.apiKey, key);
    this.#byId.set(key.keyId, key);
  }

  #infoOf(row: KeyRow): ApiKeyInfo {
    return {
      ...termsOf(row),
      createdAt: row.created_at,
      revokedAt: row.revoked_at,
      lastUsedAt: this.uses.latest(row.key_id, row.last_used_at),
    };
  }
}

const termsOf = (row: KeyRow) => ({
  keyId: row.key_id,
  apiKey: row.api_key,
  uid: row.uid,
  ...(JSON.parse(row.terms) as StoredTerms),
});

function rangesOf({ keyId, ipAllowList }: ReturnType<typeof termsOf>): IpRanges | null {
  if (ipAllowList === null) return null;
  const ranges = parseIpRanges(ipAllowList);
  if ('bad' in ranges) {
    throw new IdentityError(`api_keys row ${keyId} has a bad address range: ${ranges.bad}.`);
  }
  return ranges;
}

function checkNewKey(wanted: NewApiKey, now: number): Result<StoredTerms> {
  const { strictClOrdId = false, replayGuard = true, expiresAt = null } = wanted;
  const alias = wanted.alias.trim();
  if (alias === '' || alias.length > MAX_ALIAS || /\p{Cc}/u.test(alias)) {
    const text = `An alias has 1 to ${MAX_ALIAS} characters, without control characters.`;
    return denyField('alias', text);
  }
  const moduleIds = [...new Set(wanted.moduleIds)].sort((a, b) => a - b);
  if (moduleIds.length === 0 || !moduleIds.every(isModuleId)) {
    return denyField('moduleIds', 'moduleIds is a list of one or more of 1, 2, 3, 4, 5, 6.');
  }
  if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > now)) {
    return denyField('expiresAt', 'expiresAt is a future time in epoch milliseconds, or null.');
  }
  const ipAllowList = wanted.ipAllowList ?? null;
  // A key with an empty list would work from nowhere; with null it works from everywhere.
  if (ipAllowList !== null && (ipAllowList.length === 0 || ipAllowList.length > MAX_RANGES)) {
    const text = `ipAllowList has 1 to ${MAX_RANGES} entries; null permits every address.`;
    return denyField('ipAllowList', text);
  }
  const ranges = parseIpRanges(ipAllowList ?? []);
  if ('bad' in ranges) {
    const text = `"${ranges.bad.slice(0, 50)}" is not ${IP_RANGE_FORM}.`;
    return denyField('ipAllowList', text);
  }
  return success({ alias, moduleIds, ipAllowList, expiresAt, strictClOrdId, replayGuard });
}
