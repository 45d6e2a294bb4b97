// What each call may be refused for, by the names of the two tables that the program refuses by: what follows from how a call is
// described (who may, whether it has a body, whether it writes) by rule, and the business of each call by name.
import { isLegacy } from '../../src/contract/codes.ts';
import { REFUSALS, type Refusal, type RefusalName } from '../../src/contract/refusals.ts';
import type { Route } from '../../src/gateway/http/route.ts';
import type { calls, operatorCalls, userCenterCalls } from '../../src/sdk/calls.ts';

type Business<C> = { readonly [K in keyof C]?: readonly RefusalName[] };

const INSTRUMENT: readonly RefusalName[] = ['unknownSymbol', 'symbolMismatch'];
const NEW_ORDER: readonly RefusalName[] = [
  ...INSTRUMENT,
  'instrumentUnknown',
  'unsupported',
  'offIncrement',
  'userSuspended',
  'userUnknown',
  'instrumentClosed',
  'belowMinimum',
  'aboveMaximum',
  'priceOutsideBand',
  'clOrdIdDuplicate',
  'tooManyOpenOrders',
  'insufficientBalance',
];
const OWN_SUBSCRIPTION: readonly RefusalName[] = [
  'planUnknown',
  'notOwnSubscription',
  'historyUnavailable',
];
const EARLY: readonly RefusalName[] = [
  'earlyRedemption',
  'redeemAboveAmount',
  'partialRedemption',
  'earnParameter',
];

export const CUSTOMER: Business<typeof calls> = {
  instruments: INSTRUMENT,
  instrumentsV1: INSTRUMENT,
  orderbook: ['unknownSymbol'],
  level3Orderbook: ['unknownSymbol'],
  trades: ['unknownSymbol', 'historyUnavailable'],
  tickers: ['unknownSymbol', 'historyUnavailable'],
  candles: ['unknownSymbol', 'historyUnavailable'],
  createOrder: NEW_ORDER,
  testOrder: NEW_ORDER,
  cancelOrder: [
    'userSuspended',
    'unsupported',
    'orderUnknown',
    'orderMismatch',
    'orderClosed',
    'historyUnavailable',
  ],
  massCancel: ['userSuspended', ...INSTRUMENT, 'instrumentUnknown'],
  cancelAllAfter: ['userSuspended'],
  orders: [...INSTRUMENT, 'dateWindow', 'historyUnavailable'],
  fills: ['unknownSymbol', 'historyUnavailable'],
  ledger: ['historyUnavailable'],
  plan: ['planUnknown'],
  previewApply: ['planUnknown', 'earnParameter', 'lockTooShort', 'lockTooLong'],
  applyPlan: [
    'planUnknown',
    'historyUnavailable',
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
    'tooManySubscriptions',
    'userSuspended',
  ],
  subscription: OWN_SUBSCRIPTION,
  interest: [...OWN_SUBSCRIPTION, 'dependencyFailed'],
  explainInterest: [...OWN_SUBSCRIPTION, 'earnParameter', 'dependencyFailed'],
  previewRedeem: [...OWN_SUBSCRIPTION, ...EARLY],
  redeem: [
    ...OWN_SUBSCRIPTION,
    ...EARLY,
    'interestUnpayable',
    'tooManySubscriptions',
    'userSuspended',
  ],
  setAutoRenew: [...OWN_SUBSCRIPTION, 'earnParameter', 'notOwner', 'userSuspended'],
  memberSubscriptions: ['notEnterpriseAdmin', 'dependencyFailed', 'historyUnavailable'],
  margins: ['notEnterpriseAdmin'],
  setMargin: ['notEnterpriseAdmin', 'planUnknown', 'earnParameter', 'userSuspended'],
};

const CODES: readonly RefusalName[] = ['emailCodeNeeded', 'emailCodeWrong', 'tooManyAttempts'];
const FACTOR: readonly RefusalName[] = ['totpNeeded', 'totpWrong'];

export const CENTER: Business<typeof userCenterCalls> = {
  register: ['tooManyCodes', 'tooManyAttempts', 'overloaded'],
  confirmRegistration: ['emailCodeWrong', 'tooManyAttempts', 'overloaded'],
  login: ['credentialsWrong', ...FACTOR, ...CODES, 'overloaded'],
  resetPassword: ['tooManyCodes', 'tooManyAttempts', 'overloaded'],
  confirmPasswordReset: ['emailCodeWrong', ...FACTOR, 'tooManyAttempts', 'overloaded'],
  changePassword: ['userSuspended', 'credentialsWrong', ...FACTOR, ...CODES, 'overloaded'],
  enrollTotp: ['userSuspended', 'totpActive', 'loginNotRecent'],
  activateTotp: [
    'userSuspended',
    'loginNotRecent',
    'totpActive',
    'totpInactive',
    'totpWrong',
    'tooManyAttempts',
  ],
  stepUp: ['totpInactive', 'totpWrong', ...CODES],
  disableTotp: [
    'userSuspended',
    'credentialsWrong',
    'totpInactive',
    'totpWrong',
    ...CODES,
    'overloaded',
  ],
  renewRecoveryCodes: ['userSuspended', 'totpInactive', 'totpWrong', ...CODES],
  sendEmailCode: ['tooManyCodes'],
  createKey: ['userSuspended', 'totpInactive', 'totpWrong', ...CODES],
  deleteKey: [...FACTOR, ...CODES],
  faucet: ['userSuspended', 'assetUnknown', 'faucetUsed', 'notFound', 'overloaded'],
};

