// Shared by the operator's routes: the user and the instrument of a path, and turns for changes
// that depend on the current state.
import { Problem } from '../../../contract/problem.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { rejection } from '../../../core/reject.ts';
import type { State } from '../../../core/state.ts';
import type { User as CoreUser } from '../../../core/user.ts';
import {
  type OperatorAct,
  type OperatorMailValues,
  operatorMail,
} from '../../../identity/mail/messages.ts';
import type { User } from '../../../identity/users.ts';
import { type Reply, rejectReply } from '../../http/reply.ts';
import type { Services } from '../../services.ts';

type Params = Readonly<Record<string, string>>;

/** How a uid is written in a path. */
export const UID = /^[1-9]\d{0,15}$/;
const SHORT = /^[\w-]{1,24}$/;
const API_KEY = /^[0-9a-f]{40}$/;

/** For the audit log. A long text may be a secret or an email address in the wrong place. */
export const userOf = ({ uid = '' }: Params): string => (SHORT.test(uid) ? `uid:${uid}` : 'uid:?');
export const keyOf = (params: Params): string =>
  `${userOf(params)}/key:${API_KEY.test(params.apiKey!) ? params.apiKey : '?'}`;

export interface FoundUser {
  readonly coreUser: CoreUser;
  readonly user: User;
}

/**
 * The user with this uid, which core and identity must both have: a uid that a crash left in the
 * core alone is unusable.
 */
export function findUser({ engine, identity }: Services, uid: string): FoundUser | undefined {
  if (!UID.test(uid)) return undefined;
  const coreUser = engine.exchange.state.users[Number(uid)];
  const user = coreUser === undefined ? undefined : identity.users.find(coreUser.uid);
  return coreUser === undefined || user === undefined ? undefined : { coreUser, user };
}

export const unknownUser = (services: Services): Reply<never> =>
  rejectReply(services, rejection('userUnknown', 'uid'));

/** Throws Problem unknownSymbol. */
export function instrumentNamed(state: State, symbol: string): Instrument {
  const found = state.instrumentNamed(symbol);
  if (found !== undefined) return found;
  throw new Problem('unknownSymbol', {
    details: { field: 'symbol', rule: 'listed', value: symbol.slice(0, 40) },
  });
}

/**
 * Emails the customer about an act of the operator. It neither delays nor fails the call; a user
 * whose row a crash has lost gets none.
 */
export function notifyCustomer<K extends OperatorAct>(
  { engine, identity }: Services,
  uid: number,
  act: K,
  ...values: OperatorMailValues<K>
): void {
  const user = identity.users.find(uid);
  if (user !== undefined) {
    identity.mailer.notify(user.email, operatorMail(act, engine.wall(), ...values));
  }
}

const lastTurns = new WeakMap<Services, Promise<unknown>>();

/** Runs changes of the current state one at a time: two that read the same state would conflict. */
export function inTurn<T>(services: Services, work: () => Promise<T>): Promise<T> {
  const before = lastTurns.get(services) ?? Promise.resolve();
  const turn = before.then(work, work);
  lastTurns.set(services, turn);
  return turn;
}
