// The form for a new user.
import { useLocation } from 'wouter';
import type { OperatorCreateUserRequest } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { usersText as text } from '../../messages/operator-users.ts';
import { keys, operator } from '../data.ts';
import { EnterpriseFields } from '../enterprises/enterprise-fields.tsx';
import { type Layout, RequestPanel, useRequestForm } from '../parts/request-form.tsx';
import { EMPTY_USER, type NewUserValues, parseNewUser } from './user-form.ts';

const sentences = (body: OperatorCreateUserRequest) => [
  text.createsUser(body.email),
  body.password === undefined ? text.createsWithoutPassword : text.createsWithPassword,
  body.kyc ? text.createsVerified : text.createsUnverified,
  ...(body.enterpriseId === undefined
    ? []
    : [text.createsMember(body.enterpriseId, body.enterpriseAdmin ?? false)]),
];

export function CreateUser() {
  const [, navigate] = useLocation();
  const request = useRequestForm(EMPTY_USER, parseNewUser);
  const create = useAction((body: OperatorCreateUserRequest) => operator.createUser(body), {
    done: ({ uid }) => text.userCreated(uid),
    refreshes: [keys.users, keys.enterprises],
    onDone: ({ uid }) => navigate(`/operator/users/${uid}`),
  });
  const layout: Layout<NewUserValues> = [
    { kind: 'email', name: 'email', label: text.email, description: text.emailUse },
    { kind: 'password', name: 'password', label: text.password, description: text.passwordUse },
    { kind: 'checkbox', name: 'kyc', label: text.kycVerified, description: text.kycUse },
    <EnterpriseFields key="enterprise" form={request.form} />,
  ];
  return (
    <PageFrame title={text.newUser} lead={text.newUserLead}>
      <RequestPanel
        request={request}
        layout={layout}
        action={create}
        submit={text.createUser}
        preview={{ method: 'POST', path: '/users', sentences }}
      />
    </PageFrame>
  );
}