export const OPERATOR: Business<typeof operatorCalls> = {
  createUser: ['alreadyExists', 'enterpriseUnknown', 'invalidTerms', 'overloaded'],
  attachUser: ['userUnknown', 'alreadyExists', 'overloaded'],
  user: ['userUnknown'],
  amendUser: ['offIncrement', 'userUnknown', 'enterpriseUnknown', 'invalidTerms', 'overloaded'],
  userBalances: ['userUnknown'],
  createKey: ['userUnknown'],
  keys: ['userUnknown'],
  revokeKey: ['userUnknown'],
  credit: [
    'offIncrement',
    'userUnknown',
    'assetUnknown',
    'invalidTerms',
    'referenceReused',
    'overloaded',
  ],
  debit: [
    'offIncrement',
    'userUnknown',
    'assetUnknown',
    'invalidTerms',
    'referenceReused',
    'insufficientBalance',
    'overloaded',
  ],
  cancelOrders: ['userUnknown', 'unknownSymbol', 'instrumentUnknown', 'overloaded'],
  withdrawIncome: [
    'offIncrement',
    'assetUnknown',
    'planUnknown',
    'enterpriseUnknown',
    'invalidTerms',
    'referenceReused',
    'insufficientBalance',
    'overloaded',
  ],
  createAsset: ['alreadyExists', 'invalidTerms', 'overloaded'],
  createInstrument: ['offIncrement', 'assetUnknown', 'alreadyExists', 'invalidTerms', 'overloaded'],
  amendInstrument: [
    'offIncrement',
    'unknownSymbol',
    'instrumentUnknown',
    'invalidTerms',
    'overloaded',
  ],
  createPlan: ['offIncrement', 'assetUnknown', 'invalidTerms', 'overloaded'],
  plan: ['planUnknown'],
  amendPlan: ['offIncrement', 'planUnknown', 'assetUnknown', 'invalidTerms', 'overloaded'],
  fundReserve: ['offIncrement', 'planUnknown', 'invalidTerms', 'referenceReused', 'overloaded'],
  createEnterprise: ['alreadyExists', 'invalidTerms', 'overloaded'],
  amendEnterprise: ['enterpriseUnknown', 'overloaded'],
  truncateJournal: ['truncationRefused', 'overloaded'],
  snapshot: ['overloaded', 'historyUnavailable'],
  advanceClock: ['privilegeMissing', 'overloaded'],
};

const WITH_BODY: readonly RefusalName[] = ['invalidBody', 'bodyTooLarge', 'notJson'];
const WITH_KEY: readonly RefusalName[] = [
  'headersMissing',
  'signatureInvalid',
  'sessionInvalid',
  'timestampOutside',
  'privilegeMissing',
  'addressRefused',
  'rateLimited',
];
const WRITE: readonly RefusalName[] = [
  'signatureUsed',
  'signatureTooOld',
  'idempotencyKeyReused',
  'overloaded',
];
const ALWAYS: readonly RefusalName[] = ['invalidField', 'invalidHeader', 'internal', 'notReady'];
/** Of those only that a restart is announced by. */
const STOPPING: readonly RefusalName[] = ['stopping'];

/** What follows from the description of a call. */
function byRule(route: Route): RefusalName[] {
  const { access, method, body } = route;
  const names: RefusalName[] = [...ALWAYS, ...STOPPING];
  if (body !== undefined) names.push(...WITH_BODY);
  if (method !== 'GET') names.push('storageFull');
  if (route.legacyErrors === true) names.push('earnField');
  if (route.write) names.push(...WRITE);
  if (route.write && route.legacyErrors === true) names.push('transactionFailed');
  if (route.stepUp === true) names.push('stepUpNeeded');
  if (access === 'public') return [...names, 'rateLimited'];
  if (access === 'operator') return [...names, 'sessionInvalid', 'rateLimited'];
  if (method !== 'GET') names.push('crossOrigin');
  if (access === 'session') return [...names, 'sessionInvalid', 'rateLimited'];
  return [...names, ...WITH_KEY];
}

/** Everything that a call may be refused for, by status and code; each code with its causes. */
export function refusalsOf(route: Route, business: readonly RefusalName[]): Refusal[] {
  const names = new Set([...byRule(route), ...business]);
  return [...names]
    .map((name) => REFUSALS[name])
    .sort((a, b) => a.http - b.http || a.code - b.code);
}

/** Whether it comes as a legacy error of the earn area, with status 200. */
export const comesAsLegacy = ({ code }: Refusal): boolean => isLegacy(code);
