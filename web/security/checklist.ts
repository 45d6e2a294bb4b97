// The items that make an account secure, and whether they are done.
import type { Key, Me } from '../../src/sdk/index.ts';

export interface CheckItem {
  readonly id: 'authenticator' | 'recoveryCodes' | 'keys';
  readonly isDone: boolean;
  readonly text: string;
  /** The page that resolves it; null if it is done. */
  readonly href: string | null;
}

/** Not an item of the checklist, because only the operator can change it. */
export const identityWords = ({ kyc }: Pick<Me, 'kyc'>): string =>
  kyc
    ? 'Identity: verified'
    : 'Identity: not verified. Some plans require it; ask the operator of this exchange.';

/** With fewer codes, the loss of a phone can lock the user out. */
const FEW_CODES = 3;

/** `now`: wall clock, ms. Ignores keys that no longer work. */
export function checklist(me: Me, keys: readonly Key[], now: number): readonly CheckItem[] {
  const items = [authenticator(me)];
  if (me.totpActive) items.push(recoveryCodes(me.recoveryCodesLeft));
  const live = keys.filter((key) => isLive(key, now));
  if (live.length > 0) items.push(keysFromAnywhere(live));
  return items;
}

/** Whether a key works: neither revoked nor expired. `now`: wall clock, ms. */
export const isLive = ({ revokedAt, expiresAt }: Key, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

function authenticator({ totpActive }: Me): CheckItem {
  const text = totpActive
    ? 'An authenticator is set up'
    : 'Set up an authenticator: without it, the password alone gives access to your account';
  const href = totpActive ? null : '/security/authenticator';
  return { id: 'authenticator', isDone: totpActive, text, href };
}

function recoveryCodes(left: number): CheckItem {
  const isDone = left >= FEW_CODES;
  const text = isDone
    ? `${left} recovery codes are left`
    : `${left === 0 ? 'No recovery code is' : `Only ${left} recovery ${left === 1 ? 'code is' : 'codes are'}`} left: create new ones`;
  return { id: 'recoveryCodes', isDone, text, href: isDone ? null : '/security/recovery' };
}

function keysFromAnywhere(live: readonly Key[]): CheckItem {
  const open = live.filter(({ ipAllowList }) => ipAllowList === null).length;
  const text =
    open === 0
      ? 'All API keys have an IP allowlist'
      : open === 1
        ? '1 API key works from any address: add an IP allowlist'
        : `${open} API keys work from any address: add IP allowlists`;
  return { id: 'keys', isDone: open === 0, text, href: open === 0 ? null : '/keys' };
}
