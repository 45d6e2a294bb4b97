// The rejections of the core. A reject is a value, never thrown. Its code, its status and its
// sentence are in contract/rejections.ts.
import type { Amount } from './units.ts';

/** In order of precedence: when several apply, the first one here is the answer. */
export const REJECT_NAMES = [
  'signatureUsed',
  'signatureTooOld',
  'idempotencyKeyReused',
  'userUnknown',
  'userSuspended',
  'assetUnknown',
  'instrumentUnknown',
  'alreadyExists',
  'assetInUse',
  'invalidTerms',
  'referenceReused',
  'orderUnknown',
  'orderMismatch',
  'notAmendable',
  'instrumentClosed',
  'preventionRequired',
  'expireTimePassed',
  'belowFilled',
  'belowMinimum',
  'exitsTooSmall',
  'displayTooSmall',
  'aboveMaximum',
  'noLastPrice',
  'trailingTooFar',
  'priceOutsideBand',
  'exitReached',
  'wouldTrigger',
  'clOrdIdDuplicate',
  'wouldMatch',
  'tooManyOpenOrders',
  'planUnknown',
  'earnParameter',
  'notOwnSubscription',
  'addFundsFlexibleOnly',
  'subscriptionNotHeld',
  'boosterAmount',
  'boosterPlanType',
  'boosterUnsupported',
  'kycRequired',
  'belowUserMinimum',
  'aboveUserMaximum',
  'lockTooShort',
  'lockTooLong',
  'poolFull',
  'earnBalance',
  'earlyRedemption',
  'redeemAboveAmount',
  'partialRedemption',
  'interestUnpayable',
  'tooManySubscriptions',
  'enterpriseUnknown',
  'notEnterpriseAdmin',
  'insufficientBalance',
] as const;

export type RejectName = (typeof REJECT_NAMES)[number];

/** A bound with its unit, so that the edge can write it as a decimal. */
export type Measure =
  | { readonly unit: 'ticks'; readonly securityId: number; readonly n: number }
  | { readonly unit: 'lots'; readonly securityId: number; readonly n: number }
  | { readonly unit: 'amount'; readonly assetId: number; readonly n: Amount }
  | { readonly unit: 'rate'; readonly n: number }
  | { readonly unit: 'count'; readonly n: number };

export const inAsset = (assetId: number, n: Amount): Measure => ({ unit: 'amount', assetId, n });
export const inLots = (securityId: number, n: number): Measure => ({ unit: 'lots', securityId, n });
export const inTicks = (securityId: number, n: number): Measure => ({
  unit: 'ticks',
  securityId,
  n,
});
export const asCount = (n: number): Measure => ({ unit: 'count', n });

/** A rejection with its remedy: field, bound, value sent and nearest accepted value. */
export interface Reject {
  readonly name: RejectName;
  readonly field: string | null;
  /** The broken rule, such as `minQuantity` or `available`. */
  readonly rule: string | null;
  readonly limit: Measure | null;
  readonly value: Measure | null;
  readonly nearest: Measure | null;
}

/** The bound of a rejection, the value sent and the nearest accepted value, all in one unit. */
export const measures = <N>(
  unit: (id: number, n: N) => Measure,
  id: number,
  bounds: { readonly limit: N; readonly value: N; readonly nearest: N | null },
): Record<'limit' | 'value', Measure> & Pick<Reject, 'nearest'> => ({
  limit: unit(id, bounds.limit),
  value: unit(id, bounds.value),
  nearest: bounds.nearest === null ? null : unit(id, bounds.nearest),
});

export function rejection(
  name: RejectName,
  field: string | null = null,
  rule: string | null = null,
  measures: Partial<Pick<Reject, 'limit' | 'value' | 'nearest'>> = {},
): Reject {
  return { name, field, rule, limit: null, value: null, nearest: null, ...measures };
}
