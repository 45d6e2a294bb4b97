// The operator's calls about the installation: what truncation, outbox and clock accept.
import { DAY_MS } from '../../core/calendar.ts';
import { integer, optional, text } from '../fields.ts';
import { object } from '../object.ts';

/** More than a year of interest days in one call; it still bounds how long a call may work. */
const MAX_ADVANCE_MS = 400 * DAY_MS;

/** Body of a truncation: where the archive ends. */
export const truncationBody = object({
  seq: integer({ min: 0, about: 'The last command that was archived.' }),
  chainHash: text({
    min: 64,
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    expected: 'a chain hash of 64 hex digits',
    about: 'Its chain hash; zeros for 0.',
  }),
});

export const outboxQuery = object({ limit: optional(integer({ min: 1, max: 100 }), 20) });

export const advanceClockBody = object({
  ms: integer({ min: 1, max: MAX_ADVANCE_MS, lenient: true, about: 'At most 400 days.' }),
});
