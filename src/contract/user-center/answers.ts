// The answers of the user center.
import * as answer from '../answer.ts';
import { boolean, decimal, integer, oneOf, optional, text } from '../fields.ts';

export const ticket = answer.object('Ticket', 'Send it back with the emailed code.', {
  ticket: text(),
  expiresAt: answer.time(),
});

export const registered = answer.object('Registered', 'The new account.', {
  uid: integer(),
});

export const login = answer.object('Login', 'The new session.', {
  token: text(),
  expiresAt: answer.time('The latest end of the session.'),
});

export const steppedUp = answer.object('SteppedUp', 'The session under its new token.', {
  ...login.shape.fields,
  steppedUpUntil: answer.time(),
});

export const me = answer.object('Me', 'The customer of the session.', {
  uid: integer(),
  email: text(),
  kyc: boolean(),
  status: answer.made(oneOf(['active', 'suspended']), ({ suspended }: { suspended: boolean }) =>
    suspended ? 'suspended' : 'active',
  ),
  totpActive: boolean(),
  recoveryCodesLeft: integer(),
  enterpriseId: answer.nonZero(integer()),
  enterpriseName: answer.nullable(text()),
  enterpriseAdmin: boolean(),
  createdAt: answer.time(),
});

export const totpEnrolment = answer.object('TotpEnrolment', 'Shown only once.', {
  secret: text(),
  otpauthUrl: text(),
});

export const recoveryCodes = answer.object('RecoveryCodes', 'Shown only once.', {
  recoveryCodes: answer.list(text()),
});

export const renewedSession = answer.object(
  'RenewedSession',
  'The session continues under this token; the previous token no longer works.',
  { token: optional(text('Absent for a browser: its cookie is replaced.')) },
);

export const activatedTotp = answer.object('ActivatedTotp', 'Two-factor authentication is on.', {
  ...recoveryCodes.shape.fields,
  ...renewedSession.shape.fields,
});

export const newKey = answer.object('NewKey', 'Shown only once.', {
  apiKey: text(),
  secretKey: text(),
});

export const key = answer.object('Key', 'An API key without its secret.', {
  apiKey: text(),
  alias: text(),
  moduleIds: answer.list(
    integer(),
    '1 earn read, 2 subscribe, 3 redeem, 4 enterprise, 5 trading read, 6 trading write.',
  ),
  ipAllowList: answer.nullable(answer.list(text())),
  expiresAt: answer.nullable(answer.time()),
  strictClOrdId: boolean(),
  replayGuard: boolean(),
  createdAt: answer.time(),
  revokedAt: answer.nullable(answer.time()),
  lastUsedAt: answer.nullable(answer.time()),
});

export const revokedKey = answer.object('RevokedKey', 'The key no longer works.', {
  apiKey: text(),
  revokedAt: answer.time(),
});

export const session = answer.object('Session', 'A live session.', {
  sessionId: integer(),
  current: boolean('Whether it is the caller’s session.'),
  createdAt: answer.time(),
  lastUsedAt: answer.time(),
  expiresAt: answer.time(),
  ip: answer.nullable(text()),
  userAgent: answer.nullable(text()),
});

export const revokedSessions = answer.object('RevokedSessions', 'The sessions have ended.', {
  revoked: integer('How many ended.'),
});

interface Actor {
  readonly actor: string;
  readonly ip: string | null;
}

export const ownAuditEntry = answer.object('OwnAuditEntry', 'An event of the account.', {
  // The log's numbers would reveal the activity of others.
  id: answer.from('number', integer('Counts the account’s entries from the oldest.')),
  time: answer.time(),
  actor: answer.made(oneOf(['self', 'anonymous', 'operator']), ({ actor }: Actor) =>
    actor === 'operator' || actor === 'anonymous' ? actor : 'self',
  ),
  action: text(),
  object: answer.nullable(text()),
  result: text(),
  ip: answer.made(answer.nullable(text()), ({ actor, ip }: Actor) =>
    actor === 'operator' ? null : ip,
  ),
});

export const faucetCredit = answer.object('FaucetCredit', 'The credited amount.', {
  asset: text(),
  amount: decimal(),
});
