// The operator's calls about customers: users, their balances, keys and orders.

import type { ApiCall } from '../../../contract/call.ts';
import * as answers from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import { toCancelOrders } from '../../../contract/operator/system.ts';
import {
  requireSomeField,
  toAssignEnterprise,
  toUserCommands,
} from '../../../contract/operator/users.ts';
import { readPage, writePage } from '../../../contract/paging.ts';
import { invalidField } from '../../../contract/problem.ts';
import { writeBalances } from '../../../contract/trading/account.ts';
import { rejection } from '../../../core/reject.ts';
import { checkPassword, type PasswordHash } from '../../../identity/proofs/passwords.ts';
import { success } from '../../../identity/result.ts';
import type { EmailReservation } from '../../../identity/users.ts';
import { denialReply, ok, type Reply, rejectReply, replyOf, replyTo } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { operates, reads, rejected } from '../kinds.ts';
import {
  type FoundUser,
  findUser,
  instrumentNamed,
  inTurn,
  keyOf,
  notifyCustomer,
  UID,
  unknownUser,
  userOf,
} from './call.ts';

/** A user who belongs to no enterprise yet. */
const NOBODY = { uid: 0, enterpriseId: 0, enterpriseAdmin: false } as const;

const isEnterprise = ({ engine }: Services, id: number | null | undefined): boolean =>
  !id || engine.exchange.state.earn.enterprises[id] !== undefined;

type Awaitable<T> = T | Promise<T>;

const unknownEnterprise = (services: Services): Reply<never> =>
  rejectReply(services, rejection('enterpriseUnknown', 'enterpriseId'));

/**
 * Reserves the email address and hashes the password first, so that `create` can only be rejected
 * by the core.
 */
async function reserved<W>(
  services: Services,
  { email, password }: { readonly email: string; readonly password: string | undefined },
  create: (reservation: EmailReservation, hash: PasswordHash | null) => Awaitable<Reply<W>>,
): Promise<Reply<W>> {
  const { passwords, users } = services.identity;
  const weak = password === undefined ? undefined : checkPassword(password, 'password', email);
  if (weak !== undefined) return denialReply(services, weak);
  const reservation = users.reserveEmail(email);
  if (!reservation.ok) return denialReply(services, reservation);
  try {
    const hash = password === undefined ? success(null) : await passwords.hash(password);
    if (!hash.ok) return denialReply(services, hash);
    return await create(reservation.value, hash.value);
  } finally {
    users.release(reservation.value);
  }
}

const createUser = route(operatorCalls.createUser, {
  audit: { action: 'user.create', object: (_, body) => body?.email ?? null },
  handle(services, { body }) {
    const { engine, identity } = services;
    // Checked before the user exists.
    toAssignEnterprise(NOBODY, body);
    if (!isEnterprise(services, body.enterpriseId)) return unknownEnterprise(services);
    return reserved(services, body, async (reservation, hash) => {
      identity.store.requireWritable();
      const receipt = await engine.submit({ type: 'createUser', kyc: body.kyc });
      const { outcome } = receipt;
      if (!outcome.ok) return rejectReply(services, outcome.reject);
      const { uid } = outcome.result;
      const assign = toAssignEnterprise({ ...NOBODY, uid }, body);
      if (assign !== null) {
        const assigned = await engine.submit(assign);
        if (!assigned.outcome.ok) return rejectReply(services, assigned.outcome.reject);
      }
      identity.users.completeUser(reservation, uid, hash);
      return { ...replyTo(services, receipt, () => ({ uid })), audited: `uid:${uid}` };
    });
  },
});

const attachUser = route(operatorCalls.attachUser, {
  audit: { action: 'user.attach', object: userOf },
  handle(services, { params, body }) {
    const { engine, identity } = services;
    const { users } = engine.exchange.state;
    const user = UID.test(params.uid!) ? users[Number(params.uid)] : undefined;
    if (user === undefined) return unknownUser(services);
    return reserved(services, body, (reservation, hash) => {
      if (identity.users.find(user.uid) !== undefined) {
        return rejectReply(services, rejection('alreadyExists', 'uid'));
      }
      const attached = identity.users.completeUser(reservation, user.uid, hash);
      return ok(answers.user.write({ ...user, ...attached }), engine.seq);
    });
  },
});

/** A call about the user in its path. */
const userRoute = <Q, B, W>(
  description: ApiCall<Q, B, W>,
  action: string,
  handle: (
    services: Services,
    found: FoundUser,
    call: Call<NoInfer<Q>, NoInfer<B>>,
  ) => Awaitable<Reply<NoInfer<W>>>,
  object = userOf,
): Route =>
  route(description, {
    audit: { action, object },
    handle(services, call) {
      const found = findUser(services, call.params.uid!);
      return found === undefined ? unknownUser(services) : handle(services, found, call);
    },
  });

