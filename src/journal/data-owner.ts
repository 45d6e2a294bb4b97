// The owner of a data directory, who alone may write to it. Files of another user, root included,
// would stop the owner's next start.
import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { JournalError } from './journal.ts';

const ROOT = 0;

/** Throws JournalError `io` for another user than the owner. A new directory has none yet. */
export function requireOwner(dataDirectory: string): void {
  const user = process.geteuid?.();
  const directory = resolve(dataDirectory);
  // An empty directory may be a mount that root owns and this user may write to. Root itself may
  // write to everything, so only the directory says whose it is.
  const owner =
    ownerOf(join(directory, 'journal')) ?? (user === ROOT ? ownerOf(directory) : undefined);
  if (user === undefined || owner === undefined || owner === user) return;
  const belongs = `The data directory ${directory} belongs to ${userName(owner)}`;
  throw new JournalError('io', `${belongs}: ${asOwner(owner)}`, { file: directory });
}

/** The sentence with the command that the caller types instead. */
export function asOwner(owner: number): string {
  const name = userName(owner);
  const isNameless = name.startsWith('#');
  const canSwitch = process.geteuid?.() === ROOT && !isNameless;
  const prefix = canSwitch ? `runuser -u ${name} --` : `sudo -u ${isNameless ? `'${name}'` : name}`;
  return `run the command as its owner (${prefix} agio …).`;
}

/** Undefined for a missing path, and for one in a directory that this user may not read. */
export function ownerOf(path: string): number | undefined {
  try {
    return fs.statSync(path).uid;
  } catch {
    return undefined;
  }
}

/** `#UID` for a user without a name on this machine, as sudo accepts it. */
function userName(uid: number): string {
  const fallback = `#${uid}`;
  try {
    const users = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
    const fields = users.map((line) => line.split(':'));
    return fields.find(([, , id]) => id === String(uid))?.[0] || fallback;
  } catch {
    return fallback;
  }
}
