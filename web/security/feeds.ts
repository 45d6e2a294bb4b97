// What the security page reads.
import { keys } from '../api/keys.ts';
import * as people from '../api/people.ts';
import type { Feed } from '../live/live.ts';

export const AUDIT_PAGE_SIZE = 15;

export const sessionsFeed: Feed<readonly people.OpenSession[]> = {
  key: ['sessions'],
  every: 15_000,
  read: people.sessions,
};

export const keysFeed: Feed<Awaited<ReturnType<typeof keys>>> = {
  key: ['keys'],
  every: 30_000,
  read: keys,
};

export const auditFeed = (page: number): Feed<people.AuditPage> => ({
  key: ['audit', page],
  every: page === 1 ? 15_000 : null,
  read: (options) => people.audit(page, AUDIT_PAGE_SIZE, options),
});

/** What nearly every act on this page changes. */
export const AFTER_AN_ACT = [['me'], ['audit'], ['sessions']] as const;