const getUser = userRoute(operatorCalls.user, 'user.read', ({ engine }, { coreUser, user }) =>
  ok(answers.user.write({ ...coreUser, ...user }), engine.seq),
);

const amendUser = userRoute(operatorCalls.amendUser, 'user.amend', (services, found, { body }) => {
  const { coreUser, user } = found;
  requireSomeField(body);
  if (!isEnterprise(services, body.enterpriseId)) return unknownEnterprise(services);
  return inTurn(services, async () => {
    const { engine, identity } = services;
    const { uid } = user;
    const commands = toUserCommands(coreUser, body);
    const suspends = body.status === 'suspended';
    const wasSuspended = coreUser.suspended;
    // Before, so that a crash right after the command leaves none; and after, for one that was
    // opened in between. The command itself cancels the orders and rejects every later write.
    if (suspends) identity.sessions.revokeAll(uid, 'suspended');
    const receipts = await Promise.all(commands.map((command) => engine.submit(command)));
    const decisive = receipts.find(({ outcome }) => !outcome.ok) ?? receipts.at(-1)!;
    if (suspends && coreUser.suspended) {
      identity.sessions.revokeAll(uid, 'suspended');
      identity.revocations.emit({ type: 'userSuspended', uid });
    }
    if (coreUser.suspended !== wasSuspended) {
      notifyCustomer(services, uid, wasSuspended ? 'operatorReactivated' : 'operatorSuspended');
    }
    return replyTo(services, decisive, () => answers.user.write({ ...coreUser, ...user }));
  });
});

const getBalances = userRoute(operatorCalls.userBalances, 'user.balances', ({ engine }, { user }) =>
  ok(writeBalances(engine.exchange.state, user.uid), engine.seq),
);

const createKey = userRoute(
  operatorCalls.createKey,
  'key.create',
  (services, { user: { uid } }, { body }) => {
    const created = services.identity.apiKeys.create({ uid, ...body });
    if (created.ok) {
      notifyCustomer(services, uid, 'operatorKey', body.alias, body.moduleIds.join(', '));
    }
    return replyOf(services, created, ({ apiKey, secretKey }) => ({
      ...ok({ apiKey, secretKey }, services.engine.seq),
      audited: `uid:${uid}/key:${apiKey}`,
    }));
  },
);

const listKeys = userRoute(operatorCalls.keys, 'key.list', ({ identity, engine }, { user }) =>
  ok(identity.apiKeys.list(user.uid), engine.seq),
);

const revokeKey = userRoute(
  operatorCalls.revokeKey,
  'key.revoke',
  ({ identity, engine }, { user }, { params }) => {
    const { apiKeys } = identity;
    const key = apiKeys.find(params.apiKey!);
    if (key?.uid !== user.uid) {
      throw invalidField('apiKey', 'be a key of this user', { rule: 'known' });
    }
    apiKeys.revoke(key.apiKey);
    const { apiKey, revokedAt } = apiKeys.find(key.apiKey)!;
    return ok({ apiKey, revokedAt: revokedAt! }, engine.seq);
  },
  keyOf,
);

export const operatorUserRoutes: readonly Route[] = [
  createUser,
  attachUser,
  reads(
    operatorCalls.users,
    ({ users }, { query }, { identity }) =>
      writePage(identity.users.list({ ...query, ...readPage(query) }), readPage(query), (user) =>
        answers.user.write({ ...users[user.uid]!, ...user }),
      ),
    { action: 'user.list', measured: ['query'] },
  ),
  getUser,
  amendUser,
  getBalances,
  createKey,
  listKeys,
  revokeKey,
  operates(
    operatorCalls.cancelOrders,
    {
      action: 'orders.cancel',
      object: (_, body) => {
        if (body?.uid === undefined) return body?.symbol ?? null;
        return body.symbol === undefined ? `uid:${body.uid}` : `uid:${body.uid}/${body.symbol}`;
      },
    },
    (state, { body: { uid, symbol } }, services) => {
      if (uid !== undefined && findUser(services, String(uid)) === undefined) {
        return rejected('userUnknown', 'uid');
      }
      const instrument = symbol === undefined ? undefined : instrumentNamed(state, symbol);
      return toCancelOrders({ uid, securityId: instrument?.securityId });
    },
    (result) => answers.canceledOrders.write(result),
  ),
];
