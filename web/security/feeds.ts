// The feeds of the security page.
import type { Key } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { feed } from '../live/live.ts';

const AUDIT_PAGE_SIZE = 15;

export const sessionsFeed = feed(['sessions'], 15_000, (options) => userCenter.sessions(options));
export const keysFeed = feed(['keys'], 30_000, (options) => userCenter.keys(options));
export const auditFeed = (page: number) =>
  feed(['audit', page], page === 1 ? 15_000 : null, (options) =>
    userCenter.audit({ page, pageSize: AUDIT_PAGE_SIZE }, options),
  );

/** The feeds that nearly every action on this page changes. */
export const AFTER_AN_ACT = [['me'], ['audit'], ['sessions']] as const;

/** True if a key works: neither revoked nor expired. `now`: wall clock, ms. */
export const isLive = ({ revokedAt, expiresAt }: Key, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);
