// The feeds of the operator console. Each call of the operator is an entry of the audit log, so these are read when a page
// opens, after a change, and when somebody asks; what may be watched all the time (ready, metrics) is in no log.
import type { CallOptions } from '../../src/sdk/index.ts';
import * as operator from '../api/operator.ts';
import type { Feed } from '../live/live.ts';

const once = <T>(key: Feed<T>['key'], read: (options: CallOptions) => Promise<T>): Feed<T> => ({
  key: ['operator', ...key],
  every: null,
  read,
});

/** Names of feeds, for what has to be read anew after a change. */
export const keys = {
  all: ['operator'],
  users: ['operator', 'users'],
  user: (uid: string) => ['operator', 'user', uid],
  trialBalance: ['operator', 'trialBalance'],
  income: ['operator', 'income'],
  venueStatement: ['operator', 'venueStatement'],
  assets: ['operator', 'assets'],
  instruments: ['operator', 'instruments'],
  plans: ['operator', 'plans'],
  enterprises: ['operator', 'enterprises'],
  audit: ['operator', 'audit'],
  journalHead: ['operator', 'journalHead'],
  clock: ['operator', 'clock'],
} as const;

export const feeds = {
  users: (query: string, page: number, size: number) =>
    once(['users', query, page, size], (options) => operator.users(query, page, size, options)),
  user: (uid: string) => once(['user', uid], (options) => operator.user(uid, options)),
  balances: (uid: string) =>
    once(['user', uid, 'balances'], (options) => operator.balancesOf(uid, options)),
  keys: (uid: string) => once(['user', uid, 'keys'], (options) => operator.keysOf(uid, options)),
  trialBalance: once(['trialBalance'], operator.trialBalance),
  income: once(['income'], operator.income),
  venueStatement: (size: number) =>
    once(['venueStatement', size], (options) => operator.venueStatement(size, options)),
  assets: once(['assets'], operator.assets),
  instruments: once(['instruments'], operator.instruments),
  plans: once(['plans'], operator.plans),
  enterprises: once(['enterprises'], operator.enterprises),
  journalHead: once(['journalHead'], operator.journalHead),
  audit: (page: number, size: number) =>
    once(['audit', page, size], (options) => operator.audit(page, size, options)),
  outbox: (limit: number) => once(['outbox', limit], (options) => operator.outbox(limit, options)),
  rateLimits: once(['rateLimits'], operator.rateLimits),
  clock: once(['clock'], operator.clock),
  ready: { key: ['operator', 'ready'], every: 2_000, read: operator.ready },
  metrics: { key: ['operator', 'metrics'], every: 5_000, read: operator.metrics },
} as const;
