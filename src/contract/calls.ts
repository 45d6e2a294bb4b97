// Every call of the API, in the order of the reference.
import type { ApiCall, ClientName } from './call.ts';
import { earnCalls, enterpriseCalls } from './earn/calls.ts';
import { marketDataCalls, processCalls } from './market-data/calls.ts';
import { operatorCalls } from './operator/calls.ts';
import { accountCalls, orderCalls } from './trading/calls.ts';
import { userCenterCalls } from './user-center/calls.ts';

type CallTable = Readonly<Record<string, ApiCall>>;

/** By client of the SDK, its calls by the names of their methods. */
export const CALLS: Readonly<Record<ClientName, CallTable>> = {
  customer: {
    ...processCalls,
    ...marketDataCalls,
    ...orderCalls,
    ...accountCalls,
    ...earnCalls,
    ...enterpriseCalls,
  },
  userCenter: userCenterCalls,
  operator: operatorCalls,
};

export const allCalls: readonly ApiCall[] = Object.values(CALLS).flatMap(Object.values<ApiCall>);
