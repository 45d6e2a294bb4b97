// The feeds of the security page.
import type { Key, OwnAuditEntry, Page, Session } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import type { Feed } from '../live/live.ts';

const AUDIT_PAGE_SIZE = 15;

export const sessionsFeed: Feed<readonly Session[]> = {
  key: ['sessions'],
  every: 15_000,
  read: (options) => userCenter.sessions(options),
};

export const keysFeed: Feed<readonly Key[]> = {
  key: ['keys'],
  every: 30_000,
  read: (options) => userCenter.keys(options),
};

export const auditFeed = (page: number): Feed<Page<OwnAuditEntry>> => ({
  key: ['audit', page],
  every: page === 1 ? 15_000 : null,
  read: (options) => userCenter.audit({ page, pageSize: AUDIT_PAGE_SIZE }, options),
});

/** The feeds that nearly every action on this page changes. */
export const AFTER_AN_ACT = [['me'], ['audit'], ['sessions']] as const;

/** True if a key works: neither revoked nor expired. `now`: wall clock, ms. */
export const isLive = ({ revokedAt, expiresAt }: Key, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);
