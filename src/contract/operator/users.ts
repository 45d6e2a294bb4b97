// The operator's calls about users, their keys and their money: requests, commands in core units,
// and the answers about users. Assets and instruments are in listing.ts, plans in earn.ts.

import type { AmendUser, AssignEnterprise, TransferFunds } from '../../core/command.ts';
import type { Asset } from '../../core/instrument.ts';
import { type AccountCode, CODE_NAMES } from '../../core/ledger/account-code.ts';
import type { State } from '../../core/state.ts';
import { type Amount, add, ZERO } from '../../core/units.ts';
import { INSTRUMENT_FEE, type User } from '../../core/user.ts';
import type { Written } from '../answer.ts';
import type { Field, Infer } from '../fields.ts';
import {
  array,
  boolean,
  decimal,
  integer,
  missingField,
  oneOf,
  optional,
  text,
} from '../fields.ts';
import { onScale, toRate } from '../grid.ts';
import { jsonRate, jsonUnits } from '../json.ts';
import { object } from '../object.ts';
import { DEFAULT_PAGE, DEFAULT_PAGE_SIZE, page, pageSize } from '../paging.ts';
import { invalidField } from '../problem.ts';
import type * as answers from './answers.ts';

/** Orders in one account; the operator's limit is below it. */
const MOST_OPEN_ORDERS = 1_000_000;
/** References are stored permanently, so they are short. */
const MAX_REFERENCE = 128;

export const usersQuery = object({
  query: optional(text({ max: 254, about: 'A part of the email address, or the uid.' }), ''),
  page: optional(page, DEFAULT_PAGE),
  pageSize: optional(pageSize, DEFAULT_PAGE_SIZE),
});

/** May be absent (undefined) or null (reset to the default). */
export function clearable<T>(field: Field<T>): Field<T | null | undefined> {
  return {
    optional: true,
    absent: undefined,
    expected: `${field.expected}, or null`,
    read: (value, path) => (value === null ? null : field.read(value, path)),
    readText: (raw, path) => field.readText(raw, path),
    toJsonSchema: () => field.toJsonSchema(),
  };
}

const membership = {
  enterpriseId: clearable(
    integer({ min: 0, lenient: true, about: 'The enterprise of the user; 0 or null: none.' }),
  ),
  enterpriseAdmin: optional(
    boolean({
      about: 'Whether keys of the user may administer it. Ends with a change of enterprise.',
    }),
  ),
} as const;

export const createUserBody = object({
  email: text({ max: 254, about: 'An address such as name@example.com; each names one user.' }),
  password: optional(
    text({ min: 8, max: 128, secret: true, about: 'Without one, the user cannot log in.' }),
  ),
  kyc: optional(boolean({ about: 'Whether the identity of the user is verified.' }), false),
  ...membership,
});

export const attachUserBody = object({
  email: text({ max: 254, about: 'An address such as name@example.com; each names one user.' }),
  password: optional(
    text({ min: 8, max: 128, secret: true, about: 'Without one, the user sets it with a reset.' }),
  ),
});

const ownFee = (who: string) =>
  clearable(
    decimal({ sign: 'notNegative', about: `Rate as ${who}; null: the fee of the instrument.` }),
  );

export const amendUserBody = object({
  kyc: optional(boolean()),
  status: optional(
    oneOf(['active', 'suspended'], {
      about: 'A suspended user can read and change nothing; open orders are canceled.',
    }),
  ),
  makerFee: ownFee('maker'),
  takerFee: ownFee('taker'),
  maxOpenOrders: optional(integer({ min: 0, max: MOST_OPEN_ORDERS })),
  ...membership,
});

/** The fields of a new key that operator and customer share. */
export const newKeyFields = {
  alias: text({ min: 1, max: 64 }),
  moduleIds: array(oneOf([1, 2, 3, 4, 5, 6], { lenient: true }), { min: 1, max: 6 }),
  ipAllowList: optional(
    array(text({ max: 50 }), { min: 1, max: 50, about: 'Addresses and CIDR ranges.' }),
  ),
  expiresAt: optional(integer({ min: 1, about: 'Epoch milliseconds.' })),
  strictClOrdId: optional(
    boolean({ about: 'Refuses a clOrdId that an open order already has.' }),
    false,
  ),
} as const;

export const createKeyBody = object({
  ...newKeyFields,
  replayGuard: optional(boolean({ about: 'Whether a signature of a write works once.' }), true),
});

export const transferReference = text({
  min: 1,
  max: MAX_REFERENCE,
  ascii: true,
  about: 'Names this transfer permanently: a repeated one moves nothing and has the same answer.',
});

export const transferBody = object({
  uid: integer({ min: 1, lenient: true }),
  asset: text({ min: 1, max: 32, ascii: true }),
  amount: decimal({ sign: 'positive' }),
  reference: transferReference,
});

