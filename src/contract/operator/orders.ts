// The operator's cancels: of a user, of an instrument, or of a user in an instrument.
import type { CancelOrders } from '../../core/command.ts';
import { integer, missingField, optional, text } from '../fields.ts';
import { object } from '../object.ts';

export const cancelOrdersBody = object({
  uid: optional(
    integer({ min: 1, lenient: true, about: 'The owner of the orders; every user unless given.' }),
  ),
  symbol: optional(text({ min: 1, max: 32, about: 'The pair; every pair unless given.' })),
  reason: text({ min: 1, max: 256, about: 'For the audit log; the owner does not see it.' }),
});

interface Named {
  readonly uid: number | undefined;
  readonly securityId: number | undefined;
}

/** Throws Problem if neither is named: that would be every order of the venue. */
export function toCancelOrders({ uid, securityId }: Named): CancelOrders {
  if (uid === undefined && securityId === undefined) {
    throw missingField('uid', 'a user, unless symbol names a pair');
  }
  return { type: 'cancelOrders', uid: uid ?? 0, securityId: securityId ?? 0 };
}
