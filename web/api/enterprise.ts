// The calls of an enterprise's admin: what its members hold, what it keeps of each plan, and how that is set.
import type { Decimal } from '../exact/decimal.ts';
import type { Page, PlanType } from './earn.ts';
import { callEarn } from './transport.ts';

/** ACTIVE earns; REDEEMING while all or a part is on its way back; REDEEMED is over. */
export type RedemptionStatus = 'ACTIVE' | 'REDEEMING' | 'REDEEMED';

export interface MemberSubscription {
  readonly subscriptionId: string;
  readonly planId: string;
  readonly planType: PlanType;
  readonly asset: string;
  readonly startTime: string;
  readonly maturityTime: string | null;
  readonly principal: Decimal;
  readonly earnings: Decimal;
  readonly redemptionStatus: RedemptionStatus;
  readonly maturityAmount: Decimal;
  /** What the enterprise's margin has come to. */
  readonly marginAllocation: Decimal;
}

export interface PlanMargin {
  readonly planId: string;
  readonly asset: string;
  readonly planType: 'FLEXIBLE' | 'FIXED' | 'CUSTOMIZED';
  /** Days of the (shortest) term; 0 for flexible. */
  readonly planDuration: string;
  /** Of the plan, before the margin; of a customized one, of its shortest term. */
  readonly apy: Decimal;
  readonly enterpriseMargin: Decimal;
}

export interface MembersQuery {
  readonly planType?: PlanType | undefined;
  readonly symbol?: string | undefined;
  readonly pageNum: number;
  readonly pageSize: number;
}

type Signal = AbortSignal | undefined;

/** Newest first, also those that are over. */
export const members = (query: MembersQuery, signal?: Signal) =>
  callEarn<Page<MemberSubscription>>('POST', '/earn/plans/list', { body: query, signal });

/** All plans, newest first. */
export const margins = (asset: string | undefined, pageNum: number, signal?: Signal) =>
  callEarn<Page<PlanMargin>>('POST', '/yield/manage/list', {
    body: { asset, pageNum, pageSize: 20 },
    signal,
  });

/** Asks for a fresh second factor (stepUpNeeded). */
export const setMargin = (planId: string, margin: Decimal) =>
  callEarn<true>('POST', '/edit/enterpriseMargin', { query: { planId, margin } });
