// The answers of the private calls about orders and the account.
import { ExecType, OrdStatus, OrdType } from '../../core/fix.ts';
import * as answer from '../answer.ts';
import { side } from '../market-data/answers.ts';

export const ordType = answer.codes('OrdType', '1 market, 2 limit, 3 stop, 4 stop limit.', OrdType);

export const ordStatus = answer.codes(
  'OrdStatus',
  '0 new, 1 partially filled, 2 filled, 4 canceled, 6 pending cancel, 8 rejected.',
  OrdStatus,
);

export const execType = answer.codes(
  'ExecType',
  'The last event: 0 new, 1 partial fill, 2 fill, 4 canceled, 5 replaced, 6 pending cancel, ' +
    '8 rejected, 21 triggered (FIX L).',
  ExecType,
);

export const createdOrder = answer.object('CreatedOrder', 'The order is durable.', {
  orderId: answer.integer(),
  symbol: answer.text(),
  clOrdId: answer.text('The client’s id, or one that the server generated.'),
  transactTime: answer.time(),
});

export const canceledOrder = answer.object('CanceledOrder', 'The order is canceled.', {
  orderId: answer.integer(),
  clOrdId: answer.text('The id of the cancel request.'),
  origClOrdId: answer.text('The id of the order.'),
});

export const amendedOrder = answer.object('AmendedOrder', 'The order has its new terms.', {
  orderId: answer.integer(),
  clOrdId: answer.text('The id of the amendment.'),
  origClOrdId: answer.text('The id of the order.'),
  transactTime: answer.time(),
});

export const createdOco = answer.object('CreatedOco', 'Both orders are durable.', {
  orderId: answer.integer('The limit order.'),
  stopOrderId: answer.integer(),
  symbol: answer.text(),
  clOrdId: answer.text('Of the limit order.'),
  stopClOrdId: answer.text(),
  transactTime: answer.time(),
});

export const refusedEntry = answer.object('RefusedEntry', 'A refused entry, which did nothing.', {
  code: answer.text(),
  msg: answer.text(),
  userMsg: answer.text(),
  details: answer.optional(answer.map(answer.any())),
});

export const batchAnswer = answer.object('BatchAnswer', 'One answer for each entry, in order.', {
  orders: answer.list(
    answer.anyOf([createdOrder, canceledOrder, amendedOrder, createdOco, refusedEntry]),
    'The answer of the call of the entry, or its refusal.',
  ),
});

export const massCanceled = answer.object('MassCanceled', 'The open orders are canceled.', {
  clOrdId: answer.text(),
  symbol: answer.nullable(answer.text(), 'null: all pairs.'),
  securityId: answer.nullable(answer.integer()),
});

export const armedSwitch = answer.object('ArmedSwitch', 'The state of the dead man’s switch.', {
  triggerTime: answer.nullable(answer.time(), 'When it cancels all open orders; null if disarmed.'),
  currentTime: answer.time(),
});

export const order = answer.object('Order', 'The last execution report of an order.', {
  rowId: answer.integer(),
  type: answer.oneOf(['ORDER']),
  account: answer.integer(),
  orderId: answer.integer(),
  execId: answer.integer(),
  clOrdId: answer.text(),
  side,
  orderQty: answer.nullable(answer.decimal(), 'null for orders by quote amount.'),
  quoteOrderQty: answer.nullable(answer.decimal()),
  cumQty: answer.decimal('The filled quantity.'),
  leavesQty: answer.decimal('The quantity that may still be filled.'),
  price: answer.nullable(answer.decimal(), 'null for market orders and stops.'),
  stopPx: answer.nullable(answer.decimal(), 'The trigger of a stop; null for other orders.'),
  avgPx: answer.decimal('Truncated to the decimals of the quote asset; 0 before the first fill.'),
  lastPx: answer.decimal(),
  lastQty: answer.decimal(),
  symbol: answer.text(),
  securityId: answer.integer(),
  ordType,
  timeInForce: answer.oneOf(
    ['1', '3', '4', '6'],
    '1 good till cancel, 3 immediate or cancel, 4 fill or kill, 6 good till date.',
  ),
  ordStatus,
  execType,
  createTime: answer.time('When the order entered.'),
  transactTime: answer.time('When this happened to it.'),
  expireTime: answer.nullable(answer.time(), 'null unless timeInForce is 6.'),
  triggerPriceDirection: answer.nullable(
    answer.oneOf(['U', 'D']),
    'Stops: U is triggered at stopPx or above, D at it or below.',
  ),
  displayQty: answer.nullable(answer.decimal(), 'An iceberg shows this much at a time.'),
  workingIndicator: answer.boolean('false while a stop waits for its trigger.'),
  ocoOrderId: answer.nullable(answer.integer(), 'The other order of its OCO pair.'),
  parentOrderId: answer.nullable(answer.integer(), 'The order whose bracket placed this one.'),
  ordRejReason: answer.optional(answer.integer('Present if ordStatus is 8.')),
  ordRejText: answer.optional(answer.text()),
  ordCxlText: answer.optional(answer.text('Present if ordStatus is 4.')),
  execInst: answer.optional(answer.oneOf(['6'], '6: post-only.')),
});

