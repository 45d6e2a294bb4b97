// The operator's calls about people: users, their keys and their balances.

import type { Written } from '../../../contract/answer.ts';
import type { Infer } from '../../../contract/fields.ts';
import type { createdUser } from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import {
  type createUserBody,
  requireSomeField,
  toAssignEnterprise,
  toUserCommands,
  writeUser,
} from '../../../contract/operator/users.ts';
import { writePage } from '../../../contract/paging.ts';
import { invalidField } from '../../../contract/problem.ts';
import { writeBalances } from '../../../contract/trading/account.ts';
import { rejectPlain } from '../../../core/reject.ts';
import { checkPassword, type PasswordHash } from '../../../identity/proofs/passwords.ts';
import { type Result, success } from '../../../identity/result.ts';
import type { EmailReservation } from '../../../identity/users.ts';
import { ok, type Reply, replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { refusalReply, rejectReply } from '../refusal-reply.ts';
import { findUser, inTurn, keyOf, UID, unknownUser, userOf } from './call.ts';

/** A user who belongs to no enterprise yet. */
const NOBODY = { uid: 0, enterpriseId: 0, enterpriseAdmin: false } as const;

const isEnterprise = ({ engine }: Services, id: number | null | undefined): boolean =>
  !id || engine.exchange.state.earn.enterprises[id] !== undefined;

const unknownEnterprise = (services: Services): Reply<never> =>
  rejectReply(services, rejectPlain('enterpriseUnknown', 'enterpriseId'));

const createUser = route(operatorCalls.createUser, {
  audit: { action: 'user.create', object: (_, body) => body?.email ?? null },
  async handle(services, { body }) {
    // Checked before the user exists.
    toAssignEnterprise(NOBODY, body);
    if (!isEnterprise(services, body.enterpriseId)) return unknownEnterprise(services);
    const { email, password } = body;
    const weak = password === undefined ? undefined : checkPassword(password, 'password', email);
    if (weak !== undefined) return refusalReply(services, weak);
    const { users } = services.identity;
    const reserved = users.reserveEmail(email);
    if (!reserved.ok) return refusalReply(services, reserved);
    try {
      return await createReserved(services, reserved.value, body);
    } finally {
      users.release(reserved.value);
    }
  },
});

/** Hashes the password first, so that nothing can be refused between core and identity. */
async function createReserved(
  services: Services,
  reservation: EmailReservation,
  body: Infer<typeof createUserBody>,
): Promise<Reply<Written<typeof createdUser>>> {
  const hash = await hashOf(services, body.password);
  if (!hash.ok) return refusalReply(services, hash);
  services.identity.store.requireWritable();
  const receipt = await services.engine.submit({ type: 'createUser', kyc: body.kyc });
  const { outcome } = receipt;
  if (!outcome.ok) return rejectReply(services, outcome.reject);
  const { uid } = outcome.result;
  const assign = toAssignEnterprise({ ...NOBODY, uid }, body);
  if (assign !== null) {
    const assigned = await services.engine.submit(assign);
    if (!assigned.outcome.ok) return rejectReply(services, assigned.outcome.reject);
  }
  services.identity.users.completeUser(reservation, uid, hash.value);
  return { ...replyTo(services, receipt, () => ({ uid })), audited: `uid:${uid}` };
}

/** The hash of a password; null where there is none. Refusal: overloaded. */
async function hashOf(
  { identity }: Services,
  password: string | undefined,
): Promise<Result<PasswordHash | null>> {
  return password === undefined ? success(null) : identity.passwords.hash(password);
}

const attachUser = route(operatorCalls.attachUser, {
  audit: { action: 'user.attach', object: userOf },
  async handle(services, { params, body }) {
    const { engine, identity } = services;
    const { email, password } = body;
    const user = UID.test(params.uid!)
      ? engine.exchange.state.users[Number(params.uid)]
      : undefined;
    if (user === undefined) return unknownUser(services);
    const weak = password === undefined ? undefined : checkPassword(password, 'password', email);
    if (weak !== undefined) return refusalReply(services, weak);
    const reserved = identity.users.reserveEmail(email);
    if (!reserved.ok) return refusalReply(services, reserved);
    try {
      const hash = await hashOf(services, password);
      if (!hash.ok) return refusalReply(services, hash);
      if (identity.users.find(user.uid) !== undefined) {
        return rejectReply(services, rejectPlain('alreadyExists', 'uid'));
      }
      const attached = identity.users.completeUser(reserved.value, user.uid, hash.value);
      return ok(writeUser(user, attached), engine.seq);
    } finally {
      identity.users.release(reserved.value);
    }
  },
});

const listUsers = route(operatorCalls.users, {
  audit: { action: 'user.list', measured: ['query'] },
  handle({ engine, identity }, { query }) {
    const { users } = engine.exchange.state;
    const page = writePage(identity.users.list(query), query, (person) =>
      writeUser(users[person.uid]!, person),
    );
    return ok(page, engine.seq);
  },
});

const getUser = route(operatorCalls.user, {
  audit: { action: 'user.read', object: userOf },
  handle(services, { params }) {
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    return ok(writeUser(found.user, found.person), services.engine.seq);
  },
});

const amendUser = route(operatorCalls.amendUser, {
  audit: { action: 'user.amend', object: userOf },
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

const getBalances = route(operatorCalls.userBalances, {
  audit: { action: 'user.balances', object: userOf },
  handle(services, { params }) {
    const { engine } = services;
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    return ok(writeBalances(engine.exchange.state, found.user.uid), engine.seq);
  },
});

const createKey = route(operatorCalls.createKey, {
  audit: { action: 'key.create', object: userOf },
  handle(services, { params, body }) {
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    const { uid } = found.user;
    const created = services.identity.apiKeys.create({ uid, ...body });
    if (!created.ok) return refusalReply(services, created);
    const { apiKey, secretKey } = created.value;
    return {
      ...ok({ apiKey, secretKey }, services.engine.seq),
      audited: `uid:${uid}/key:${apiKey}`,
    };
  },
});

const listKeys = route(operatorCalls.keys, {
  audit: { action: 'key.list', object: userOf },
  handle(services, { params }) {
    const found = findUser(services, params.uid!);
    if (found === undefined) return unknownUser(services);
    return ok(services.identity.apiKeys.list(found.user.uid), services.engine.seq);
  },
});

const revokeKey = route(operatorCalls.revokeKey, {
  audit: { action: 'key.revoke', object: keyOf },
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
    return ok({ apiKey, revokedAt: revokedAt! }, services.engine.seq);
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
