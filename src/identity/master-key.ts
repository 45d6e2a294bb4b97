// The master keys, from AGIO_MASTER_KEY or the 0600 file DATA/master.key, which the sandbox creates
// at its first start. The first key seals and every key opens: to rotate, put the new key in front
// and remove the old one after the next start. Only KeyObjects hold key bytes; no log or message
// has them.
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { IdentityError, MasterKeyError } from './result.ts';
import { createPrivateFile } from './storage/private-file.ts';

export interface MasterKey {
  /** The name of the key in sealed values; derived from the key, so it needs no configuration. */
  readonly kid: string;
  readonly key: KeyObject;
}

export interface MasterKeySource {
  /** The text of AGIO_MASTER_KEY; null where it is not set. */
  readonly configured: string | null;
  readonly dataDir: string;
  /** True if a missing key file may be created: in the sandbox only. */
  readonly mayCreate: boolean;
}

/** A key for one purpose, for a part or a thread that must not have the master key. */
export interface DerivedKey {
  /** The name of the master key. */
  readonly kid: string;
  readonly bytes: Uint8Array;
}

/** Purposes of `derivedKeys`. Permanent: a purpose is part of its key. */
export const SNAPSHOTS = 'mac of snapshots';

const KEY_BYTES = 32;
/** 48 bits: unique among the keys of one installation, and short enough to read. */
const KID_BYTES = 6;
/** Permissions of group and others. */
const OTHERS = 0o077;

export const MASTER_KEY_FORM =
  '32 random bytes as 64 hex digits or base64 (openssl rand -hex 32); several separated by ' +
  'commas: the first seals, all of them open';

/** The key file of a data directory, used where AGIO_MASTER_KEY is not set. */
export function masterKeyFile(dataDir: string): string {
  return join(dataDir, 'master.key');
}

/** True if the text is one or more master keys. */
export function isMasterKeyText(text: string): boolean {
  return parseMasterKeys(text) !== undefined;
}

/** The master keys in a text, the sealing one first; undefined where one is not a key. */
export function parseMasterKeys(text: string): MasterKey[] | undefined {
  const keys: MasterKey[] = [];
  for (const part of text.split(',')) {
    const bytes = decodeKey(part.trim());
    if (bytes === undefined) return undefined;
    const key = masterKeyOf(bytes);
    bytes.fill(0);
    if (!keys.some((other) => other.kid === key.kid)) keys.push(key);
  }
  return keys;
}

/** The master keys of an installation. Throws IdentityError where there is none. */
export function loadMasterKeys(source: MasterKeySource): MasterKey[] {
  if (source.configured !== null) {
    const keys = parseMasterKeys(source.configured);
    if (keys === undefined) {
      throw new MasterKeyError(`AGIO_MASTER_KEY is not a master key: give ${MASTER_KEY_FORM}.`);
    }
    return keys;
  }
  const file = masterKeyFile(source.dataDir);
  if (!existsSync(file)) {
    requireNothingSealed(file, source.dataDir);
    if (!source.mayCreate) {
      throw new MasterKeyError(`No master key: set AGIO_MASTER_KEY to ${MASTER_KEY_FORM}.`);
    }
    createPrivateFile(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
  }
  return readKeyFile(file);
}

/** The keys for one purpose, in the order of the master keys. */
export function derivedKeys(masterKeys: readonly MasterKey[], purpose: string): DerivedKey[] {
  return masterKeys.map(({ kid, key }) => ({
    kid,
    bytes: new Uint8Array(hkdfSync('sha256', key, '', `agio ${purpose}`, KEY_BYTES)),
  }));
}

/** A new key would not open the existing database: the operator must restore the old one. */
function requireNothingSealed(file: string, dataDir: string): void {
  if (!existsSync(join(dataDir, 'identity.db'))) return;
  throw new MasterKeyError(
    `No master key was given, and the secrets in ${join(dataDir, 'identity.db')} are sealed: set ` +
      `AGIO_MASTER_KEY as before, name a file that sets it (--env-file FILE), or restore ${file}.`,
  );
}

function readKeyFile(file: string): MasterKey[] {
  const mode = statSync(file).mode & 0o777;
  if ((mode & OTHERS) !== 0) {
    throw new IdentityError(
      `${file} can be read by others (mode 0${mode.toString(8)}): run "chmod 600 ${file}".`,
    );
  }
  const keys = parseMasterKeys(readFileSync(file, 'utf8'));
  if (keys === undefined) {
    throw new IdentityError(`${file} does not hold a master key: it takes ${MASTER_KEY_FORM}.`);
  }
  return keys;
}

function decodeKey(text: string): Buffer | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  // 32 bytes are 43 base64 digits, padded or not, in either alphabet.
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return undefined;
}

function masterKeyOf(bytes: Buffer): MasterKey {
  const key = createSecretKey(bytes);
  const kid = Buffer.from(hkdfSync('sha256', key, '', 'agio master key name', KID_BYTES));
  return { kid: kid.toString('hex'), key };
}
