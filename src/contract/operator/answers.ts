// The answers of the operator's calls.
import { enterpriseOf } from '../../core/earn/enterprise.ts';
import { planOf } from '../../core/earn/plan.ts';
import { byFeeRole } from '../../core/fee-rates.ts';
import { SelfTradePrevention } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { AccountCode } from '../../core/ledger/account-code.ts';
import { INSTRUMENT_FEE, type User as UserOfCore } from '../../core/user.ts';
import * as answer from '../answer.ts';
import { advanceTerms, planFields } from '../earn/answers.ts';
import { boolean, decimal, integer, oneOf, text } from '../fields.ts';
import { jsonRate, jsonSteps } from '../json.ts';
import {
  asset,
  instrumentFields,
  instrumentStatus,
  notReady,
  openFlag,
} from '../market-data/answers.ts';
import { feeRates, feeTier } from '../trading/answers.ts';
import { key } from '../user-center/answers.ts';

const ownFees = byFeeRole((role) =>
  answer.made(
    answer.nullable(decimal(), 'null: the fee of the instrument.'),
    ({ [role]: fee }: UserOfCore) => (fee === INSTRUMENT_FEE ? null : jsonRate(fee)),
  ),
);

export const user = answer.object('User', 'A customer.', {
  uid: integer(),
  email: text(),
  kyc: boolean(),
  status: answer.made(oneOf(['active', 'suspended']), ({ suspended }: UserOfCore) =>
    suspended ? 'suspended' : 'active',
  ),
  ...ownFees,
  maxOpenOrders: integer(),
  enterpriseId: answer.nonZero(integer()),
  enterpriseAdmin: boolean(),
  createdAt: answer.time(),
});

export const createdUser = answer.object('CreatedUser', 'The new customer.', {
  uid: integer(),
});

export const userKey = answer.object('UserKey', 'An API key of a customer.', {
  ...key.shape.fields,
  keyId: integer(),
  uid: integer(),
});

export const booked = answer.object('Booked', 'A transfer; the same for a repeated reference.', {
  transferId: integer(),
  seq: integer(),
});

export const canceledOrders = answer.object('CanceledOrders', 'The result of a cancel.', {
  canceled: integer(),
  remaining: integer('Orders that the next commands cancel automatically.'),
});

export const INCOME_ACCOUNTS = {
  feeRevenue: AccountCode.feeRevenue,
  enterpriseMargin: AccountCode.enterpriseMargin,
  reserve: AccountCode.interestReserve,
} as const;

export const incomeAccount = {
  ...answer.wordsOf(INCOME_ACCOUNTS),
  name: 'IncomeAccount',
  about: 'An account of the venue.',
};

export const income = answer.object('Income', 'The balance of an account of the venue.', {
  account: incomeAccount,
  planId: answer.nullable(text()),
  enterpriseId: answer.nullable(integer()),
  asset: answer.coin(),
  balance: answer.money(),
  withdrawable: answer.money('The part that the operator can withdraw.'),
});

export const incomes = answer.object('Incomes', 'Fees, margins and reserves.', {
  items: answer.list(income),
});

interface AccountOwner {
  readonly account: number;
  readonly owner: number;
}

export const venueTransfer = answer.object(
  'VenueTransfer',
  'A transfer between the venue and the outside.',
  {
    transferId: integer(),
    time: answer.from('transactTime', answer.time()),
    account: incomeAccount,
    planId: answer.made(answer.nullable(text()), ({ account, owner }: AccountOwner) =>
      account === INCOME_ACCOUNTS.reserve ? String(planOf(owner)) : null,
    ),
    enterpriseId: answer.made(answer.nullable(integer()), ({ account, owner }: AccountOwner) =>
      account === INCOME_ACCOUNTS.enterpriseMargin ? enterpriseOf(owner) : null,
    ),
    asset: answer.coin(),
    amount: answer.money('Above 0: incoming; below 0: outgoing.'),
    reference: text(),
  },
);

export const accountSum = answer.object('AccountSum', 'The balance of one kind of account.', {
  code: text(),
  balance: answer.money(),
});

export const assetSums = answer.object('AssetSums', 'The accounts of an asset.', {
  asset: answer.coin(),
  sum: answer.money('Always 0.'),
  accounts: answer.list(accountSum),
});

export const trialBalance = answer.object('TrialBalance', 'The trial balance of the venue.', {
  seq: integer(),
  assets: answer.list(assetSums),
});

