// The operator's calls about people: users, their keys and their balances.
import { writeBalances } from '../../../contract/account.ts';
import type { Infer } from '../../../contract/fields.ts';
import type { JsonOut } from '../../../contract/json.ts';
import {
  amendUserBody,
  attachUserBody,
  createKeyBody,
  createUserBody,
  emptyBody,
  requireSomeField,
  toAssignEnterprise,
  toUserCommands,
  usersQuery,
  writePage,
  writeUser,
} from '../../../contract/operator.ts';
import { invalidField } from '../../../contract/problem.ts';
import { rejectPlain } from '../../../core/reject.ts';
import { checkPassword, hashPassword } from '../../../identity/proofs/passwords.ts';
import type { EmailReservation } from '../../../identity/users.ts';
import { ok, type Reply, replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { unlessBusy } from '../../limits/passwords-busy.ts';
import type { Services } from '../../services.ts';
import {
  findUser,
  inTurn,
  keyOf,
  OPERATOR,
  refusalReply,
  rejectReply,
  UID,
  unknownUser,
  userOf,
} from './call.ts';

/** A user who belongs to no enterprise yet. */
const NOBODY = { uid: 0, enterpriseId: 0, enterpriseAdmin: false } as const;

const isEnterprise = ({ engine }: Services, id: number | null | undefined): boolean =>
  !id || engine.exchange.state.earn.enterprises[id] !== undefined;

const unknownEnterprise = (services: Services): Reply =>
  rejectReply(services, rejectPlain('enterpriseUnknown', 'enterpriseId'));

const createUser = route({
  method: 'POST',
  path: `${OPERATOR}/users`,
  access: 'operator',
  audit: { action: 'user.create', object: (_, body) => body?.email ?? null },
  summary: 'Creates a user.',
  body: createUserBody,
  async handle(services, { body }) {
    // Before anything is done for a user who could then not be had as asked.
    toAssignEnterprise(NOBODY, body);
    if (!isEnterprise(services, body.enterpriseId)) return unknownEnterprise(services);
    const { email, password } = body;
    const weak = password === undefined ? undefined : checkPassword(password, 'password', email);
    if (weak !== undefined) return refusalReply(services, weak);
    const { users } = services.identity;
    const reservation = users.reserveEmail(email);
    if (!reservation.ok) return refusalReply(services, reservation);
    try {
      return await createReserved(services, reservation, body);
    } finally {
      // After completeUser this gives up nothing.
      users.release(reservation);
    }
  },
});

/**
 * The password is hashed first, so that between core and identity there is nothing that can be
 * refused.
 */
async function createReserved(
  services: Services,
  reservation: EmailReservation,
  body: Infer<typeof createUserBody>,
): Promise<Reply> {
  const { password, kyc } = body;
  const hash = password === undefined ? null : await unlessBusy(hashPassword(password));
  services.identity.store.requireWritable();
  const receipt = await services.engine.submit({ type: 'createUser', kyc });
  const { outcome } = receipt;
  if (!outcome.ok) return rejectReply(services, outcome.reject);
  const { uid } = outcome.result;
  const assign = toAssignEnterprise({ ...NOBODY, uid }, body);
  if (assign !== null) {
    const assigned = await services.engine.submit(assign);
    if (!assigned.outcome.ok) return rejectReply(services, assigned.outcome.reject);
  }
  services.identity.users.completeUser(reservation, uid, hash);
  return { ...replyTo(services, receipt, () => ({ uid })), audited: `uid:${uid}` };
}

const attachUser = route({
  method: 'POST',
  path: `${OPERATOR}/users/{uid}/attach`,
  access: 'operator',
  audit: { action: 'user.attach', object: userOf },
  summary:
    'Gives an email address to a user whom the journal knows and identity.db does not, after the ' +
    'restore of an older identity.db.',
  body: attachUserBody,
  async handle(services, { params, body }) {
    const { engine, identity } = services;
    const { email, password } = body;
    const user = UID.test(params.uid!)
      ? engine.exchange.state.users[Number(params.uid)]
      : undefined;
    if (user === undefined) return unknownUser(services);
    const weak = password === undefined ? undefined : checkPassword(password, 'password', email);
    if (weak !== undefined) return refusalReply(services, weak);
    const reservation = identity.users.reserveEmail(email);
    if (!reservation.ok) return refusalReply(services, reservation);
    try {
      const hash = password === undefined ? null : await unlessBusy(hashPassword(password));
      if (identity.users.find(user.uid) !== undefined) {
        return rejectReply(services, rejectPlain('alreadyExists', 'uid'));
      }
      const person = identity.users.completeUser(reservation, user.uid, hash);
      return ok(writeUser(user, person), engine.seq);
    } finally {
      identity.users.release(reservation);
    }
  },
});

const listUsers = route({
  method: 'GET',
  path: `${OPERATOR}/users`,
  access: 'operator',
  audit: { action: 'user.list', measured: ['query'] },
  summary: 'Users, newest first; `query` is a part of the e-mail address, or the uid.',
  query: usersQuery,
  handle({ engine, identity }, { query }) {
    const { users } = engine.exchange.state;
    const page = writePage(identity.users.list(query), query, (person) =>
      writeUser(users[person.uid]!, person),
    );
    return ok(page, engine.seq);
  },
});

const getUser = route({
  method: 'GET',
  path: `${OPERATOR}/users/{uid}`,
  access: 'operator',
  audit: { action: 'user.read', object: userOf },
  summary: 'One user.',
  handle(services, { params }) {
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    return ok(writeUser(found.user, found.person), services.engine.seq);
  },
});

const amendUser = route({
  method: 'PATCH',
  path: `${OPERATOR}/users/{uid}`,
  access: 'operator',
  audit: { action: 'user.amend', object: userOf },
  summary:
    'Changes KYC, status, fees, the limit on open orders or the enterprise; a fee of null is the ' +
    'pair’s. A suspension cancels the user’s open orders, ends sessions and streams, and every ' +
    'later write of the user is refused.',
  body: amendUserBody,
  handle(services, { params, body }) {
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    requireSomeField(body);
    if (!isEnterprise(services, body.enterpriseId)) return unknownEnterprise(services);
    return inTurn(services, async () => {
      const { engine, identity } = services;
      const { uid } = found.user;
      const commands = toUserCommands(found.user, body);
      const suspends = body.status === 'suspended';
      // Before, so that a crash right after the command leaves none; and after, for one that was
      // opened in between. The command itself cancels the orders and refuses every later write.
      if (suspends) identity.sessions.revokeAll(uid);
      const receipts = await Promise.all(commands.map((command) => engine.submit(command)));
      const told = receipts.find(({ outcome }) => !outcome.ok) ?? receipts.at(-1)!;
      if (suspends && found.user.suspended) {
        identity.sessions.revokeAll(uid);
        identity.revocations.emit({ type: 'userSuspended', uid });
      }
      return replyTo(services, told, () => writeUser(found.user, found.person));
    });
  },
});

const getBalances = route({
  method: 'GET',
  path: `${OPERATOR}/users/{uid}/balances`,
  access: 'operator',
  audit: { action: 'user.balances', object: userOf },
  summary: 'What a user has of every asset.',
  handle(services, { params }) {
    const { engine } = services;
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    return ok(writeBalances(engine.exchange.state, found.user.uid), engine.seq);
  },
});

const createKey = route({
  method: 'POST',
  path: `${OPERATOR}/users/{uid}/keys`,
  access: 'operator',
  audit: { action: 'key.create', object: userOf },
  summary: 'Creates an API key. The secret is in this answer and can never be read again.',
  body: createKeyBody,
  handle(services, { params, body }) {
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    const { uid } = found.user;
    const created = services.identity.apiKeys.create({ uid, ...body });
    if (!created.ok) return refusalReply(services, created);
    const { apiKey, secretKey } = created;
    return {
      ...ok({ apiKey, secretKey }, services.engine.seq),
      audited: `uid:${uid}/key:${apiKey}`,
    };
  },
});

const listKeys = route({
  method: 'GET',
  path: `${OPERATOR}/users/{uid}/keys`,
  access: 'operator',
  audit: { action: 'key.list', object: userOf },
  summary: 'The API keys of a user, newest first, also the revoked ones; never their secrets.',
  handle(services, { params }) {
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    const keys: JsonOut = services.identity.apiKeys.list(found.user.uid);
    return ok(keys, services.engine.seq);
  },
});

const revokeKey = route({
  method: 'POST',
  path: `${OPERATOR}/users/{uid}/keys/{apiKey}/revoke`,
  access: 'operator',
  audit: { action: 'key.revoke', object: keyOf },
  summary: 'Ends an API key at once and destroys its secret. A second time changes nothing.',
  body: emptyBody,
  handle(services, { params }) {
    const { apiKeys } = services.identity;
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    const key = apiKeys.find(params.apiKey!);
    if (key?.uid !== found.user.uid) {
      throw invalidField('apiKey', 'be a key of this user', { rule: 'known' });
    }
    apiKeys.revoke(key.apiKey);
    const { apiKey, revokedAt } = apiKeys.find(key.apiKey)!;
    return ok({ apiKey, revokedAt }, services.engine.seq);
  },
});

export const operatorUserRoutes: readonly Route[] = [
  createUser,
  attachUser,
  listUsers,
  getUser,
  amendUser,
  getBalances,
  createKey,
  listKeys,
  revokeKey,
];
