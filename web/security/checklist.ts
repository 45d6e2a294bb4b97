// What a safe account has, and what of it is missing.
import type { Key, Me } from '../../src/sdk/index.ts';

export interface CheckItem {
  readonly id: 'authenticator' | 'recoveryCodes' | 'keys';
  readonly isDone: boolean;
  readonly text: string;
  /** Where it is mended; null where there is nothing to mend. */
  readonly href: string | null;
}

/** Not a matter of the account's safety, so nothing of the list: only the operator can change it. */
export const identityWords = ({ kyc }: Pick<Me, 'kyc'>): string =>
  kyc
    ? 'Identity: verified'
    : 'Identity: not verified. Some plans are only for verified customers; ask the operator of this exchange.';

/** Below this many, one lost telephone and a few bad days lock the person out. */
const FEW_CODES = 3;

/** `now` is wall clock, ms; keys that cannot be used any more are not looked at. */
export function checklist(me: Me, keys: readonly Key[], now: number): readonly CheckItem[] {
  const items = [authenticator(me)];
  if (me.totpActive) items.push(recoveryCodes(me.recoveryCodesLeft));
  const live = keys.filter((key) => isLive(key, now));
  if (live.length > 0) items.push(keysFromAnywhere(live));
  return items;
}

/** Whether a key can be used: neither revoked nor expired. `now` is wall clock, ms. */
export const isLive = ({ revokedAt, expiresAt }: Key, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

function authenticator({ totpActive }: Me): CheckItem {
  const text = totpActive
    ? 'An authenticator is set up'
    : 'Set up an authenticator: without it, the password alone opens your account';
  const href = totpActive ? null : '/security/authenticator';
  return { id: 'authenticator', isDone: totpActive, text, href };
}

function recoveryCodes(left: number): CheckItem {
  const isDone = left >= FEW_CODES;
  const text = isDone
    ? `${left} recovery codes are left`
    : `${left === 0 ? 'No recovery code is' : `Only ${left} recovery ${left === 1 ? 'code is' : 'codes are'}`} left: make new ones`;
  return { id: 'recoveryCodes', isDone, text, href: isDone ? null : '/security/recovery' };
}

function keysFromAnywhere(live: readonly Key[]): CheckItem {
  const open = live.filter(({ ipAllowList }) => ipAllowList === null).length;
  const text =
    open === 0
      ? 'All API keys are bound to addresses'
      : open === 1
        ? 'One API key may be used from any address: one with a list of addresses is safer'
        : `${open} API keys may be used from any address: those with a list of addresses are safer`;
  return { id: 'keys', isDone: open === 0, text, href: open === 0 ? null : '/keys' };
}
