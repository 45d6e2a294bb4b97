// The forms about users as requests: a new user, the terms of a user, and a new API key.
import type {
  OperatorAmendUserRequest,
  OperatorCreateKeyRequest,
  OperatorCreateUserRequest,
  User,
} from '../../../src/sdk/index.ts';
import { looksLikeEmail } from '../../account/address.ts';
import { lengthFault } from '../../account/password-length.ts';
import { PRIVILEGES } from '../../keys/privileges.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import {
  changesIn,
  FormReader,
  type FormResult,
  parseInteger,
  parseRate,
  parseText,
  percentOf,
} from '../parts/parse.ts';

/** The id of a chosen enterprise; null for none (''). */
const enterpriseIdOf = (chosen: string): number | null => (chosen === '' ? null : Number(chosen));

export const EMPTY_USER = {
  email: '',
  password: '',
  kyc: false,
  /** '' for none. */
  enterpriseId: '',
  enterpriseAdmin: false,
};
export type NewUserValues = typeof EMPTY_USER;

export function parseNewUser(
  values: NewUserValues,
): FormResult<OperatorCreateUserRequest, 'email' | 'password'> {
  const reader = new FormReader<'email' | 'password'>();
  const email = reader.read('email', parseText(values.email, text.emailName, 254));
  if (reader.isValid('email') && !looksLikeEmail(email)) reader.reject('email', text.emailExample);
  const { password, kyc, enterpriseAdmin } = values;
  const fault = password === '' ? null : lengthFault(password);
  if (fault !== null) reader.reject('password', fault);
  const enterpriseId = enterpriseIdOf(values.enterpriseId);
  return reader.finish({
    email,
    kyc,
    ...(password === '' ? {} : { password }),
    ...(enterpriseId === null ? {} : { enterpriseId, enterpriseAdmin }),
  });
}

export interface TermsValues {
  readonly kyc: boolean;
  /** In percent; '' for the pair's fee. */
  readonly makerFee: string;
  readonly takerFee: string;
  readonly maxOpenOrders: string;
  /** '' for none. */
  readonly enterpriseId: string;
  readonly enterpriseAdmin: boolean;
}

export const termsOf = (user: User): TermsValues => ({
  kyc: user.kyc,
  makerFee: user.makerFee === null ? '' : percentOf(user.makerFee),
  takerFee: user.takerFee === null ? '' : percentOf(user.takerFee),
  maxOpenOrders: String(user.maxOpenOrders),
  enterpriseId: String(user.enterpriseId ?? ''),
  enterpriseAdmin: user.enterpriseAdmin,
});

export type TermsField = 'makerFee' | 'takerFee' | 'maxOpenOrders';

const FEE = { maximum: '100', below: true } as const;
const OPEN_ORDERS = { minimum: 0, maximum: 1_000_000, unit: text.ordersUnit } as const;

/** The terms that differ from the user's; an empty body if none does. */
export function parseTerms(
  values: TermsValues,
  user: User,
): FormResult<OperatorAmendUserRequest, TermsField> {
  const reader = new FormReader<TermsField>();
  const fee = (field: 'makerFee' | 'takerFee'): string | null =>
    values[field].trim() === '' ? null : reader.read(field, parseRate(values[field], FEE));
  const enterpriseId = enterpriseIdOf(values.enterpriseId);
  const next = {
    kyc: values.kyc,
    makerFee: fee('makerFee'),
    takerFee: fee('takerFee'),
    maxOpenOrders: reader.read('maxOpenOrders', parseInteger(values.maxOpenOrders, OPEN_ORDERS)),
    enterpriseId,
    enterpriseAdmin: enterpriseId !== null && values.enterpriseAdmin,
  };
  return reader.finish(changesIn(next, user));
}

export interface NewKeyValues {
  readonly alias: string;
  readonly moduleIds: readonly string[];
  /** One address or range per line; '' for any address. */
  readonly ipAllowList: string;
  /** A UTC day such as 2027-01-31; '' for a key that does not expire. */
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

const MAX_RANGES = 50;
const LAST_MS_OF_DAY = 86_399_999;

/** `now`: wall clock, ms. */
export function parseNewKey(
  values: NewKeyValues,
  now: number,
): FormResult<OperatorCreateKeyRequest, KeyField> {
  const reader = new FormReader<KeyField>();
  const alias = reader.read('alias', parseText(values.alias, text.keyNameName, 64));
  const { strictClOrdId, replayGuard, expires } = values;
  const moduleIds = PRIVILEGES.map(({ id }) => id)
    .filter((id) => values.moduleIds.includes(String(id)))
    .toSorted((a, b) => a - b);
  if (moduleIds.length === 0) reader.reject('moduleIds', text.choosePrivilege);
  const ranges = values.ipAllowList.split(/[\s,]+/).filter((range) => range !== '');
  if (ranges.length > MAX_RANGES) reader.reject('ipAllowList', text.tooManyRanges(MAX_RANGES));
  const expiresAt = expires === '' ? null : Date.parse(`${expires}T00:00:00Z`) + LAST_MS_OF_DAY;
  if (expiresAt !== null && !(expiresAt > now)) reader.reject('expires', text.lastDayFuture);
  return reader.finish({
    alias,
    moduleIds,
    ...(ranges.length === 0 ? {} : { ipAllowList: ranges }),
    ...(expiresAt === null ? {} : { expiresAt }),
    strictClOrdId,
    replayGuard,
  });
}
