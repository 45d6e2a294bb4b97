// Texts of the operator console about Earn plans and their reserves.
import { PlanType } from '../../src/sdk/index.ts';
import { counted, everyDays, type FieldTexts, inLanguage } from './catalog.ts';

const days = (count: number) => counted(count, 'day');
const credited = (hours: number) =>
  hours === 0 ? 'immediately' : `after a lock time of ${counted(hours, 'hour')}`;

const en = {
  plans: 'Plans',
  allPlans: 'All plans',
  lead: 'What customers can subscribe to. A plan pays interest from its reserve only.',
  newPlan: 'New plan',
  noPlans: 'No plans yet',
  noPlansHint: 'Create a closed plan, fund its reserve, then open it.',
  noSuchPlan: 'This plan does not exist',
  planTitle: (planId: string) => `Plan ${planId}`,
  number: 'ID',
  plan: 'Plan',
  type: 'Type',
  term: 'Term',
  rate: 'APR',
  subscribed: 'Subscribed',
  reserve: 'Reserve',
  cover: 'Lasts for',
  status: 'Status',
  open: 'Open',
  closed: 'Closed',
  closedNote: 'Closed: no new subscriptions; running ones continue to their end',
  coin: 'Coin',
  none: 'None',
  unlimited: 'Unlimited',
  filled: (percent: number) => `${percent} % of the capacity is subscribed`,
  days,
  dayRange: (from: number, to: number) => `${from} – ${days(to)}`,
  rateRange: (from: string, to: string) => `${from} – ${to}`,
  details: 'Details',
  interestPaid: 'Interest is paid',
  payout: (count: number, compounds: boolean) =>
    `${everyDays(count)}, ${compounds ? 'into the principal' : 'to the spot balance'}`,
  booster: 'Booster',
  boosterText: (rate: string, ratio: string, coin: string, of: string) =>
    `+${rate} APR with ${ratio} ${coin} locked for each ${of}`,
  capacity: 'Capacity',

  openPlan: 'Open…',
  closePlan: 'Close…',
  openQuestion: (name: string) => `Open ${name}?`,
  closeQuestion: (name: string) => `Close ${name}?`,
  openConfirm: 'Open plan',
  closeConfirm: 'Close plan',
  opened: (name: string) => `Opened ${name}.`,
  closedNow: (name: string) => `Closed ${name}.`,
  closing: [
    'Nobody can subscribe any more.',
    'Running subscriptions continue to their end and earn as before. Terms do not renew.',
    'You can open it again at any time.',
  ],
  opening: (rate: string, reserve: string | null) => [
    `Every eligible customer can subscribe immediately, at ${rate} APR.`,
    reserve === null
      ? 'Its reserve is empty: the plan owes interest that falls due until you fund it.'
      : `Its reserve has ${reserve}.`,
  ],

  terms: 'Terms',
  termsNote:
    'Type, coin, days, payout and compounding are immutable. To change them, close the plan and ' +
    'create another one.',
  termsChanged: 'Changed the terms.',
  typeMeanings: {
    [PlanType.flexible]: 'No term: customers redeem at any time.',
    [PlanType.fixed]: 'One term for everyone, at one rate.',
    [PlanType.customized]:
      'Customers choose the term within a range. Longer terms have higher rates.',
  },
  fields: {
    planType: ['Type'],
    planName: ['Name'],
    label: ['Label'],
    coin: ['Coin'],
    lockDay: ['Term'],
    minLockDay: ['Shortest term'],
    maxLockDay: ['Longest term'],
    apr: ['APR'],
    minApr: ['APR of the shortest term'],
    maxApr: ['APR of the longest term'],
    userAmountMin: ['Minimum per customer'],
    userAmountMax: ['Maximum per customer'],
    poolCapacity: ['Maximum of all customers'],
    rewardFrequency: ['Interest is paid every'],
    autoCompound: ['Compound interest'],
    redeemLockHours: ['Lock time'],
    requiresKyc: ['Verified identity required (KYC)'],
    supportEarlyRedemption: ['Early redemption'],
    supportAutoRenew: ['Auto renew'],
    boosted: ['Booster'],
    boosterCoin: ['Booster coin'],
    boosterRatio: ['Coins'],
    boosterApr: ['Additional APR'],
    open: [
      'Open immediately',
      'Otherwise the plan starts closed, so that you can fund its reserve first.',
    ],
  } satisfies FieldTexts,
  boosterRatio: (coin: string) => `Coins for each ${coin === '' ? 'coin' : coin}`,
  createPlan: 'Create plan',
  planCreated: (planId: string) => `Created plan ${planId}.`,

  yearly: (interest: string, principal: string) => `${interest} per year on ${principal}`,
  offers: (name: string, rate: string, coin: string, example: string) =>
    `“${name}” pays ${rate} APR on ${coin}: at most ${example}.`,
  flexibleTerm: (hours: number) =>
    `Customers redeem at any time; the money is credited ${credited(hours)}.`,
  fixedTerm: (term: string, early: boolean, renew: boolean, hours: number) => {
    const redemption = early
      ? `Customers can redeem early without interest; the money is credited ${credited(hours)}.`
      : 'Customers cannot redeem early.';
    const renewal = renew ? ' They can let the term renew.' : '';
    const end = 'At the end, the money is credited immediately.';
    return `The term is ${term}. ${redemption}${renewal} ${end}`;
  },
  pays: (count: number, compounds: boolean) =>
    `Interest is paid ${everyDays(count)} ` +
    `${compounds ? 'into the principal' : 'to the spot balance'}.`,
  perCustomer: (minimum: string, maximum: string, kyc: boolean) =>
    `A customer${kyc ? ' with a verified identity' : ''} can have from ${minimum} to ${maximum}.`,
  noCapacity: 'The total of all customers is unlimited, and so is the possible cost.',
  capacityCost: (capacity: string, cost: string) =>
    `All customers together can have at most ${capacity}. If full, it costs up to ${cost}, ` +
    'without boosters.',
  boosterIs: (booster: string) => `Booster: ${booster}.`,
  startsOpen:
    'It opens immediately. Its reserve is empty until you fund it; the plan owes interest that ' +
    'falls due before.',
  startsClosed: 'It starts closed: fund its reserve, then open it.',
  appliesFlexible:
    'Applies immediately to new subscriptions, and from the next UTC day to existing ones.',
  appliesTerms:
    'Applies immediately to new subscriptions. Running terms keep their conditions; renewals ' +
    'take the new ones.',

  fundIt: 'Needs funding',
  enough: 'Sufficient',
  inReserve: 'In the reserve',
  payable: 'Earned, not paid yet',
  dailyCost: 'Daily interest',
  yearlyCost: 'Yearly interest',
  lessThanDay: 'less than a day',
  years: (count: string) => `${count} years`,
  dayCount: (count: string) => `${count} days`,
  overdue: 'Interest overdue',
  empty: 'Empty',
  nothingEarned: 'No interest accrues',
  overdueSentence: (payable: string, balance: string) =>
    `The reserve could not pay interest that fell due. ${payable} is earned and not paid; the ` +
    `reserve has ${balance}. The plan pays overdue interest as soon as you fund the reserve.`,
  emptySentence:
    'The plan is open and its reserve is empty: it owes interest that falls due until you fund it.',
  unusedSentence: 'Nobody earns in this plan now, so it does not use the reserve.',
  coverSentence: (dailyCost: string, cover: string) =>
    `A day of interest costs ${dailyCost} at present. After interest that is earned and not ` +
    `paid yet, the reserve lasts for ${cover}.`,
  fund: 'Fund the reserve',
  fundAmount: ['Amount to add', 'Money of the exchange, from outside.'] as const,
  suggestions: 'To last for',
  suggestion: (count: number, amount: string) => `${count} days: ${amount}`,
  afterwards: (balance: string, cover: string | null) =>
    `Afterwards the reserve has ${balance}${cover === null ? '' : ` and lasts for ${cover}`}.`,
};

export const plansText = inLanguage({ en });
