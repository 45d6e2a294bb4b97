// The calls of an enterprise's admin: what its members hold, what it keeps of each plan, and how that is set.
import type * as sdk from '../../src/sdk/answers-earn.ts';
import type { CallOptions } from '../../src/sdk/index.ts';
import type { Decimal } from '../exact/decimal.ts';
import { client } from './clients.ts';
import type { PlanType } from './earn.ts';
import { inTexts, type Texts } from './texts.ts';

export type MemberSubscription = Texts<sdk.MemberSubscription>;
/** ACTIVE earns; REDEEMING while all or a part is on its way back; REDEEMED is over. */
export type RedemptionStatus = MemberSubscription['redemptionStatus'];
/** Rates before the margin; of a customized plan, of its shortest term, and so `planDuration`, in days. */
export type PlanMargin = Texts<sdk.Margin>;

export interface MembersQuery {
  readonly planType?: PlanType | undefined;
  readonly symbol?: string | undefined;
  readonly pageNum: number;
  readonly pageSize: number;
}

const MARGINS_PAGE = 20;
const TYPES = { '1': 1, '2': 2, '3': 3 } as const;

/** Newest first, also those that are over. */
export function members({ planType, symbol, ...page }: MembersQuery, options?: CallOptions) {
  const request = {
    ...page,
    ...(planType === undefined ? {} : { planType: TYPES[planType] }),
    ...(symbol === undefined ? {} : { symbol }),
  };
  return inTexts(client.memberSubscriptions(request, options));
}

/** All plans, newest first. */
export function margins(asset: string | undefined, pageNum: number, options?: CallOptions) {
  const of = asset === undefined ? {} : { asset };
  return inTexts(client.margins({ ...of, pageNum, pageSize: MARGINS_PAGE }, options));
}

/** Asks for a fresh second factor (stepUpNeeded). */
export const setMargin = (planId: string, margin: Decimal) => client.setMargin({ planId, margin });
