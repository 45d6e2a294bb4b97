// The answers of the operator's calls.
import * as answer from '../answer.ts';
import { advanceTerms, planFields } from '../earn/answers.ts';
import { instrumentStatus, notReady } from '../market-data/answers.ts';
import { feeTier } from '../trading/answers.ts';
import { key } from '../user-center/answers.ts';

export const user = answer.object('User', 'A customer.', {
  uid: answer.integer(),
  email: answer.text(),
  kyc: answer.boolean(),
  status: answer.oneOf(['active', 'suspended']),
  makerFee: answer.nullable(answer.decimal(), 'null: the fee of the instrument.'),
  takerFee: answer.nullable(answer.decimal()),
  maxOpenOrders: answer.integer(),
  enterpriseId: answer.nullable(answer.integer()),
  enterpriseAdmin: answer.boolean(),
  createdAt: answer.time(),
});

export const createdUser = answer.object('CreatedUser', 'The new customer.', {
  uid: answer.integer(),
});

export const userKey = answer.object('UserKey', 'An API key of a customer.', {
  ...key.shape.fields,
  keyId: answer.integer(),
  uid: answer.integer(),
});

export const booked = answer.object('Booked', 'A transfer; the same for a repeated reference.', {
  transferId: answer.integer(),
  seq: answer.integer(),
});

export const canceledOrders = answer.object('CanceledOrders', 'The result of a cancel.', {
  canceled: answer.integer(),
  remaining: answer.integer('Orders that the next commands cancel automatically.'),
});

export const incomeAccount = answer.words('IncomeAccount', 'An account of the venue.', [
  'feeRevenue',
  'enterpriseMargin',
  'reserve',
]);

export const income = answer.object('Income', 'The balance of an account of the venue.', {
  account: incomeAccount,
  planId: answer.nullable(answer.text()),
  enterpriseId: answer.nullable(answer.integer()),
  asset: answer.text(),
  balance: answer.decimal(),
  withdrawable: answer.decimal('The part that the operator can withdraw.'),
});

export const incomes = answer.object('Incomes', 'Fees, margins and reserves.', {
  items: answer.list(income),
});

export const venueTransfer = answer.object(
  'VenueTransfer',
  'A transfer between the venue and the outside.',
  {
    transferId: answer.integer(),
    time: answer.time(),
    account: incomeAccount,
    planId: answer.nullable(answer.text()),
    enterpriseId: answer.nullable(answer.integer()),
    asset: answer.text(),
    amount: answer.decimal('Above 0: incoming; below 0: outgoing.'),
    reference: answer.text(),
  },
);

export const accountSum = answer.object('AccountSum', 'The balance of one kind of account.', {
  code: answer.text(),
  balance: answer.decimal(),
});

export const assetSums = answer.object('AssetSums', 'The accounts of an asset.', {
  asset: answer.text(),
  sum: answer.decimal('Always 0.'),
  accounts: answer.list(accountSum),
});

export const trialBalance = answer.object('TrialBalance', 'The trial balance of the venue.', {
  seq: answer.integer(),
  assets: answer.list(assetSums),
});

export const listedAsset = answer.object('ListedAsset', 'An asset.', {
  assetId: answer.integer(),
  asset: answer.text(),
  scale: answer.integer(),
  fiat: answer.boolean(),
});

export const listedInstrument = answer.object('ListedInstrument', 'An instrument, all terms.', {
  securityId: answer.integer(),
  symbol: answer.text(),
  baseAsset: answer.text(),
  quoteAsset: answer.text(),
  baseAssetIncrement: answer.decimal(),
  quoteAssetIncrement: answer.decimal(),
  baseAssetMinOrderSize: answer.decimal(),
  quoteAssetMinOrderSize: answer.decimal(),
  makerFee: answer.decimal(),
  takerFee: answer.decimal(),
  selfTradePrevention: answer.oneOf(['none', 'cancelNewest', 'cancelOldest', 'cancelBoth']),
  priceBand: answer.decimal('0: no band.'),
  instrumentStatus,
  open: answer.boolean(),
  lastPrice: answer.nullable(answer.decimal()),
});

