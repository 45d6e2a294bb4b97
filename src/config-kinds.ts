// The kinds of settings: what each accepts, and how it reads a value.
import { ANY_ADDRESS, IP_RANGE_FORM, type IpRanges, parseIpRanges } from './identity/ip.ts';

export type Mode = 'sandbox' | 'production';

export interface Kind<T> {
  /** Stands for the value of the flag in --help; null if no flag takes a value. */
  readonly argument: string | null;
  /** Completes "accepted: …". */
  readonly accepts: string;
  /** Reads the text of a flag or variable, or a value of the file; undefined if it is rejected. */
  readonly read: (raw: unknown, mode: Mode) => T | undefined;
}

/** A text that passes the test of its form, such as a RegExp. */
export function text(
  argument: string | null,
  accepts: string,
  form: { test(raw: string): boolean },
): Kind<string> {
  const read = (raw: unknown) => (typeof raw === 'string' && form.test(raw) ? raw : undefined);
  return { argument, accepts, read };
}

export const path = (argument: string, what: string): Kind<string> =>
  text(argument, `the path of a ${what}`, /^[^\0]+$/);

/** A NONCE or quote in it would end its attribute, so the characters are those of RFC 3986. */
export const webAddress: Kind<string> = text(
  'URL',
  'an address that begins with https:// or mailto:, at most 500 characters',
  /^(?:https:\/\/|mailto:)[\w.~:/?#[\]@!$&'()*+,;=%-]{1,490}$/,
);

const HOST_PORT = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):[1-9]\d{0,4}$/;

export const hostPort = (note: string): Kind<string> =>
  text('HOST:PORT', `HOST:PORT${note}`, HOST_PORT);

const EMAIL_ADDRESS = /^[!-;=?A-~]{1,64}@[A-Za-z0-9.-]{1,253}$/;
const NAMED_ADDRESS = /^[A-Za-z0-9 ._-]{1,64} <([^<>]*)>$/;

export const sender = text('ADDRESS', 'name@example.com, or Name <name@example.com>, in ASCII', {
  test: (raw) => EMAIL_ADDRESS.test(NAMED_ADDRESS.exec(raw)?.[1] ?? raw),
});

/** Rejects an unknown query: it may be a misspelled request for TLS. */
function isSmtpUrl(raw: string): boolean {
  if (!URL.canParse(raw)) return false;
  const { protocol, hostname, search, pathname } = new URL(raw);
  const isPlain = ['', '/'].includes(pathname) && ['', '?tls=required'].includes(search);
  return ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && isPlain;
}

export const smtpUrl = text(
  null,
  'smtp://user:password@host:port, or smtps://…; smtp:// upgrades to TLS if the server ' +
    'offers it, and requires TLS with a password or ?tls=required',
  { test: isSmtpUrl },
);

export const oneOf = <const T extends string>(
  argument: string | null,
  words: readonly T[],
  accepts = `one of ${words.join(', ')}`,
): Kind<T> => ({ argument, accepts, read: (raw) => words.find((word) => word === raw) });

export const boolean = (note = ''): Kind<boolean> => ({
  argument: null,
  accepts: `"true" or "false"${note}`,
  read: (raw) => [true, false].find((value) => raw === value || raw === String(value)),
});

export const wholeNumber =
  (min: number, max: number) =>
  (raw: unknown): number | undefined => {
    const isText = typeof raw === 'string' && /^(0|[1-9]\d{0,14})$/.test(raw);
    const n = isText ? Number(raw) : raw;
    if (typeof n !== 'number' || !Number.isSafeInteger(n)) return undefined;
    return n >= min && n <= max ? n : undefined;
  };

/** `note` explains special numbers. */
export const whole = (argument: string, min: number, max: number, note = ''): Kind<number> => ({
  argument,
  accepts: `a whole number from ${min} to ${max}${note}`,
  read: wholeNumber(min, max),
});

/** `kind` completes "a … from". */
export const bytes = (kind: string, min: string, multipleOf: number): Kind<number> => ({
  argument: 'BYTES',
  accepts: `a ${kind} from ${min} to 1073741824 (1 GiB)`,
  read(raw) {
    const n = wholeNumber(Number.parseInt(min, 10), 2 ** 30)(raw);
    return n !== undefined && n % multipleOf === 0 ? n : undefined;
  },
});

/** An origin as a browser sends it: scheme, host and port, nothing after. */
const isOrigin = (raw: string): boolean =>
  /^https?:\/\//.test(raw) && URL.canParse(raw) && new URL(raw).origin === raw;

export const origins: Kind<readonly string[]> = {
  argument: 'LIST',
  accepts: '"*", "none", or origins such as https://app.example.com, separated by commas',
  read(raw) {
    const items = listed(raw);
    const isWildcard = items?.length === 1 && items[0] === '*';
    return isWildcard || items?.every(isOrigin) ? items : undefined;
  },
};

const LIST_OF_RANGES = `"none", or a list, separated by commas, each ${IP_RANGE_FORM}`;

export const ranges: Kind<IpRanges> = {
  argument: 'LIST',
  accepts: LIST_OF_RANGES,
  read(raw) {
    const items = listed(raw);
    const parsed = items === undefined ? undefined : parseIpRanges(items);
    return parsed === undefined || 'bad' in parsed ? undefined : parsed;
  },
};

export const rangesOrAny: Kind<IpRanges> = {
  argument: 'LIST',
  accepts: `"any", ${LIST_OF_RANGES}`,
  read: (raw, mode) => (raw === 'any' ? ANY_ADDRESS : ranges.read(raw, mode)),
};

/** The members of a list: comma-separated text, or an array of texts in the file. */
function listed(raw: unknown): string[] | undefined {
  if (raw === 'none') return [];
  if (typeof raw === 'string') return raw.split(',').map((item) => item.trim());
  const isList = Array.isArray(raw) && raw.every((item) => typeof item === 'string');
  return isList ? raw : undefined;
}
