// The legacy errors of the earn area: what each number of the list is called on the wire, and the body that carries one.
// They are answered with HTTP 200; `errorCode` and all that follows it is our addition.
import type { ProblemDetails } from './problem.ts';

/** The `msg` of each number. The list is closed: whatever else goes wrong has an HTTP status of its own. */
export const LEGACY_MESSAGES: Readonly<Record<number, string>> = {
  40000: 'earn.plan.invalid',
  40001: 'earn.plan.invalid_param',
  40002: 'earn.plan.user_min_amount',
  40003: 'earn.plan.user_max_amount',
  40004: 'earn.plan.pool_capacity_limits',
  40005: 'earn.plan.invalid_user',
  40006: 'earn.plan.add_funds_flexible_only',
  40007: 'earn.plan.flexible_holding',
  40008: 'earn.request.transaction_error',
  40009: 'earn.request.transfer_error',
  40010: 'earn.redeem.amount_over',
  40011: 'earn.need.kyc',
  40012: 'earn.booster.plan_type.error',
  40013: 'earn.redeem.not_support_partial',
  40014: 'earn.plan.not_support_booster',
  40015: 'earn.plan.user_min_day',
  40016: 'earn.plan.user_max_day',
  40017: 'earn.booster.amount_not_greater_than_0',
  40018: 'earn.plan.not_support_early_redemption',
  40019: 'earn.atc.interface.error',
  40020: 'earn.transfer.insufficient_balance',
};

/** The `code` of every legacy error. */
export const LEGACY_CODE = '500';

export const isLegacy = (code: number): boolean => code in LEGACY_MESSAGES;

export interface LegacyBody {
  readonly code: typeof LEGACY_CODE;
  readonly msg: string;
  readonly data: null;
  /** The number of the list, for programs to branch on. */
  readonly errorCode: number;
  readonly userMsg: string;
  readonly details?: ProblemDetails;
}

/** `errorCode` is a number of the list. */
export function legacyBody(
  errorCode: number,
  userMsg: string,
  details: ProblemDetails | undefined,
): LegacyBody {
  const msg = LEGACY_MESSAGES[errorCode]!;
  const body = { code: LEGACY_CODE, msg, data: null, errorCode, userMsg } as const;
  return details === undefined ? body : { ...body, details };
}