export const volumeRate = answer.object(
  'VolumeRate',
  'The value of a quote asset in the asset of the table.',
  { asset: answer.text(), rate: answer.decimal('The value of one coin.') },
);

export const feeTierTable = answer.object('FeeTierTable', 'The fees by volume.', {
  volumeAsset: answer.nullable(answer.text(), 'Volumes are in this asset; null: no table.'),
  rates: answer.list(volumeRate),
  tiers: answer.list(feeTier, 'In ascending order of volume.'),
});

export const createdPlan = answer.object('CreatedPlan', 'The new plan.', {
  planId: answer.text(),
});

export const offeredBooster = answer.object('OfferedBooster', 'The booster of a plan.', {
  coin: answer.text(),
  ratio: answer.decimal('Booster coins for each subscribed coin.'),
  apr: answer.decimal(),
});

export const planReserve = answer.object('PlanReserve', 'The reserve that pays the interest.', {
  balance: answer.decimal(),
  payable: answer.decimal(),
  yearlyCost: answer.decimal(),
  dailyCost: answer.decimal(),
  daysOfCover: answer.nullable(
    answer.decimal(),
    'Whole days, of any size; null if nothing accrues.',
  ),
  overdue: answer.boolean(),
  alarm: answer.boolean(),
});

export const offeredPlan = answer.object('OfferedPlan', 'A plan with its terms and reserve.', {
  ...planFields,
  ...advanceTerms,
  planName: answer.text(),
  status: answer.oneOf(['open', 'closed']),
  poolCapacity: answer.nullable(answer.decimal()),
  pool: answer.decimal('The subscribed amount.'),
  rewardFrequency: answer.integer(),
  booster: answer.nullable(offeredBooster),
  reserve: planReserve,
});

export const createdEnterprise = answer.object('CreatedEnterprise', 'The new enterprise.', {
  enterpriseId: answer.integer(),
});

export const amendedEnterprise = answer.object('AmendedEnterprise', 'The amended enterprise.', {
  enterpriseId: answer.integer(),
  selfTradePrevention: answer.boolean(),
});

export const planMargin = answer.object('PlanMargin', 'The margin on a plan.', {
  planId: answer.text(),
  margin: answer.decimal(),
});

export const enterprise = answer.object('Enterprise', 'An enterprise.', {
  enterpriseId: answer.integer(),
  name: answer.text(),
  selfTradePrevention: answer.boolean('Whether orders of its members never trade with each other.'),
  members: answer.integer(),
  margins: answer.list(planMargin),
});

export const journalHead = answer.object('JournalHead', 'The end of the journal.', {
  seq: answer.integer(),
  time: answer.time(),
  chainHash: answer.text(),
  stateHash: answer.text(),
});

export const truncatedJournal = answer.object('TruncatedJournal', 'The journal after the cut.', {
  firstSeq: answer.integer('The first command that the journal still has.'),
});

export const takenSnapshot = answer.object('TakenSnapshot', 'The new snapshot.', {
  seq: answer.integer(),
  stateHash: answer.text(),
});

export const auditEntry = answer.object('AuditEntry', 'An entry of the audit log.', {
  id: answer.integer(),
  time: answer.time(),
  actor: answer.text(),
  ip: answer.nullable(answer.text()),
  action: answer.text(),
  object: answer.nullable(answer.text()),
  result: answer.text(),
  requestId: answer.nullable(answer.text()),
  details: answer.map(answer.any(), 'Any form; the SDK returns numbers as texts, except ids.'),
  hash: answer.text(),
});

export const auditHead = answer.object('AuditHead', 'The newest entry.', {
  id: answer.integer(),
  hash: answer.text(),
});

export const auditPage = answer.object('AuditPage', 'A page of the audit log.', {
  ...answer.fieldsOfPage(auditEntry),
  head: auditHead,
});

