// The calls of the operator. Clients send a call that creates something once. They may repeat all
// others, which name their transfer by a reference or set a value.
import * as answer from '../answer.ts';
import { calls } from '../call.ts';
import { pageQuery } from '../paging.ts';
import { balance } from '../trading/answers.ts';
import { newKey, revokedKey } from '../user-center/answers.ts';
import * as answers from './answers.ts';
import * as earn from './earn.ts';
import { feeTiersBody } from './fee-tiers.ts';
import { withdrawIncomeBody } from './income.ts';
import * as listing from './listing.ts';
import * as system from './system.ts';
import * as users from './users.ts';

const OPERATOR = '/operator/v1';
const read = { method: 'GET', access: 'operator' } as const;
const create = { method: 'POST', access: 'operator' } as const;
const post = { ...create, repeat: 'repeatable' } as const;
const amend = { ...post, method: 'PATCH' } as const;

const TRANSFER = ['offIncrement', 'assetUnknown', 'invalidTerms', 'referenceReused'] as const;

const UNUSED =
  'A pair, a plan or its booster, the fee tiers, and money that was ever booked use an asset; ' +
  '`rule` names the use.';

export const operatorCalls = calls('operator', 'operator', {
  createUser: {
    ...create,
    path: `${OPERATOR}/users`,
    summary: 'Creates a user.',
    about: 'An `enterpriseId` of 0 is none.',
    body: users.createUserBody,
    answer: answers.createdUser,
    rejections: ['alreadyExists', 'enterpriseUnknown', 'invalidTerms', 'overloaded'],
  },
  attachUser: {
    ...create,
    path: `${OPERATOR}/users/{uid}/attach`,
    summary: 'Sets the email address of a user that the journal has and identity.db does not.',
    about: 'Needed after the restore of an older identity.db.',
    body: users.attachUserBody,
    answer: answers.user,
    rejections: ['userUnknown', 'alreadyExists', 'overloaded'],
  },
  users: {
    ...read,
    path: `${OPERATOR}/users`,
    summary: 'Users, newest first; `query` is a part of the email address, or the uid: one page.',
    query: users.usersQuery,
    answer: answer.page(answers.user),
  },
  user: {
    ...read,
    path: `${OPERATOR}/users/{uid}`,
    summary: 'One user.',
    answer: answers.user,
    rejections: ['userUnknown'],
  },
  amendUser: {
    ...amend,
    path: `${OPERATOR}/users/{uid}`,
    summary:
      'Changes KYC, status, fees, the limit on open orders or the enterprise; a fee of null is ' +
      'the pair’s.',
    about:
      'A suspension cancels the user’s open orders, ends sessions and streams, and rejects every ' +
      'later write of the user. An `enterpriseId` of 0 is none.',
    body: users.amendUserBody,
    answer: answers.user,
    rejections: ['offIncrement', 'userUnknown', 'enterpriseUnknown', 'invalidTerms', 'overloaded'],
  },
  userBalances: {
    ...read,
    path: `${OPERATOR}/users/{uid}/balances`,
    summary: 'The balances of a user, by asset.',
    answer: answer.list(balance),
    rejections: ['userUnknown'],
  },
  createKey: {
    ...create,
    path: `${OPERATOR}/users/{uid}/keys`,
    summary: 'Creates an API key. Only this answer has its secret.',
    body: users.createKeyBody,
    answer: newKey,
    rejections: ['userUnknown'],
  },
  keys: {
    ...read,
    path: `${OPERATOR}/users/{uid}/keys`,
    summary: 'The API keys of a user, newest first, also revoked ones; never their secrets.',
    answer: answer.list(answers.userKey),
    rejections: ['userUnknown'],
  },
  revokeKey: {
    ...post,
    path: `${OPERATOR}/users/{uid}/keys/{apiKey}/revoke`,
    summary: 'Revokes an API key immediately and destroys its secret.',
    about: 'A second call changes nothing.',
    answer: revokedKey,
    rejections: ['userUnknown'],
  },
  credit: {
    ...post,
    path: `${OPERATOR}/ledger/credit`,
    summary: 'Credits money that has arrived for a customer, once per reference.',
    body: users.transferBody,
    answer: answers.booked,
    rejections: ['userUnknown', ...TRANSFER, 'overloaded'],
  },
  debit: {
    ...post,
    path: `${OPERATOR}/ledger/debit`,
    summary: 'Debits money that leaves for a customer, once per reference.',
    body: users.transferBody,
    answer: answers.booked,
    rejections: ['userUnknown', ...TRANSFER, 'insufficientBalance', 'overloaded'],
  },
  cancelOrders: {
    ...post,
    path: `${OPERATOR}/orders/cancel`,
    summary:
      'Cancels the open orders of a user, of a pair, or of a user in a pair, whatever the status ' +
      'of the pair.',
    about: 'One command cancels at most 2,000 orders; the `remaining` ones follow automatically.',
    body: system.cancelOrdersBody,
    answer: answers.canceledOrders,
    rejections: ['userUnknown', 'unknownSymbol', 'instrumentUnknown', 'overloaded'],
  },
  withdrawIncome: {
    ...post,
    path: `${OPERATOR}/ledger/withdraw-income`,
    summary:
      'Withdraws fees, the margins of an enterprise, or what a reserve has beyond the interest ' +
      'that it owes, once per reference.',
    body: withdrawIncomeBody,
    answer: answers.booked,
    rejections: [
      'planUnknown',
      'enterpriseUnknown',
      ...TRANSFER,
      'insufficientBalance',
      'overloaded',
    ],
  },
  income: {
    ...read,
    path: `${OPERATOR}/ledger/income`,
    summary: 'Fees, margins and reserves, and how much of each the operator can withdraw.',
    answer: answers.incomes,
  },
  venueStatement: {
    ...read,
    path: `${OPERATOR}/ledger/venue-statement`,
    summary: 'Funded reserves and withdrawn income, newest first: one page.',
    query: pageQuery,
    answer: answer.page(answers.venueTransfer),
  },
  trialBalance: {
    ...read,
    path: `${OPERATOR}/ledger/trial-balance`,
    summary: 'Per asset the balance of each kind of account, and their sum, which is 0.',
    answer: answers.trialBalance,
  },
  createAsset: {
    ...create,
    path: `${OPERATOR}/assets`,
    summary: 'Lists an asset. Its scale never changes once something uses it.',
    body: listing.createAssetBody,
    answer: answers.listedAsset,
    rejections: ['alreadyExists', 'invalidTerms', 'overloaded'],
  },
  amendAsset: {
    ...amend,
    path: `${OPERATOR}/assets/{asset}`,
    summary: 'Changes the scale of an asset that nothing uses.',
    about: UNUSED,
    body: listing.amendAssetBody,
    answer: answers.listedAsset,
    rejections: ['assetUnknown', 'assetInUse', 'invalidTerms', 'overloaded'],
  },
  removeAsset: {
    ...create,
    path: `${OPERATOR}/assets/{asset}/remove`,
    summary: 'Removes an asset that nothing uses. Its number is never used again.',
    about: UNUSED,
    answer: answers.removedAsset,
    rejections: ['assetUnknown', 'assetInUse', 'overloaded'],
  },
  assets: {
    ...read,
    path: `${OPERATOR}/assets`,
    summary: 'All assets.',
    answer: answer.list(answers.listedAsset),
  },
  createInstrument: {
    ...create,
    path: `${OPERATOR}/instruments`,
    summary: 'Lists an instrument. Its increments never change, its other terms may.',
    about:
      'By default, fees are 0, there is no price band, `selfTradePrevention` is `cancelNewest` ' +
      'and `instrumentStatus` is `LIVE`.',
    body: listing.createInstrumentBody,
    answer: answers.listedInstrument,
    rejections: ['offIncrement', 'assetUnknown', 'alreadyExists', 'invalidTerms', 'overloaded'],
  },
  instruments: {
    ...read,
    path: `${OPERATOR}/instruments`,
    summary: 'All instruments with all their terms.',
    answer: answer.list(answers.listedInstrument),
  },
  amendInstrument: {
    ...amend,
    path: `${OPERATOR}/instruments/{symbol}`,
    summary: 'Changes minimum sizes, fees, self-trade prevention, price band or status.',
    body: listing.amendInstrumentBody,
    answer: answers.listedInstrument,
    rejections: [
      'offIncrement',
      'unknownSymbol',
      'instrumentUnknown',
      'invalidTerms',
      'overloaded',
    ],
  },
  feeTiers: {
    ...read,
    path: `${OPERATOR}/fee-tiers`,
    summary: 'The table of fees by 30-day volume.',
    answer: answers.feeTierTable,
  },
  setFeeTiers: {
    ...post,
    path: `${OPERATOR}/fee-tiers`,
    summary: 'Sets the table of fees by 30-day volume, whole; without tiers, removes it.',
    about:
      '`volumeAsset` is required with tiers. Fills count from the first table on, at the `rates` ' +
      'of their day. A user’s own rates precede those of the tier. A table in another asset ' +
      'starts with volumes of 0.',
    body: feeTiersBody,
    answer: answers.feeTierTable,
    rejections: ['offIncrement', 'assetUnknown', 'invalidTerms', 'overloaded'],
  },
  createPlan: {
    ...create,
    path: `${OPERATOR}/plans`,
    summary: 'Offers a plan. Type, coin, days, reward frequency and compounding never change.',
    body: earn.createPlanBody,
    answer: answers.createdPlan,
    rejections: ['offIncrement', 'assetUnknown', 'invalidTerms', 'overloaded'],
  },
  plans: {
    ...read,
    path: `${OPERATOR}/plans`,
    summary:
      'All plans with their terms, the subscribed amounts, and how long their reserves last.',
    answer: answer.list(answers.offeredPlan),
  },
  plan: {
    ...read,
    path: `${OPERATOR}/plans/{planId}`,
    summary: 'One plan.',
    answer: answers.offeredPlan,
    rejections: ['planUnknown'],
  },
  amendPlan: {
    ...amend,
    path: `${OPERATOR}/plans/{planId}`,
    summary: 'Changes terms. null removes `poolCapacity` and `booster`.',
    about:
      'New subscriptions have the new terms immediately, flexible ones from the next UTC day on, ' +
      'and running terms never.',
    body: earn.amendPlanBody,
    answer: answers.offeredPlan,
    rejections: ['offIncrement', 'planUnknown', 'assetUnknown', 'invalidTerms', 'overloaded'],
  },
  fundReserve: {
    ...post,
    path: `${OPERATOR}/plans/{planId}/reserve`,
    summary: 'Adds money from outside to the reserve that pays interest, once per reference.',
    body: earn.fundReserveBody,
    answer: answers.booked,
    rejections: ['offIncrement', 'planUnknown', 'invalidTerms', 'referenceReused', 'overloaded'],
  },
  createEnterprise: {
    ...create,
    path: `${OPERATOR}/enterprises`,
    summary: 'Creates an enterprise; users become members by `enterpriseId`.',
    body: earn.createEnterpriseBody,
    answer: answers.createdEnterprise,
    rejections: ['alreadyExists', 'invalidTerms', 'overloaded'],
  },
  amendEnterprise: {
    ...amend,
    path: `${OPERATOR}/enterprises/{enterpriseId}`,
    summary:
      'Sets whether orders of its members may trade with each other, from the next order on.',
    body: earn.amendEnterpriseBody,
    answer: answers.amendedEnterprise,
    rejections: ['enterpriseUnknown', 'overloaded'],
  },
  enterprises: {
    ...read,
    path: `${OPERATOR}/enterprises`,
    summary: 'All enterprises with the number of their members and their margins.',
    answer: answer.list(answers.enterprise),
  },
  journalHead: {
    ...read,
    path: `${OPERATOR}/journal/head`,
    summary: 'The end of the journal: its position, its hash, and the hash of the state there.',
    answer: answers.journalHead,
  },
  truncateJournal: {
    ...post,
    path: `${OPERATOR}/journal/truncate`,
    summary: 'Removes archived journal files up to `seq`; keeps what both snapshots need.',
    about: 'The chain hash proves that they are archived. `agio journal archive` makes this call.',
    body: system.truncationBody,
    answer: answers.truncatedJournal,
    rejections: ['truncationRejected', 'overloaded'],
  },
  snapshot: {
    ...post,
    path: `${OPERATOR}/snapshot`,
    summary: 'Takes a snapshot now; answers when it is on disk.',
    answer: answers.takenSnapshot,
    rejections: ['overloaded', 'historyUnavailable'],
  },
  audit: {
    ...read,
    path: `${OPERATOR}/audit`,
    summary: 'The audit log, newest first: one page.',
    about: '`head`, kept elsewhere, proves that nobody cut the log.',
    query: pageQuery,
    answer: answers.auditPage,
  },
  outbox: {
    ...read,
    path: `${OPERATOR}/outbox`,
    summary: 'The newest emails of the outbox directory, newest first.',
    query: system.outboxQuery,
    answer: answers.outbox,
  },
  clock: {
    ...read,
    path: `${OPERATOR}/clock`,
    summary: 'Business time, wall clock, and how far business time is ahead; ms.',
    answer: answers.clockState,
  },
  advanceClock: {
    ...create,
    path: `${OPERATOR}/clock/advance`,
    summary: 'Sandbox only: moves business time forward; answers when all due work is done.',
    body: system.advanceClockBody,
    answer: answers.advancedClock,
    rejections: ['privilegeMissing', 'overloaded'],
  },
  rateLimits: {
    ...read,
    path: `${OPERATOR}/rate-limits`,
    summary: 'The limiters in force, and how many requests each has rejected since the start.',
    answer: answers.rateLimits,
  },
  cluster: {
    ...read,
    path: `${OPERATOR}/cluster`,
    summary: 'The nodes of the cluster, the leader first, and how far behind each is.',
    about: 'Every node passes the call on to the leader.',
    answer: answers.cluster,
  },
  handOver: {
    ...create,
    path: `${OPERATOR}/cluster/lead`,
    summary: 'Hands the lead over to another node; writes of customers wait for it.',
    about: 'It begins with this answer; `GET /operator/v1/cluster` shows when it is done.',
    body: system.handOverBody,
    answer: answers.handover,
    rejections: ['notCluster', 'nodeUnknown', 'alreadyLeads'],
  },
  upgradeCluster: {
    ...create,
    path: `${OPERATOR}/cluster/upgrade`,
    summary: 'Lets the cluster use what its new release can; every node must have that release.',
    about:
      'Until this call, nodes of the older release can come back. `agio cluster upgrade` makes it.',
    body: system.upgradeBody,
    answer: answers.clusterUpgrade,
    rejections: ['notCluster', 'olderNodes'],
  },
  forgetNode: {
    ...create,
    path: `${OPERATOR}/cluster/forget`,
    summary: 'Removes a node from the cluster that is gone and does not come back.',
    about: '`agio cluster forget` makes this call.',
    body: system.forgetBody,
    answer: answers.forgottenNode,
    rejections: ['notCluster', 'memberUnknown', 'nodeRuns'],
  },
});