/** Refuses a PATCH that changes nothing: it is a misunderstanding. */
export function requireSomeField(body: Readonly<Record<string, unknown>>): void {
  if (Object.values(body).some((value) => value !== undefined)) return;
  throw missingField('body', `an object with at least one of ${Object.keys(body).join(', ')}`);
}

/** The one or two commands of a PATCH. Throws Problem for impossible changes. */
export function toUserCommands(
  user: User,
  body: Infer<typeof amendUserBody>,
): (AmendUser | AssignEnterprise)[] {
  const assign = toAssignEnterprise(user, body);
  const { enterpriseId, enterpriseAdmin, ...others } = body;
  const amends = Object.values(others).some((value) => value !== undefined);
  return [...(assign === null ? [] : [assign]), ...(amends ? [toAmendUser(user.uid, body)] : [])];
}

type Membership = Pick<User, 'uid' | 'enterpriseId' | 'enterpriseAdmin'>;

/** null if the body does not mention it. Throws Problem for an admin of no enterprise. */
export function toAssignEnterprise(
  now: Membership,
  body: Pick<Infer<typeof amendUserBody>, 'enterpriseId' | 'enterpriseAdmin'>,
): AssignEnterprise | null {
  if (body.enterpriseId === undefined && body.enterpriseAdmin === undefined) return null;
  const enterpriseId =
    body.enterpriseId === undefined ? now.enterpriseId : (body.enterpriseId ?? 0);
  // An admin of one enterprise has no rights in another.
  const stays = enterpriseId === now.enterpriseId && now.enterpriseAdmin;
  const admin = body.enterpriseAdmin ?? stays;
  if (admin && enterpriseId === 0) {
    const must = 'go with the enterpriseId of the enterprise that the user administers';
    throw invalidField('enterpriseAdmin', must, { rule: 'enterprise' });
  }
  return { type: 'assignEnterprise', uid: now.uid, enterpriseId, admin };
}

function toAmendUser(uid: number, body: Infer<typeof amendUserBody>): AmendUser {
  const fee = (field: 'makerFee' | 'takerFee') => {
    const rate = body[field];
    return rate === undefined ? null : rate === null ? INSTRUMENT_FEE : toRate(field, rate);
  };
  return {
    type: 'amendUser',
    uid,
    kyc: body.kyc ?? null,
    suspended: body.status === undefined ? null : body.status === 'suspended',
    makerFee: fee('makerFee'),
    takerFee: fee('takerFee'),
    maxOpenOrders: body.maxOpenOrders ?? null,
  };
}

/** Throws Problem for an amount that is finer than the asset. */
export function toTransferFunds(
  direction: TransferFunds['direction'],
  asset: Asset,
  body: Infer<typeof transferBody>,
): TransferFunds {
  return {
    type: 'transferFunds',
    direction,
    uid: body.uid,
    assetId: asset.assetId,
    amount: onScale('amount', body.amount, asset.scale, asset.name),
    reference: body.reference,
  };
}

/** A user in the operator's calls. */
export function writeUser(
  user: User,
  person: { readonly email: string; readonly createdAt: number },
): Written<typeof answers.user> {
  const fee = (rate: number) => (rate === INSTRUMENT_FEE ? null : jsonRate(rate));
  return {
    uid: user.uid,
    email: person.email,
    kyc: user.kyc,
    status: user.suspended ? 'suspended' : 'active',
    makerFee: fee(user.makerFee),
    takerFee: fee(user.takerFee),
    maxOpenOrders: user.maxOpenOrders,
    enterpriseId: user.enterpriseId === 0 ? null : user.enterpriseId,
    enterpriseAdmin: user.enterpriseAdmin,
    createdAt: person.createdAt,
  };
}

/** Per asset the sum of each kind of account, all customers together, and the total: zero. */
export function writeTrialBalance(state: State): Written<typeof answers.assetSums>[] {
  const totals = state.assets.map(() => new Map<AccountCode, Amount>());
  for (const { assetId, code, balance } of state.ledger.accounts()) {
    const ofAsset = totals[assetId]!;
    ofAsset.set(code, add(ofAsset.get(code) ?? ZERO, balance));
  }
  return state.assets.map(({ assetId, name, scale }) => {
    const accounts = [...totals[assetId]!].sort(([a], [b]) => a - b);
    return {
      asset: name,
      sum: jsonUnits(
        accounts.reduce((sum, [, balance]) => add(sum, balance), ZERO),
        scale,
      ),
      accounts: accounts.map(([code, balance]) => ({
        code: CODE_NAMES[code],
        balance: jsonUnits(balance, scale),
      })),
    };
  });
}
