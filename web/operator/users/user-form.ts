// Forms about people as requests: a new user, the terms of one, a new key.
import { looksLikeEmail } from '../../account/address.ts';
import { lengthFault } from '../../account/password-length.ts';
import type { NewKey, NewUser, User, UserTerms } from '../../api/operator.ts';
import { type Checked, percentOf, Reading, rateOf, textOf, wholeOf } from '../parts/check.ts';

export interface NewUserValues {
  readonly email: string;
  readonly password: string;
  readonly kyc: boolean;
  /** '' for none. */
  readonly enterpriseId: string;
  readonly enterpriseAdmin: boolean;
}

export const EMPTY_USER: NewUserValues = {
  email: '',
  password: '',
  kyc: false,
  enterpriseId: '',
  enterpriseAdmin: false,
};

export function toNewUser(values: NewUserValues): Checked<NewUser, 'email' | 'password'> {
  const reading = new Reading<'email' | 'password'>();
  const email = reading.take('email', textOf(values.email, 'an e-mail address', 254));
  if (reading.isFine('email') && !looksLikeEmail(email)) {
    reading.fault('email', 'An address such as name@example.com.');
  }
  const { password, kyc, enterpriseId, enterpriseAdmin } = values;
  const fault = password === '' ? null : lengthFault(password);
  if (fault !== null) reading.fault('password', fault);
  return reading.finish({
    email,
    kyc,
    ...(password === '' ? {} : { password }),
    ...(enterpriseId === '' ? {} : { enterpriseId, enterpriseAdmin }),
  });
}

export interface TermsValues {
  readonly kyc: boolean;
  /** In percent; '' for what the instrument charges. */
  readonly makerFee: string;
  readonly takerFee: string;
  readonly maxOpenOrders: string;
  readonly enterpriseId: string;
  readonly enterpriseAdmin: boolean;
}

export const valuesOf = (user: User): TermsValues => ({
  kyc: user.kyc,
  makerFee: user.makerFee === null ? '' : percentOf(user.makerFee),
  takerFee: user.takerFee === null ? '' : percentOf(user.takerFee),
  maxOpenOrders: user.maxOpenOrders,
  enterpriseId: user.enterpriseId ?? '',
  enterpriseAdmin: user.enterpriseAdmin,
});

export type TermsField = 'makerFee' | 'takerFee' | 'maxOpenOrders';

const MOST_OPEN_ORDERS = 1_000_000;
const ORDERS = { least: 0, most: MOST_OPEN_ORDERS, unit: 'orders' } as const;

/** Only what differs from what the user has; an empty body where nothing does. */
export function toUserTerms(values: TermsValues, now: User): Checked<UserTerms, TermsField> {
  const reading = new Reading<TermsField>();
  const before = valuesOf(now);
  const fee = (field: 'makerFee' | 'takerFee'): string | null =>
    values[field].trim() === ''
      ? null
      : reading.take(field, rateOf(values[field], { most: '100', below: true }));
  const next: Required<Omit<UserTerms, 'status'>> = {
    kyc: values.kyc,
    makerFee: fee('makerFee'),
    takerFee: fee('takerFee'),
    maxOpenOrders: reading.take('maxOpenOrders', wholeOf(values.maxOpenOrders, ORDERS)),
    enterpriseId: values.enterpriseId === '' ? null : values.enterpriseId,
    enterpriseAdmin: values.enterpriseId !== '' && values.enterpriseAdmin,
  };
  const current: Required<Omit<UserTerms, 'status'>> = {
    kyc: before.kyc,
    makerFee: now.makerFee,
    takerFee: now.takerFee,
    maxOpenOrders: Number(now.maxOpenOrders),
    enterpriseId: now.enterpriseId,
    enterpriseAdmin: now.enterpriseAdmin,
  };
  const changed = Object.entries(next).filter(
    ([field, value]) => value !== current[field as keyof typeof current],
  );
  return reading.finish(Object.fromEntries(changed) as UserTerms);
}

export interface NewKeyValues {
  readonly alias: string;
  readonly moduleIds: readonly string[];
  /** One address or range a line; '' for any address. */
  readonly ipAllowList: string;
  /** A day such as 2027-01-31, its end in UTC; '' for no end. */
  readonly expires: string;
  readonly strictClOrdId: boolean;
  readonly replayGuard: boolean;
}

export const EMPTY_KEY: NewKeyValues = {
  alias: '',
  moduleIds: ['5', '6'],
  ipAllowList: '',
  expires: '',
  strictClOrdId: false,
  replayGuard: true,
};

export type KeyField = 'alias' | 'moduleIds' | 'ipAllowList' | 'expires';

const MODULE_IDS = [1, 2, 3, 4, 5, 6] as const;
const MOST_RANGES = 50;
const LAST_MS_OF_DAY = 86_399_999;

/** `now`: wall clock, ms. */
export function toNewKey(values: NewKeyValues, now: number): Checked<NewKey, KeyField> {
  const reading = new Reading<KeyField>();
  const alias = reading.take('alias', textOf(values.alias, 'a name for the key', 64));
  const { moduleIds, strictClOrdId, replayGuard, expires } = values;
  if (moduleIds.length === 0) reading.fault('moduleIds', 'Choose at least one privilege.');
  const ranges = values.ipAllowList.split(/[\s,]+/).filter((range) => range !== '');
  if (ranges.length > MOST_RANGES) reading.fault('ipAllowList', `At most ${MOST_RANGES} ranges.`);
  const expiresAt = expires === '' ? null : Date.parse(`${expires}T00:00:00Z`) + LAST_MS_OF_DAY;
  if (expiresAt !== null && !(expiresAt > now)) {
    reading.fault('expires', 'A day from today on, or none.');
  }
  return reading.finish({
    alias,
    moduleIds: MODULE_IDS.filter((id) => moduleIds.includes(String(id))),
    ...(ranges.length === 0 ? {} : { ipAllowList: ranges }),
    ...(expiresAt === null ? {} : { expiresAt }),
    strictClOrdId,
    replayGuard,
  });
}

/** The privileges of a key, by their numbers on the wire. */
export const MODULES: readonly {
  readonly id: string;
  readonly name: string;
  readonly what: string;
}[] = [
  { id: '5', name: 'Read trading', what: 'Orders, fills, balances, fees, statement.' },
  { id: '6', name: 'Trade', what: 'Orders and cancels. Reading is a privilege of its own.' },
  { id: '1', name: 'Read earn', what: 'Subscriptions and interest.' },
  { id: '2', name: 'Subscribe to earn', what: 'Subscribes, and switches auto renew.' },
  { id: '3', name: 'Redeem earn', what: 'Takes principal out of plans.' },
  { id: '4', name: 'Administer the enterprise', what: 'Only for an admin of an enterprise.' },
];

export const moduleNames = (ids: readonly string[]): string =>
  MODULES.filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');
