// What the operator's routes share: the user and the instrument of a path, how a refusal of the core
// or of identity is answered, and that changes which depend on what is there now take turns.
import { stringify } from '../../../contract/json.ts';
import { Problem } from '../../../contract/problem.ts';
import { answerOfReject } from '../../../contract/reject-problem.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { type Reject, rejectPlain } from '../../../core/reject.ts';
import type { User } from '../../../core/user.ts';
import type { Refusal } from '../../../identity/refusal.ts';
import type { User as Person } from '../../../identity/users.ts';
import type { Reply } from '../../http/reply.ts';
import type { Services } from '../../services.ts';

export const OPERATOR = '/operator/v1';

type Params = Readonly<Record<string, string>>;

/** How a uid is written in a path. */
export const UID = /^[1-9]\d{0,15}$/;
const SHORT = /^[\w-]{1,24}$/;
const API_KEY = /^[0-9a-f]{40}$/;

/** For the audit log. What is long may be a secret or an address in the wrong place. */
export const userOf = ({ uid = '' }: Params): string => (SHORT.test(uid) ? `uid:${uid}` : 'uid:?');
export const keyOf = (params: Params): string =>
  `${userOf(params)}/key:${API_KEY.test(params.apiKey!) ? params.apiKey : '?'}`;

/** The answer to a reject of the core; `userMsg` where a more precise sentence is known. */
export function rejectReply({ engine }: Services, reject: Reject, userMsg?: string): Reply<never> {
  const { http, body } = answerOfReject(engine.exchange.state, reject);
  const said = userMsg === undefined ? body : { ...body, userMsg };
  return { status: http, body: stringify(said), seq: engine.seq, headers: null };
}

/**
 * The answer to a refusal of identity, with the codes of the core for what the core would call the
 * same.
 */
export function refusalReply(services: Services, { name, field, text }: Refusal): Reply<never> {
  const userMsg = `Invalid field: ${field}. ${text}`;
  switch (name) {
    case 'emailTaken':
      return rejectReply(services, rejectPlain('alreadyExists', field), userMsg);
    case 'userUnknown':
      return rejectReply(services, rejectPlain('userUnknown', field), userMsg);
    case 'invalid':
    case 'tooManyKeys':
      throw new Problem('invalidField', { userMsg, details: { field, rule: name } });
  }
}

export interface FoundUser {
  readonly user: User;
  readonly person: Person;
}

/**
 * The user with this uid. Core and identity must both know it: a uid that a crash left in the core
 * alone was never told to anyone, and nothing can be done with it.
 */
export function findUser({ engine, identity }: Services, uid: string): FoundUser | undefined {
  if (!UID.test(uid)) return undefined;
  const user = engine.exchange.state.users[Number(uid)];
  const person = user === undefined ? undefined : identity.users.find(user.uid);
  return user === undefined || person === undefined ? undefined : { user, person };
}

export const unknownUser = (services: Services): Reply<never> =>
  rejectReply(services, rejectPlain('userUnknown', 'uid'));

/** Throws Problem unknownSymbol. */
export function instrumentOf({ engine }: Services, symbol: string): Instrument {
  const found = engine.exchange.state.instrumentNamed(symbol);
  if (found !== undefined) return found;
  throw new Problem('unknownSymbol', {
    details: { field: 'symbol', rule: 'listed', value: symbol.slice(0, 40) },
  });
}

const lastTurns = new WeakMap<Services, Promise<unknown>>();

/**
 * Does what merges a request into the state of now: one at a time, since two that read the same
 * state would undo each other.
 */
export function inTurn<T>(services: Services, work: () => Promise<T>): Promise<T> {
  const before = lastTurns.get(services) ?? Promise.resolve();
  const turn = before.then(work, work);
  lastTurns.set(services, turn);
  return turn;
}