export const mail = answer.object('Mail', 'An email of the outbox directory.', {
  from: answer.text(),
  to: answer.text(),
  subject: answer.text(),
  body: answer.text(),
  file: answer.text(),
  date: answer.nullable(answer.time()),
});

export const outbox = answer.object('Outbox', 'The newest emails, newest first.', {
  items: answer.list(mail),
});

export const clockState = answer.object('ClockState', 'The two clocks.', {
  now: answer.time('Business time.'),
  wall: answer.time(),
  offset: answer.integer('How far business time is ahead, ms.'),
});

export const advancedClock = answer.object('AdvancedClock', 'Business time after the move.', {
  now: answer.time(),
});

export const rateLimit = answer.object('RateLimit', 'A rate limiter.', {
  name: answer.text(),
  countedBy: answer.text(),
  status: answer.oneOf(['on', 'off']),
  quota: answer.nullable(answer.integer(), 'null while it is off.'),
  windowSeconds: answer.nullable(answer.integer()),
  burst: answer.nullable(answer.integer()),
  refused: answer.integer('Requests rejected since the start.'),
});

export const rateLimits = answer.object('RateLimits', 'All rate limiters.', {
  items: answer.list(rateLimit),
});

export const clusterNode = answer.object('ClusterNode', 'A node of a cluster.', {
  node: answer.text(),
  address: answer.text('Where the other nodes reach its link.'),
  role: answer.oneOf(
    ['leader', 'follower', 'lost', 'stopped'],
    '`lost`: it was there and is silent. `stopped`: it stopped in order.',
  ),
  release: answer.text('Its release of agio.'),
  rules: answer.integer('The newest version of the rules of the journal that it reads.'),
  seq: answer.nullable(answer.integer(), 'The last command that it has applied, where known.'),
  lag: answer.nullable(answer.integer(), 'Commands of the leader that it has not applied yet.'),
  connectedSince: answer.nullable(answer.time(), 'null for a node without a known connection.'),
  lastSeen: answer.nullable(answer.time(), 'When the database last had a sign of it.'),
});

export const cluster = answer.object(
  'Cluster',
  'The cluster, as its leader sees it, or a node without one.',
  {
    mode: answer.oneOf(['single', 'cluster'], '`single`: one machine, which has no nodes.'),
    leader: answer.nullable(
      answer.text(),
      'The node that leads; null on a single machine, and while nobody leads.',
    ),
    epoch: answer.integer('The term of the leader; 0 on a single machine.'),
    since: answer.nullable(answer.time(), 'When this term began; null on a single machine.'),
    nodes: answer.list(clusterNode, 'The leader, connected nodes, then those that are gone.'),
    rules: answer.integer('The version of the rules of the journal; 0 on a single machine.'),
    newRules: answer.integer('The version that `cluster/upgrade` would raise them to.'),
    standbys: answer.integer('Standbys of the database.'),
    standbysLost: answer.integer(
      'Standbys that it had since the start of this node, and has lost.',
    ),
    otherTokens: answer.list(answer.text(), 'Nodes with another operator token.'),
    reason: answer.nullable(notReady, 'Why the node that answers accepts no writes, else null.'),
  },
);

export const clusterUpgrade = answer.object('ClusterUpgrade', 'New rules of the journal.', {
  from: answer.integer('The version of the rules before.'),
  to: answer.integer('The version after, unless nodes are too old.'),
  dryRun: answer.boolean(),
  olderNodes: answer.list(answer.text(), 'Nodes that cannot read it: `node (agio release)`.'),
});

export const forgottenNode = answer.object('ForgottenNode', 'A node that was removed.', {
  node: answer.text(),
});

export const handover = answer.object('Handover', 'A handover, which begins with this answer.', {
  node: answer.text('The node that leads next.'),
  epoch: answer.integer('The term that ends. The next leader has a higher one.'),
});
