// The operator's calls about users, their keys and their money: requests, commands in core units,
// and the answers about users. Assets and instruments are in listing.ts, plans in earn.ts.

import type { AmendUser, AssignEnterprise, TransferFunds } from '../../core/command.ts';
import { byFeeRole } from '../../core/fee-rates.ts';
import type { Asset } from '../../core/instrument.ts';
import { type AccountCode, CODE_NAMES } from '../../core/ledger/account-code.ts';
import type { State } from '../../core/state.ts';
import { type Amount, add, ZERO } from '../../core/units.ts';
import { INSTRUMENT_FEE, type User } from '../../core/user.ts';
import { missingField } from '../absent.ts';
import type { Infer } from '../fields.ts';
import { array, boolean, decimal, integer, numericId, oneOf, optional, text } from '../fields.ts';
import { onScale, toRate } from '../grid.ts';
import { makeCommand } from '../nearest.ts';
import { object } from '../object.ts';
import { pageQueryFields } from '../paging.ts';
import { invalidField } from '../problem.ts';
import type { Field } from '../wire.ts';
import { assetSums } from './answers.ts';

/** Orders in one account; the operator's limit is below it. */
const MOST_OPEN_ORDERS = 1_000_000;
/** References are stored permanently, so they are short. */
const MAX_REFERENCE = 128;

export const usersQuery = object({
  query: optional(text({ max: 254, about: 'A part of the email address, or the uid.' }), ''),
  ...pageQueryFields,
});

/** May be absent (undefined) or null (reset to the default); `meaning` is that of null. */
export function clearable<T>(
  field: Field<T>,
  meaning: string,
  about?: string,
): Field<T | null | undefined> {
  return {
    ...field,
    optional: true,
    absent: undefined,
    nullIsValue: true,
    expected: `${field.expected}, or null`,
    read: (value, path) => (value === null ? null : field.read(value, path)),
    toJsonSchema: () => ({
      ...optional(field).toJsonSchema(),
      ...(about === undefined ? {} : { description: about }),
      'x-null': meaning,
    }),
  };
}

const uid = numericId('The number of the user.');
const email = text({
  max: 254,
  format: 'email',
  about: 'Identifies one user. The user logs in with it.',
});
const password = optional(
  text({
    min: 8,
    max: 128,
    secret: true,
    about: 'Without one, the user sets it with a code by email.',
  }),
);
const KYC = 'Whether the identity is verified. Some plans require it.';

const membership = {
  enterpriseId: clearable(
    integer({
      min: 0,
      lenient: true,
      about: 'A company whose members use Earn together. Its admins see their subscriptions.',
    }),
    'no enterprise',
  ),
  enterpriseAdmin: optional(
    boolean({
      about: 'Sees the members’ subscriptions and sets the margins. Ends with the membership.',
    }),
  ),
} as const;

export const createUserBody = object({
  email,
  password,
  kyc: optional(boolean({ about: KYC }), false),
  ...membership,
});

export const attachUserBody = object({ email, password });

const ownFee = (about: string) =>
  clearable(decimal({ sign: 'notNegative', unit: 'rate', about }), 'the fee of the pair');

export const amendUserBody = object({
  kyc: optional(boolean({ about: KYC })),
  status: optional(
    oneOf(['active', 'suspended'], {
      about: 'A suspended user can read, but cannot make changes. Open orders are canceled.',
    }),
  ),
  makerFee: ownFee('For resting orders. 0: no fee.'),
  takerFee: ownFee('For orders that trade on arrival. 0: no fee.'),
  maxOpenOrders: optional(
    integer({
      min: 0,
      max: MOST_OPEN_ORDERS,
      about: 'In all pairs together. The server rejects new orders above it.',
    }),
  ),
  ...membership,
});

/** The fields of a new key that operator and customer share. */
export const newKeyFields = {
  alias: text({ min: 1, max: 64, about: 'Distinguishes the key from other keys.' }),
  moduleIds: array(oneOf([1, 2, 3, 4, 5, 6], { lenient: true }), {
    min: 1,
    max: 6,
    about: 'The calls that the key may make.',
  }),
  ipAllowList: optional(
    array(text({ max: 50 }), {
      min: 1,
      max: 50,
      about: 'Addresses and CIDR ranges that may use the key. Without them, every address may.',
    }),
  ),
  expiresAt: optional(integer({ min: 1, unit: 'epochMs', about: 'When the key expires.' })),
  strictClOrdId: optional(
    boolean({ about: 'Rejects an order with the client order ID of an open order.' }),
    false,
  ),
} as const;

export const createKeyBody = object({
  ...newKeyFields,
  replayGuard: optional(
    boolean({
      about:
        'Rejects a write whose signature was already used. Turn it off only for clients that ' +
        'cannot sign each request.',
    }),
    true,
  ),
});

export const transferReference = text({
  min: 1,
  max: MAX_REFERENCE,
  ascii: true,
  about:
    'Identifies this transfer permanently, such as the number of the bank transfer. A retry is ' +
    'safe: it moves nothing, and the server rejects other details.',
});

export const transferBody = object({
  uid,
  asset: text({ min: 1, max: 32, ascii: true, about: 'Such as USDT.' }),
  amount: decimal({ sign: 'positive', unit: 'asset' }),
  reference: transferReference,
});

/** Rejects a PATCH that changes nothing: it is a misunderstanding. */
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
  return {
    type: 'amendUser',
    uid,
    kyc: body.kyc ?? null,
    suspended: body.status === undefined ? null : body.status === 'suspended',
    ...byFeeRole((role) => {
      const rate = body[role];
      return rate === undefined ? null : rate === null ? INSTRUMENT_FEE : toRate(role, rate);
    }),
    maxOpenOrders: body.maxOpenOrders ?? null,
  };
}

/** Throws Problem for an amount that is finer than the asset. */
export const toTransferFunds = (
  state: State,
  direction: TransferFunds['direction'],
  { assetId, scale, name }: Asset,
  body: Infer<typeof transferBody>,
): TransferFunds =>
  makeCommand(state, body, ({ uid, amount, reference }) => ({
    type: 'transferFunds',
    direction,
    uid,
    assetId,
    amount: onScale('amount', amount, scale, name),
    reference,
  }));

/** Per asset the sum of each kind of account, all customers together, and the total: zero. */
export function writeTrialBalance(state: State) {
  const totals = state.assets.map(() => new Map<AccountCode, Amount>());
  for (const { assetId, code, balance } of state.ledger.accounts()) {
    const ofAsset = totals[assetId]!;
    ofAsset.set(code, add(ofAsset.get(code) ?? ZERO, balance));
  }
  return state.listedAssets.map((asset) => {
    const sorted = [...totals[asset.assetId]!].sort(([a], [b]) => a - b);
    const accounts = sorted.map(([code, balance]) => ({ code: CODE_NAMES[code], balance }));
    const sum = accounts.reduce((total, { balance }) => add(total, balance), ZERO);
    return assetSums.write({ sum, accounts }, asset);
  });
}