export const removedAsset = answer.object('RemovedAsset', 'The asset that was removed.', {
  assetId: integer(),
});

export const listedAsset = answer.object('ListedAsset', 'An asset.', {
  assetId: integer(),
  ...asset.shape.fields,
});

export const listedInstrument = answer.object('ListedInstrument', 'An instrument, all terms.', {
  securityId: integer(),
  symbol: text(),
  baseAsset: answer.made(text(), ({ base }: Instrument) => base.name),
  quoteAsset: answer.made(text(), ({ quote }: Instrument) => quote.name),
  ...instrumentFields,
  ...feeRates,
  selfTradePrevention: answer.wordsOf(SelfTradePrevention),
  priceBand: answer.rate('0: no band.'),
  instrumentStatus: answer.from('status', instrumentStatus),
  open: openFlag,
  lastPrice: answer.made(answer.nullable(decimal()), ({ lastPrice, tick }: Instrument) =>
    lastPrice === 0 ? null : jsonSteps(lastPrice, tick),
  ),
});

export const volumeRate = answer.object(
  'VolumeRate',
  'The value of a quote asset in the asset of the table.',
  { asset: text(), rate: answer.rate('The value of one coin.') },
);

export const feeTierTable = answer.object('FeeTierTable', 'The fees by volume.', {
  volumeAsset: answer.nullable(text(), 'Volumes are in this asset; null: no table.'),
  rates: answer.list(volumeRate),
  tiers: answer.list(feeTier, 'In ascending order of volume.'),
});

export const createdPlan = answer.object('CreatedPlan', 'The new plan.', {
  planId: answer.idText(),
});

export const offeredBooster = answer.object('OfferedBooster', 'The booster of a plan.', {
  coin: text(),
  ratio: answer.rate('Booster coins for each subscribed coin.'),
  apr: answer.from('rate', answer.rate()),
});

export const planReserve = answer.object('PlanReserve', 'The reserve that pays the interest.', {
  balance: answer.money(),
  payable: answer.money(),
  yearlyCost: answer.money(),
  dailyCost: answer.money(),
  daysOfCover: answer.nullable(answer.whole(), 'Whole days, of any size; null if nothing accrues.'),
  overdue: boolean(),
  alarm: boolean(),
});

export const offeredPlan = answer.object('OfferedPlan', 'A plan with its terms and reserve.', {
  ...planFields,
  ...advanceTerms,
  planName: text(),
  status: answer.made(oneOf(['open', 'closed']), ({ open }: { readonly open: boolean }) =>
    open ? 'open' : 'closed',
  ),
  poolCapacity: answer.nullable(answer.money()),
  pool: answer.money('The subscribed amount.'),
  rewardFrequency: integer(),
  booster: answer.nullable(answer.written(offeredBooster)),
  reserve: planReserve,
});

export const createdEnterprise = answer.object('CreatedEnterprise', 'The new enterprise.', {
  enterpriseId: integer(),
});

export const amendedEnterprise = answer.object('AmendedEnterprise', 'The amended enterprise.', {
  enterpriseId: integer(),
  selfTradePrevention: boolean(),
});

export const planMargin = answer.object('PlanMargin', 'The margin on a plan.', {
  planId: answer.idText(),
  margin: answer.rate(),
});

export const enterprise = answer.object('Enterprise', 'An enterprise.', {
  enterpriseId: integer(),
  name: text(),
  selfTradePrevention: boolean('Whether orders of its members never trade with each other.'),
  members: integer(),
  margins: answer.list(planMargin),
});

export const journalHead = answer.object('JournalHead', 'The end of the journal.', {
  seq: integer(),
  time: answer.time(),
  chainHash: text(),
  stateHash: text(),
});

export const truncatedJournal = answer.object('TruncatedJournal', 'The journal after the cut.', {
  firstSeq: integer('The first command that the journal still has.'),
});

export const takenSnapshot = answer.object('TakenSnapshot', 'The new snapshot.', {
  seq: integer(),
  stateHash: text(),
});

export const auditEntry = answer.object('AuditEntry', 'An entry of the audit log.', {
  id: integer(),
  time: answer.time(),
  actor: text(),
  ip: answer.nullable(text()),
  action: text(),
  object: answer.nullable(text()),
  result: text(),
  requestId: answer.nullable(text()),
  details: answer.map(answer.any(), 'Any form; the SDK returns numbers as texts, except ids.'),
  hash: text(),
});

