// The operator's calls, with the token of the operator console. Every one of them, reads too, is an entry of the audit log.
import type * as answers from '../../src/sdk/answers.ts';
import type * as sdk from '../../src/sdk/answers-operator.ts';
import type * as people from '../../src/sdk/answers-people.ts';
import type { CallOptions } from '../../src/sdk/index.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import type * as requests from '../../src/sdk/requests-operator.ts';
import type { Decimal } from '../exact/decimal.ts';
import { endOperator, operatorToken } from '../session/operator.ts';
import { client, ON_THIS_PAGE } from './clients.ts';
import { isLoggedOut } from './refusal.ts';
import { inTexts, type Texts } from './texts.ts';

const operator = new OperatorClient({ ...ON_THIS_PAGE, operatorToken: operatorToken.get });

/** Throws what the call throws; a token that is not accepted any more ends the login. */
async function asked<T>(answer: Promise<T>): Promise<Texts<T>> {
  try {
    return await inTexts(answer);
  } catch (error) {
    if (isLoggedOut(error)) endOperator(true);
    throw error;
  }
}

/** Whether this is the token, without noting it. Throws Refused where it is not. */
export const tryToken = (token: string) =>
  new OperatorClient({ ...ON_THIS_PAGE, operatorToken: token }).clock();

/** One page of a list. */
export type Page<T> = Texts<Omit<answers.Page<never>, 'items'>> & { readonly items: readonly T[] };

// People

/** Fees of null: what the instrument charges. */
export type User = Texts<sdk.User>;
export type NewUser = Omit<requests.OperatorCreateUserRequest, 'enterpriseId'> & {
  readonly enterpriseId?: string;
};
export type UserTerms = Omit<requests.OperatorAmendUserRequest, 'enterpriseId'> & {
  readonly enterpriseId?: string | null;
};
export type ApiKey = Texts<sdk.UserKey>;
/** The one time that the secret is shown. */
export type KeyWithSecret = people.NewKey;
export type NewKey = requests.OperatorCreateKeyRequest;

/** `query`: a part of the e-mail address, or the uid. */
export const users = (query: string, page: number, pageSize: number, options?: CallOptions) =>
  asked(operator.users({ ...(query === '' ? {} : { query }), page, pageSize }, options));
export const user = (uid: string, options?: CallOptions) =>
  asked(operator.user(Number(uid), options));
export const createUser = ({ enterpriseId, ...terms }: NewUser) =>
  asked(operator.createUser({ ...terms, ...enterpriseOf(enterpriseId) }));
export const amendUser = (uid: string, { enterpriseId, ...terms }: UserTerms) =>
  asked(operator.amendUser(Number(uid), { ...terms, ...enterpriseOf(enterpriseId) }));
export const balancesOf = (uid: string, options?: CallOptions) =>
  asked(operator.userBalances(Number(uid), options));
export const keysOf = (uid: string, options?: CallOptions) =>
  asked(operator.keys(Number(uid), options));
export const createKey = (uid: string, key: NewKey) => asked(operator.createKey(Number(uid), key));
export const revokeKey = (uid: string, apiKey: string) =>
  asked(operator.revokeKey(Number(uid), apiKey));

/** Left out where it is not said; null for none. */
function enterpriseOf<T extends string | null | undefined>(id: T) {
  type Id = T extends null ? null : number;
  if (id === undefined) return {};
  return { enterpriseId: (id === null ? null : Number(id)) as Id };
}

// Money

export interface Transfer {
  readonly uid: string;
  readonly asset: string;
  readonly amount: Decimal;
  readonly reference: string;
}

/** The place of the transfer in the journal. The same for a reference that was booked before. */
export type Booked = Texts<sdk.Booked>;
/** A sum that is not 0 says that the books are wrong. */
export type TrialBalance = Texts<sdk.TrialBalance>;
export type AssetBalance = Texts<sdk.AssetSums>;
export type AccountSum = Texts<sdk.AccountSum>;
export type Direction = 'credit' | 'debit';

export function transfer(direction: Direction, { uid, ...rest }: Transfer) {
  const request = { ...rest, uid: Number(uid) };
  return asked(direction === 'credit' ? operator.credit(request) : operator.debit(request));
}
/** What there is in an account of the venue, a plan or an enterprise, and what of it can be withdrawn. */
export type Income = Texts<sdk.Income>;
export type VenueTransfer = Texts<sdk.VenueTransfer>;
export type Withdrawal = Omit<requests.OperatorWithdrawIncomeRequest, 'amount' | 'enterpriseId'> & {
  readonly amount: Decimal;
  readonly enterpriseId?: string;
};

export const income = (options?: CallOptions) => asked(operator.income(options));
/** The newest transfers. */
export const venueStatement = (pageSize: number, options?: CallOptions) =>
  asked(operator.venueStatement({ pageSize }, options));
export const withdrawIncome = ({ enterpriseId, ...body }: Withdrawal) =>
  asked(
    operator.withdrawIncome({
      ...body,
      ...(enterpriseId === undefined ? {} : { enterpriseId: Number(enterpriseId) }),
    }),
  );
export const trialBalance = (options?: CallOptions) => asked(operator.trialBalance(options));

// Orders

export interface OrdersToCancel {
  readonly uid?: string | undefined;
  readonly symbol?: string | undefined;
  readonly reason: string;
}

