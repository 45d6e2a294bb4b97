// The description of a new key: its values, its faults, and the request.
import type { Module, UserCenterCreateKeyRequest } from '../../src/sdk/index.ts';
import { DAY_MS } from '../exact/format.ts';
import { dayStart } from '../exact/zone.ts';
import { keysText } from '../messages/keys.ts';
import { includedBy } from './privileges.ts';

const t = keysText.form.faults;

type Expiry = keyof typeof keysText.form.expiries;

export interface KeyDraft {
  readonly alias: string;
  readonly modules: readonly Module[];
  /** Addresses or CIDR ranges, separated by lines, commas or blanks; empty for any address. */
  readonly addresses: string;
  readonly expiry: Expiry;
  /** The last day, such as 2027-01-31, if `expiry` is `date`. */
  readonly date: string;
  readonly strict: boolean;
}

/** The request for a new key, before the codes that prove the user. */
export type KeyRequest = Omit<UserCenterCreateKeyRequest, 'googleAuthCode' | 'emailAuthCode'>;

export const EMPTY_DRAFT: KeyDraft = {
  alias: '',
  modules: [5],
  addresses: '',
  expiry: 'days90',
  date: '',
  strict: false,
};

const MAX_ALIAS = 64;
const MAX_ADDRESSES = 50;
const DAYS: Readonly<Partial<Record<Expiry, number>>> = { days30: 30, days90: 90, days365: 365 };

export type Faults = Readonly<Partial<Record<'alias' | 'modules' | 'addresses' | 'date', string>>>;

/** The faults that a browser can find before the server does. `now`: wall clock, ms. */
export function faultsOf(draft: KeyDraft, now: number): Faults {
  const faults: Partial<Record<keyof Faults, string>> = {};
  const alias = draft.alias.trim();
  if (alias === '') faults.alias = t.nameMissing;
  else if (alias.length > MAX_ALIAS) faults.alias = t.nameTooLong(MAX_ALIAS);
  else if (/\p{Cc}/u.test(alias)) faults.alias = t.nameControls;
  if (draft.modules.length === 0) faults.modules = t.noPrivilege;
  const addresses = addressFault(addressesOf(draft.addresses));
  if (addresses !== null) faults.addresses = addresses;
  if (draft.expiry === 'date') {
    const end = dayStart(draft.date, 1);
    if (end === null) faults.date = t.noDate;
    else if (end <= now) faults.date = t.pastDate;
  }
  return faults;
}

/** The request of a draft without faults. `now`: wall clock, ms. */
export function requestOf(draft: KeyDraft, now: number): KeyRequest {
  const addresses = addressesOf(draft.addresses);
  const included = includedBy(draft.modules);
  const expiresAt = expiryOf(draft, now);
  return {
    alias: draft.alias.trim(),
    // Leaves out included privileges, so that lists show the chosen ones.
    moduleIds: draft.modules.filter((id) => !included.has(id)).sort((a, b) => a - b),
    ...(addresses.length === 0 ? {} : { ipAllowList: addresses }),
    ...(expiresAt === null ? {} : { expiresAt }),
    strictClOrdId: draft.strict,
  };
}

/** The instant at which the key expires; null for never. */
function expiryOf({ expiry, date }: KeyDraft, now: number): number | null {
  if (expiry === 'never') return null;
  if (expiry === 'date') return dayStart(date, 1);
  return now + DAYS[expiry]! * DAY_MS;
}

export const addressesOf = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((part) => part !== '');

function addressFault(addresses: readonly string[]): string | null {
  if (addresses.length > MAX_ADDRESSES) return t.tooManyAddresses(MAX_ADDRESSES);
  const bad = addresses.find((address) => !isAddressRange(address));
  return bad === undefined ? null : t.noAddress(bad.slice(0, 50));
}

/** An IPv4 or IPv6 address, or a CIDR range of either. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIpv4(address) ? 32 : isIpv6(address) ? 128 : null;
  if (bits === null || rest.length > 0) return false;
  return prefix === undefined || (/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits);
}

const isIpv4 = (text: string): boolean =>
  /^(\d{1,3})(\.\d{1,3}){3}$/.test(text) &&
  text.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part);

/** Uses the browser's own parser for addresses in URLs. */
const isIpv6 = (text: string): boolean =>
  /^[0-9a-fA-F:.]+$/.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`);
