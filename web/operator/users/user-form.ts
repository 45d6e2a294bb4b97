// The forms about users: a new user, the terms of a user, and a new API key.
import { KEY, USER } from '../../../src/contract/generated/operator-fields.ts';
import type {
  Enterprise,
  OperatorAmendUserRequest,
  OperatorCreateUserRequest,
} from '../../../src/sdk/index.ts';
import { PRIVILEGES } from '../../keys/privileges.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { describer, emptyValues, type Layout } from '../parts/fields.ts';

export const EMPTY_USER = emptyValues(USER);
export type UserValues = typeof EMPTY_USER;

const { fields } = describer(USER, text.fields);

/** Enterprises as the options of a field. */
export const enterpriseOptions = (enterprises: readonly Enterprise[]) =>
  enterprises.map(({ enterpriseId, name }) => ({
    value: enterpriseId,
    label: `${enterpriseId} · ${name}`,
  }));

const shownFields = (
  form: 'create' | 'edit',
  values: UserValues,
  enterprises: readonly Enterprise[],
) => {
  const options = enterpriseOptions(enterprises);
  // A change of enterprise ends the admin role.
  const enterpriseId = { options, resets: { enterpriseAdmin: false } };
  const isMember = values.enterpriseId !== '';
  return fields(form, values, { enterpriseId }, (name) => name !== 'enterpriseAdmin' || isMember);
};

export const newUserLayout =
  (enterprises: readonly Enterprise[]) =>
  (values: UserValues): Layout<UserValues> =>
    shownFields('create', values, enterprises);

export const termsLayout =
  (enterprises: readonly Enterprise[]) =>
  (values: UserValues): Layout<UserValues> => [shownFields('edit', values, enterprises)];

/** The effect of a new user, in sentences. */
export const newUserSentences = (body: OperatorCreateUserRequest): string[] => [
  text.createsUser(body.email),
  body.password === undefined ? text.createsWithoutPassword : text.createsWithPassword,
  body.kyc ? text.createsVerified : text.createsUnverified,
  ...(body.enterpriseId === undefined
    ? []
    : [text.createsMember(body.enterpriseId, body.enterpriseAdmin ?? false)]),
];

/** Without an enterprise, a user is no admin. */
export const finishTerms = (terms: OperatorAmendUserRequest): OperatorAmendUserRequest => ({
  enterpriseAdmin: false,
  ...terms,
});

export const EMPTY_KEY = emptyValues(KEY, { moduleIds: ['5', '6'] });
export type KeyValues = typeof EMPTY_KEY;

const { fields: keyFields } = describer(KEY, text.keyFields);

const PRIVILEGE_OPTIONS = PRIVILEGES.map(({ id, name, allows }) => ({
  value: id,
  label: name,
  description: allows,
}));

export const keyLayout = (): Layout<KeyValues> =>
  keyFields('create', EMPTY_KEY, {
    alias: { autoFocus: true },
    moduleIds: { options: PRIVILEGE_OPTIONS },
  });
