// The operator's calls about open orders and about the installation: the requests, and the command
// of a cancel.
import { DAY_MS } from '../../core/calendar.ts';
import type { CancelOrders } from '../../core/command.ts';
import { missingField } from '../absent.ts';
import { boolean, integer, numericId, optional, text } from '../fields.ts';
import { object } from '../object.ts';

export const cancelOrdersBody = object({
  uid: optional(numericId('The owner of the orders; every user by default.')),
  symbol: optional(text({ min: 1, max: 32, about: 'The pair; every pair by default.' })),
  reason: text({ min: 1, max: 256, about: 'For the audit log; the owner does not see it.' }),
});

/** Throws Problem if neither is named: that would be every order of the venue. */
export function toCancelOrders({
  uid,
  securityId,
}: {
  readonly uid: number | undefined;
  readonly securityId: number | undefined;
}): CancelOrders {
  if (uid === undefined && securityId === undefined) {
    throw missingField('uid', 'a user, unless symbol names a pair');
  }
  return { type: 'cancelOrders', uid: uid ?? 0, securityId: securityId ?? 0 };
}

/** More than a year of interest days in one call; it still bounds how long a call may work. */
const MAX_ADVANCE_MS = 400 * DAY_MS;

/** Body of a truncation: where the archive ends. */
export const truncationBody = object({
  seq: integer({ min: 0, about: 'The last archived command.' }),
  chainHash: text({
    min: 64,
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    expected: 'a chain hash of 64 hex digits',
    about: 'Its chain hash; zeros for 0.',
  }),
});

export const outboxQuery = object({ limit: optional(integer({ min: 1, max: 100 }), 20) });

/** The longest name that the setting `node` accepts. */
const MAX_NAME = 63;

export const handOverBody = object({
  node: text({ min: 1, max: MAX_NAME, about: 'The node that leads next: a connected one.' }),
});

export const upgradeBody = object({
  dryRun: optional(boolean({ about: 'Only says what an upgrade would do.' }), false),
});

export const forgetBody = object({
  node: text({ min: 1, max: MAX_NAME, about: 'A node that is gone and does not come back.' }),
});

export const advanceClockBody = object({
  ms: integer({
    min: 1,
    max: MAX_ADVANCE_MS,
    lenient: true,
    unit: 'ms',
    about: 'At most 400 days.',
  }),
});
