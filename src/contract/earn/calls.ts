// The earn calls of a customer, and those of an enterprise's admin.
import * as answer from '../answer.ts';
import { calls, Module } from '../call.ts';
import { oneOf } from '../fields.ts';
import * as answers from './answers.ts';
import { marginQuery, marginsBody, membersBody } from './enterprise.ts';
import * as requests from './requests.ts';

const EARN = '/earn-api/v1/user';
const read = {
  method: 'GET',
  access: { module: Module.earnRead },
  envelope: 'plain',
} as const;
const write = { method: 'POST', write: true, envelope: 'plain' } as const;
const admin = {
  method: 'POST',
  access: { module: Module.enterpriseAdmin },
  envelope: 'withSucc',
} as const;

const succeeded = oneOf([true]);

const OWN_SUBSCRIPTION = ['planUnknown', 'notOwnSubscription', 'historyUnavailable'] as const;
/** The rejections of a call that needs a live subscription. */
const LIVE_SUBSCRIPTION = [...OWN_SUBSCRIPTION, 'subscriptionEnded'] as const;
const EARLY = [
  'earlyRedemption',
  'redeemAboveAmount',
  'partialRedemption',
  'earnParameter',
] as const;

export const earnCalls = calls('customer', 'earn', {
  plans: {
    method: 'GET',
    path: `${EARN}/plan/list`,
    access: 'public',
    envelope: 'withSucc',
    summary: 'The plans that are open.',
    answer: answer.list(answers.plan),
  },
  plan: {
    ...read,
    path: `${EARN}/plan/detail`,
    summary: 'One plan, open or closed, with the rates that you would earn.',
    query: requests.planQuery,
    answer: answers.planDetail,
    rejections: ['planUnknown'],
  },
  previewApply: {
    ...read,
    path: `${EARN}/apply/preview`,
    summary: 'Shows the interest of a new subscription, or of an addition to a flexible one.',
    about: 'It does not check bounds, capacity or balance.',
    query: requests.applyPreviewQuery,
    answer: answers.applyPreview,
    rejections: ['planUnknown', 'earnParameter', 'lockTooShort', 'lockTooLong'],
  },
  applyPlan: {
    ...write,
    path: `${EARN}/plan/apply`,
    access: { module: Module.earnWrite },
    summary: 'Subscribes to a plan, or adds to the existing flexible subscription.',
    body: requests.applyBody,
    answer: answers.applied,
    rejections: [
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
  },
  subscriptions: {
    ...read,
    path: `${EARN}/apply/currentList`,
    summary: 'The subscriptions of the account that are not redeemed, newest first.',
    about: 'All of them, or one page if a field asks for it.',
    query: requests.currentQuery,
    isPlainInSdk: true,
    answer: answer.list(answers.currentSubscription),
    maxRows: 2000,
  },
  endedSubscriptions: {
    ...read,
    path: `${EARN}/apply/endedList`,
    summary: 'The redeemed subscriptions of the account, newest first: one page.',
    query: requests.endedQuery,
    answer: answer.page(answers.endedSubscription),
    rejections: ['dependencyFailed', 'historyUnavailable'],
  },
  subscription: {
    ...read,
    path: `${EARN}/apply/detail`,
    summary: 'One subscription of the account, live or redeemed, with its redemptions.',
    query: requests.subscriptionQuery,
    answer: answers.subscription,
    rejections: OWN_SUBSCRIPTION,
  },
  interest: {
    ...read,
    path: `${EARN}/apply/interest`,
    summary: 'The interest of a subscription day by day, newest first: one page.',
    query: requests.interestQuery,
    answer: answer.page(answers.interestEntry),
    rejections: [...OWN_SUBSCRIPTION, 'dependencyFailed'],
  },
  explainInterest: {
    ...read,
    path: `${EARN}/apply/interest/explain`,
    summary: 'How the interest of one day was calculated, to the last digit.',
    query: requests.explainQuery,
    answer: answers.interestExplanation,
    rejections: [...OWN_SUBSCRIPTION, 'earnParameter', 'dependencyFailed'],
  },
  previewRedeem: {
    ...read,
    path: `${EARN}/redeem/preview`,
    summary: 'Shows what a redemption would return and forfeit, and how long it would take.',
    query: requests.redeemPreviewQuery,
    answer: answers.redeemPreview,
    rejections: [...LIVE_SUBSCRIPTION, ...EARLY],
  },
  redeem: {
    ...write,
    path: `${EARN}/apply/redeem`,
    access: { module: Module.earlyRedemption },
    summary: 'Redeems a subscription, or a part of a flexible one.',
    body: requests.redeemBody,
    answer: succeeded,
    rejections: [
      ...LIVE_SUBSCRIPTION,
      ...EARLY,
      'interestUnpayable',
      'tooManySubscriptions',
      'userSuspended',
    ],
  },
  setAutoRenew: {
    ...write,
    path: `${EARN}/plan/detail/edit`,
    access: { module: Module.earnWrite },
    summary: 'Switches auto renew, of one subscription or of all that have terms.',
    body: requests.editBody,
    answer: succeeded,
    rejections: [...LIVE_SUBSCRIPTION, 'earnParameter', 'notOwner', 'userSuspended'],
  },
});

export const enterpriseCalls = calls('customer', 'enterprise', {
  memberSubscriptions: {
    ...admin,
    path: `${EARN}/earn/plans/list`,
    repeat: 'read',
    summary: 'Subscriptions of the enterprise’s members, also redeemed, newest first: one page.',
    body: membersBody,
    answer: answer.page(answers.memberSubscription),
    rejections: ['notEnterpriseAdmin', 'dependencyFailed', 'historyUnavailable'],
  },
  margins: {
    ...admin,
    path: `${EARN}/yield/manage/list`,
    repeat: 'read',
    summary: 'The plans, newest first, with what the enterprise keeps of each: one page.',
    body: marginsBody,
    answer: answer.page(answers.margin),
    rejections: ['notEnterpriseAdmin'],
  },
  setMargin: {
    ...admin,
    path: `${EARN}/edit/enterpriseMargin`,
    write: true,
    stepUp: true,
    summary: 'Sets what the enterprise keeps of a plan, as an annual rate.',
    about: 'It applies to new subscriptions of its members.',
    query: marginQuery,
    answer: succeeded,
    rejections: ['notEnterpriseAdmin', 'planUnknown', 'earnParameter', 'userSuspended'],
  },
});