export const cancelOrders = ({ uid, symbol, reason }: OrdersToCancel) =>
  asked(
    operator.cancelOrders({
      ...(uid === undefined ? {} : { uid: Number(uid) }),
      ...(symbol === undefined ? {} : { symbol }),
      reason,
    }),
  );

// Markets

export type Asset = Texts<sdk.ListedAsset>;
export type NewAsset = Required<requests.OperatorCreateAssetRequest>;
/** A price band of 0: none. */
export type Instrument = Texts<sdk.ListedInstrument>;
export type SelfTradePrevention = Instrument['selfTradePrevention'];
export type InstrumentTerms = Pick<
  Instrument,
  | 'baseAssetMinOrderSize'
  | 'quoteAssetMinOrderSize'
  | 'makerFee'
  | 'takerFee'
  | 'selfTradePrevention'
  | 'priceBand'
  | 'instrumentStatus'
>;
export type NewInstrument = InstrumentTerms &
  Pick<Instrument, 'symbol' | 'baseAssetIncrement' | 'quoteAssetIncrement'>;

export const assets = (options?: CallOptions) => asked(operator.assets(options));
export const createAsset = (asset: NewAsset) => asked(operator.createAsset(asset));
export const instruments = (options?: CallOptions) => asked(operator.instruments(options));
export const createInstrument = (terms: NewInstrument) => asked(operator.createInstrument(terms));
export const amendInstrument = (symbol: string, terms: Partial<InstrumentTerms>) =>
  asked(operator.amendInstrument(symbol, terms));

// Earn

export type Plan = Texts<sdk.OfferedPlan>;
/** 1 flexible, 2 fixed, 3 customized. */
export type PlanType = Plan['planType'];
export type Booster = Texts<sdk.OfferedBooster>;
/** `daysOfCover` is null where nothing is earned. */
export type PlanReserve = Texts<sdk.PlanReserve>;
/** What an edit may change; null removes a bound and a booster. */
export interface PlanTerms {
  readonly planName?: string;
  readonly userAmountMin?: Decimal;
  readonly userAmountMax?: Decimal;
  readonly apr?: Decimal;
  readonly minApr?: Decimal;
  readonly maxApr?: Decimal;
  readonly poolCapacity?: Decimal | null;
  readonly redeemLockHours?: number;
  readonly supportEarlyRedemption?: boolean;
  readonly supportAutoRenew?: boolean;
  readonly requiresKyc?: boolean;
  readonly label?: string;
  readonly booster?: Booster | null;
  readonly status?: Plan['status'];
}

export interface NewPlan extends PlanTerms {
  readonly planType: PlanType;
  readonly coin: string;
  readonly lockDay?: number;
  readonly minLockDay?: number;
  readonly maxLockDay?: number;
  readonly rewardFrequency?: number;
  readonly autoCompound?: boolean;
}

export type Enterprise = Texts<sdk.Enterprise>;

const TYPES = { '1': 1, '2': 2, '3': 3 } as const;

export const plans = (options?: CallOptions) => asked(operator.plans(options));
/** What is missing, or null, is refused by the exchange, which says it best. */
export const createPlan = ({ planType, ...terms }: NewPlan) =>
  asked(
    operator.createPlan({
      ...terms,
      planType: TYPES[planType],
    } as requests.OperatorCreatePlanRequest),
  );
export const amendPlan = (planId: string, terms: PlanTerms) =>
  asked(operator.amendPlan(planId, terms));
export const fundReserve = (planId: string, funds: Pick<Transfer, 'amount' | 'reference'>) =>
  asked(operator.fundReserve(planId, funds));
export const enterprises = (options?: CallOptions) => asked(operator.enterprises(options));
export const createEnterprise = (name: string) => asked(operator.createEnterprise({ name }));
export const preventSelfTrades = (enterpriseId: string, selfTradePrevention: boolean) =>
  asked(operator.amendEnterprise(Number(enterpriseId), { selfTradePrevention }));

// The installation

/** `time` is business time. */
export type JournalHead = Texts<sdk.JournalHead>;
/** `result`: ok, or the code of the refusal. */
export type AuditEntry = Texts<sdk.AuditEntry>;
export type AuditPage = Texts<sdk.AuditPage>;
export type Mail = Texts<sdk.Mail>;
export type Limit = Texts<sdk.RateLimit>;
export type Clock = Texts<sdk.ClockState>;
export type Ready = Texts<answers.Ready>;

export const journalHead = (options?: CallOptions) => asked(operator.journalHead(options));
export const snapshot = () => asked(operator.snapshot());
export const audit = (page: number, pageSize: number, options?: CallOptions) =>
  asked(operator.audit({ page, pageSize }, options));
export const outbox = (limit: number, options?: CallOptions) =>
  asked(operator.outbox({ limit }, options));
export const rateLimits = (options?: CallOptions) => asked(operator.rateLimits(options));
export const clock = (options?: CallOptions) => asked(operator.clock(options));
export const advanceClock = (ms: number) => asked(operator.advanceClock({ ms }));

/** These two need no token and are in no log, so they may be asked as often as one likes. */
export const ready = (options?: CallOptions) => inTexts(client.ready(options));
export const metrics = (options?: CallOptions) => client.metrics(options);
