// Texts of the enterprise page: the members' subscriptions, and margins.
import type { MemberSubscription } from '../../src/sdk/index.ts';
import { counted, inLanguage } from './catalog.ts';

const en = {
  title: (name: string | null) => name ?? 'Enterprise',
  totals: 'Totals of your members',
  members: 'Members who earn',
  runningCount: (running: number) => `in ${counted(running, 'subscription')}`,
  principalOf: (asset: string) => `Principal in ${asset}`,
  kept: (amount: string) => `+${amount} your margin so far`,
  lead:
    'Your members subscribe to the plans of the exchange. Your enterprise can keep a part of ' +
    'each plan’s rate as its margin; members earn the rest.',
  coin: 'Coin',
  allCoins: 'All coins',
  planName: (planId: string) => `Plan ${planId}`,
  plan: 'Plan',
  yourMargin: 'Your margin',

  tabs: { members: 'Subscriptions', margins: 'Margins' },
  subscriptions: 'Members’ subscriptions',
  planType: 'Plan type',
  all: 'All',
  noMatch: 'No matching subscriptions',
  noSubscriptions: 'No member subscriptions yet',
  noSubscriptionsHint: 'Your members’ subscriptions appear here, with your margin.',
  member: 'Member',
  user: 'User',
  id: 'ID',
  principal: 'Principal',
  marginNote: 'your margin',
  memberEarned: 'Member earned',
  firstDay: 'First interest day',
  ends: 'Ends',
  atEnd: 'At the end',
  status: 'Status',
  statuses: { ACTIVE: 'Earning', REDEEMING: 'Redeeming', REDEEMED: 'Ended' } satisfies Record<
    MemberSubscription['redemptionStatus'],
    string
  >,

  margins: 'Plans and margins',
  noPlans: 'No plans for this coin',
  marginsNote:
    'A margin applies to new subscriptions and new terms. Running terms and existing flexible ' +
    'subscriptions keep theirs. Your enterprise receives its margin with each interest payment ' +
    'of a member.',
  term: 'Term',
  noTerm: 'none',
  fromTerm: (term: string) => `from ${term}`,
  planPays: 'Plan pays',
  membersEarn: 'Members earn',
  change: 'Change',
  changeName: (plan: string) => `Change the margin of ${plan}`,

  marginOf: (plan: string) => `Margin of ${plan}`,
  changed: (plan: string) => `Changed the margin of ${plan}.`,
  field: 'Margin (APR)',
  fieldUse: (rate: string, isCustomized: boolean) =>
    `From 0% to ${rate}, the rate of the plan${isCustomized ? ' for its shortest term' : ''}.`,
  applies:
    'Applies to new subscriptions and renewals. Current subscriptions keep the margin that they ' +
    'or their running term started with.',
  aboveRate: (rate: string) =>
    `Above the rate of the plan, ${rate}: members cannot earn less than nothing.`,
  save: 'Save margin',
  effect: 'Effect of the change',
  now: 'Now',
  after: 'After',
  earnTerm: (term: 'shortest' | 'longest') => `Members earn, ${term} term`,
  memberYear: (example: string) => `A member’s year on ${example}`,
  memberYearShortest: (example: string) => `A member’s year on ${example}, shortest term`,
  yourYear: (example: string) => `Your year on ${example}`,
  noPrincipal: 'No member has a subscription in this plan.',
  income: (principal: string, before: string, after: string) =>
    `Members have ${principal} in this plan. In a year, your enterprise would earn ${before} ` +
    `with the current margin and ${after} with the new one.`,
  newestOnly: 'This counts only the newest subscriptions.',
};

export const enterprise = inLanguage({ en });
