// The session, the client and the feeds of the operator console. The audit log records every
// operator call, so a feed is read only when a page opens, after a change, and on demand. `ready`
// and `metrics`, which no log records, are polled.
import type { CallSpec } from '../../src/sdk/call-spec.ts';
import type { WriteOptions } from '../../src/sdk/index.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import type { Fields, PathParts } from '../../src/sdk/request-text.ts';
import { client, ON_THIS_PAGE } from '../api/clients.ts';
import { isLoggedOut } from '../api/rejection.ts';
import { type Feed, feedsBelow } from '../live/live.ts';
import { stored } from '../session/stored.ts';

/** The token, kept for this tab only; null without a session. */
export const operatorToken = stored(sessionStorage, 'agio.operatorToken');

/** Set when the server stops accepting the token, so that the login page can say so. */
const ended = stored(sessionStorage, 'agio.operatorEnded');

export const useOperatorEnded = (): boolean => ended.use() !== null;

export function beginOperator(token: string): void {
  ended.set(null);
  operatorToken.set(token);
}

/** `rejected`: the server ended it, not the operator. */
export function endOperator(rejected: boolean): void {
  ended.set(rejected ? 'yes' : null);
  operatorToken.set(null);
}

/** Ends the operator's login when the server no longer accepts the token. */
class ConsoleClient extends OperatorClient {
  protected override async send<T>(
    spec: CallSpec,
    fields?: Fields,
    options?: WriteOptions,
    parts?: PathParts,
  ): Promise<T> {
    try {
      return await super.send<T>(spec, fields, options, parts);
    } catch (error) {
      if (isLoggedOut(error)) endOperator(true);
      throw error;
    }
  }
}

export const operator = new ConsoleClient({ ...ON_THIS_PAGE, operatorToken: operatorToken.get });

/** Throws Unauthorized if the server does not accept this token; does not store it. */
export const tryToken = (token: string) =>
  new OperatorClient({ ...ON_THIS_PAGE, operatorToken: token }).clock();

/** All feeds of the console. */
export const CONSOLE = ['operator'] as const;

const below = feedsBelow(...CONSOLE);
const feed = <T>(key: Feed<T>['key'], read: Feed<T>['read']): Feed<T> => below(key, null, read);

/** The key of one or all feeds of a name, to read them again after a change. */
export const feedKey = (name: keyof typeof feeds, ...rest: readonly number[]) => [
  ...CONSOLE,
  name,
  ...rest,
];

export const feeds = {
  users: (query: string, page: number, pageSize: number) =>
    feed(['users', query, page, pageSize], (options) =>
      operator.users({ ...(query === '' ? {} : { query }), page, pageSize }, options),
    ),
  user: (uid: number) => feed(['user', uid], (options) => operator.user(uid, options)),
  balances: (uid: number) =>
    feed(['user', uid, 'balances'], (options) => operator.userBalances(uid, options)),
  keys: (uid: number) => feed(['user', uid, 'keys'], (options) => operator.keys(uid, options)),
  /** An alarm of the overview, read again rarely because the audit log records it. */
  trialBalance: below(['trialBalance'], 5 * 60_000, (options) => operator.trialBalance(options)),
  income: feed(['income'], (options) => operator.income(options)),
  venueStatement: (pageSize: number) =>
    feed(['venueStatement', pageSize], (options) => operator.venueStatement({ pageSize }, options)),
  assets: feed(['assets'], (options) => operator.assets(options)),
  instruments: feed(['instruments'], (options) => operator.instruments(options)),
  feeTiers: feed(['feeTiers'], (options) => operator.feeTiers(options)),
  plans: feed(['plans'], (options) => operator.plans(options)),
  enterprises: feed(['enterprises'], (options) => operator.enterprises(options)),
  journalHead: feed(['journalHead'], (options) => operator.journalHead(options)),
  audit: (page: number, pageSize: number) =>
    feed(['audit', page, pageSize], (options) => operator.audit({ page, pageSize }, options)),
  outbox: (limit: number) =>
    feed(['outbox', limit], (options) => operator.outbox({ limit }, options)),
  cluster: feed(['cluster'], (options) => operator.cluster(options)),
  rateLimits: feed(['rateLimits'], (options) => operator.rateLimits(options)),
  clock: feed(['clock'], (options) => operator.clock(options)),
  metrics: below(['metrics'], 5_000, (options) => client.metrics(options)),
} as const;

/** The journal's last command, without a token and without an entry in the audit log. */
export const readSeq = async (): Promise<number> => (await client.ready()).seq;
