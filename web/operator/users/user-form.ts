// The forms about users: a new user, the terms of a user, and a new API key.
import type {
  Enterprise,
  OperatorAmendUserRequest,
  OperatorCreateUserRequest,
} from '../../../src/sdk/index.ts';
import { PRIVILEGES } from '../../keys/privileges.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { describer, type Field, type Layout } from '../parts/fields.ts';

export const EMPTY_USER = {
  email: '',
  password: '',
  kyc: false,
  makerFee: '',
  takerFee: '',
  maxOpenOrders: '',
  enterpriseId: '',
  enterpriseAdmin: false,
};
export type UserValues = typeof EMPTY_USER;

const field = describer<UserValues>(text.fields);

/** Enterprises as the options of a field. */
export const enterpriseOptions = (enterprises: readonly Enterprise[]) =>
  enterprises.map(({ enterpriseId, name }) => ({
    value: enterpriseId,
    label: `${enterpriseId} · ${name}`,
  }));

/** A change of enterprise ends the admin role. */
const membershipFields = (
  { enterpriseId }: UserValues,
  enterprises: readonly Enterprise[],
): readonly Field<UserValues>[] => [
  field('select', 'enterpriseId', {
    options: enterpriseOptions(enterprises),
    empty: text.none,
    resets: { enterpriseAdmin: false },
  }),
  ...(enterpriseId === '' ? [] : [field('checkbox', 'enterpriseAdmin')]),
];

export const newUserLayout =
  (enterprises: readonly Enterprise[]) =>
  (values: UserValues): Layout<UserValues> => [
    field('email', 'email'),
    field('password', 'password', { empty: text.none }),
    field('checkbox', 'kyc'),
    ...membershipFields(values, enterprises),
  ];

/** The effect of a new user, in sentences. */
export const newUserSentences = (body: OperatorCreateUserRequest): string[] => [
  text.createsUser(body.email),
  body.password === undefined ? text.createsWithoutPassword : text.createsWithPassword,
  body.kyc ? text.createsVerified : text.createsUnverified,
  ...(body.enterpriseId === undefined
    ? []
    : [text.createsMember(body.enterpriseId, body.enterpriseAdmin ?? false)]),
];

export const termsLayout =
  (enterprises: readonly Enterprise[]) =>
  (values: UserValues): Layout<UserValues> => [
    field('checkbox', 'kyc'),
    [
      field('percent', 'makerFee', { empty: text.none }),
      field('percent', 'takerFee', { empty: text.none }),
      field('integer', 'maxOpenOrders'),
    ],
    ...membershipFields(values, enterprises),
  ];

/** Without an enterprise, a user is no admin. */
export const finishTerms = (terms: OperatorAmendUserRequest): OperatorAmendUserRequest => ({
  enterpriseAdmin: false,
  ...terms,
});

export const EMPTY_KEY = {
  alias: '',
  moduleIds: ['5', '6'] as readonly string[],
  ipAllowList: '',
  expiresAt: '',
  strictClOrdId: false,
  replayGuard: true,
};
export type KeyValues = typeof EMPTY_KEY;

const keyField = describer<KeyValues>(text.keyFields);

const PRIVILEGE_OPTIONS = PRIVILEGES.map(({ id, name, allows }) => ({
  value: id,
  label: name,
  description: allows,
}));

export const keyLayout = (): Layout<KeyValues> => [
  keyField('text', 'alias', { autoFocus: true }),
  keyField('checkboxes', 'moduleIds', { options: PRIVILEGE_OPTIONS }),
  keyField('lines', 'ipAllowList', { empty: text.none }),
  keyField('date', 'expiresAt', { empty: text.none }),
  keyField('checkbox', 'strictClOrdId'),
  keyField('checkbox', 'replayGuard'),
];