export const orderPagination = answer.object('OrderPagination', 'The position of a page.', {
  currentPage: answer.integer(),
  size: answer.integer(),
  startRowId: answer.nullable(answer.integer()),
  lastRowId: answer.nullable(answer.integer(), 'Requests the next, older page.'),
});

export const orderPage = answer.object('OrderPage', 'Orders, newest first.', {
  data: answer.list(order),
  pagination: orderPagination,
});

export const balance = answer.object('Balance', 'The balance of an asset.', {
  asset: answer.text(),
  available: answer.decimal(),
  held: answer.decimal('Reserved for open orders.'),
  earn: answer.decimal('Principal in plans.'),
  redeeming: answer.decimal('Redeemed from plans and not yet credited.'),
  booster: answer.decimal('Locked to raise a rate.'),
  total: answer.decimal('The sum of all five.'),
});

export const fill = answer.object('Fill', 'A trade of the account, as one of its sides sees it.', {
  tradeId: answer.integer(),
  orderId: answer.integer(),
  symbol: answer.text(),
  securityId: answer.integer(),
  side,
  price: answer.decimal(),
  quantity: answer.decimal(),
  quoteAmount: answer.decimal(),
  fee: answer.decimal(),
  feeAsset: answer.text('The asset that the account received.'),
  maker: answer.boolean(),
  transactTime: answer.time(),
});

export const fees = answer.object('Fees', 'The rates of the account’s next fill in a pair.', {
  symbol: answer.text(),
  securityId: answer.integer(),
  makerFee: answer.decimal(),
  takerFee: answer.decimal(),
});

export const feeTier = answer.object('FeeTier', 'Rates from a volume of 30 days on.', {
  volume: answer.decimal('In the asset of the table.'),
  makerFee: answer.decimal(),
  takerFee: answer.decimal(),
});

export const accountTier = answer.object(
  'AccountTier',
  'The account’s place in the table of fees by volume; null where there is none.',
  {
    volumeAsset: answer.nullable(answer.text(), 'Volumes are in this asset; null: no table.'),
    volume: answer.nullable(answer.decimal(), 'What the account traded in the window.'),
    startTime: answer.time('The window: the 30 full UTC days before today.'),
    endTime: answer.time('The start of today. Its trades count from tomorrow on.'),
    tier: answer.nullable(feeTier, 'null: below the first tier, so each pair has its own rates.'),
    nextTier: answer.nullable(feeTier, 'null: there is no higher one.'),
    missingVolume: answer.nullable(answer.decimal(), 'The volume of the next tier − `volume`.'),
    ownFees: answer.boolean('The operator gave the account own rates; they precede the tier’s.'),
    tiers: answer.list(feeTier, 'The whole table, in ascending order of volume.'),
  },
);

export const ledgerEntry = answer.object('LedgerEntry', 'One change of what the account owns.', {
  entryId: answer.integer(),
  time: answer.time(),
  type: answer.text(
    'credit, debit, trade, fee, subscription, redemption, interest, forfeit, boosterLock, ' +
      'boosterReturn.',
  ),
  asset: answer.text(),
  amount: answer.decimal(),
  balance: answer.decimal('After the entry.'),
  tradeId: answer.nullable(answer.integer()),
  orderId: answer.nullable(answer.integer()),
  transferId: answer.nullable(answer.integer()),
  reference: answer.nullable(answer.text()),
  applyId: answer.nullable(answer.text()),
});

export const statementBalance = answer.object(
  'StatementBalance',
  'The whole window of an asset: opening + all entries = closing.',
  {
    asset: answer.text(),
    openingBalance: answer.decimal(),
    closingBalance: answer.decimal(),
  },
);

export const ledgerPagination = answer.object('LedgerPagination', 'The position of a page.', {
  size: answer.integer(),
  startEntryId: answer.nullable(answer.integer()),
  lastEntryId: answer.nullable(answer.integer(), 'Requests the next, older page.'),
});

export const statement = answer.object('Statement', 'A page of the statement, newest first.', {
  data: answer.list(ledgerEntry),
  balances: answer.list(statementBalance),
  pagination: ledgerPagination,
});