export const auditHead = answer.object('AuditHead', 'The newest entry.', {
  id: integer(),
  hash: text(),
});

export const auditPage = answer.object('AuditPage', 'A page of the audit log.', {
  ...answer.fieldsOfPage(auditEntry),
  head: auditHead,
});

export const mail = answer.object('Mail', 'An email of the outbox directory.', {
  from: text(),
  to: text(),
  subject: text(),
  body: text(),
  file: text(),
  date: answer.nullable(answer.time()),
});

export const outbox = answer.object('Outbox', 'The newest emails, newest first.', {
  items: answer.list(mail),
});

export const clockState = answer.object('ClockState', 'The two clocks.', {
  now: answer.time('Business time.'),
  wall: answer.time(),
  offset: integer('How far the clock of a sandbox was moved, ms.'),
  ahead: integer(
    'How far business time is ahead of the wall clock, ms: the offset, and more while the wall ' +
      'clock is behind the last command, for example after a correction.',
  ),
});

export const advancedClock = answer.object('AdvancedClock', 'Business time after the move.', {
  now: answer.time(),
});

export const rateLimit = answer.object('RateLimit', 'A rate limiter.', {
  name: text(),
  countedBy: text(),
  status: oneOf(['on', 'off']),
  quota: answer.nullable(integer(), 'null while it is off.'),
  windowSeconds: answer.nullable(integer()),
  burst: answer.nullable(integer()),
  refused: answer.from('rejected', integer('Requests rejected since the start.')),
});

export const rateLimits = answer.object('RateLimits', 'All rate limiters.', {
  items: answer.list(rateLimit),
});

export const clusterNode = answer.object('ClusterNode', 'A node of a cluster.', {
  node: text(),
  address: text('Where the other nodes reach its link.'),
  role: oneOf(
    ['leader', 'follower', 'lost', 'stopped', 'unknown'],
    '`lost`: it was there and is silent. `stopped`: it stopped in order. `unknown`: the ' +
      'database, by which nodes see each other, does not answer.',
  ),
  release: text('Its release of agio.'),
  rules: integer('The newest version of the rules of the journal that it reads.'),
  seq: answer.nullable(integer(), 'The last command that it has applied, where known.'),
  lag: answer.nullable(integer(), 'Commands of the leader that it has not applied yet.'),
  connectedSince: answer.nullable(answer.time(), 'null for a node without a known connection.'),
  lastSeen: answer.nullable(answer.time(), 'When the database last had a sign of it.'),
});

export const cluster = answer.object(
  'Cluster',
  'The cluster, as its leader sees it, or a node without one.',
  {
    mode: oneOf(['single', 'cluster'], '`single`: one machine, which has no nodes.'),
    leader: answer.nullable(
      text(),
      'The node that leads; null on a single machine, and while nobody leads.',
    ),
    epoch: integer('The term of the leader; 0 on a single machine.'),
    since: answer.nullable(answer.time(), 'When this term began; null on a single machine.'),
    nodes: answer.list(clusterNode, 'The leader, connected nodes, then those that are gone.'),
    rules: integer('The version of the rules of the journal; 0 on a single machine.'),
    newRules: integer('The version that `cluster/upgrade` would raise them to.'),
    standbys: integer('Standbys of the database.'),
    standbysLost: integer('Standbys that it had since the start of this node, and has lost.'),
    otherTokens: answer.list(text(), 'Nodes with another operator token.'),
    trouble: answer.nullable(
      text(),
      'Why the node that answers has no leader, as in its log; null while it has one.',
    ),
    reason: answer.nullable(notReady, 'Why the node that answers accepts no writes, else null.'),
  },
);

export const clusterUpgrade = answer.object('ClusterUpgrade', 'New rules of the journal.', {
  from: integer('The version of the rules before.'),
  to: integer('The version after, unless nodes are too old.'),
  dryRun: boolean(),
  olderNodes: answer.list(text(), 'Nodes that cannot read it: `node (agio release)`.'),
});

export const forgottenNode = answer.object('ForgottenNode', 'A node that was removed.', {
  node: text(),
});

export const handover = answer.object('Handover', 'A handover, which begins with this answer.', {
  node: text('The node that leads next.'),
  epoch: integer('The term that ends. The next leader has a higher one.'),
});
