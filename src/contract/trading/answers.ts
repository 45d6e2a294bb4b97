// The answers of the private calls about orders and the account.
import type { Asset } from '../../core/instrument.ts';
import type { Amount } from '../../core/units.ts';
import * as answer from '../answer.ts';
import { jsonUnits } from '../json.ts';
import { side } from '../market-data/answers.ts';
import { order } from './order-report.ts';

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

export const rejectedEntry = answer.object(
  'RejectedEntry',
  'A rejected entry, which did nothing.',
  {
    code: answer.text(),
    msg: answer.text(),
    userMsg: answer.text(),
    details: answer.optional(answer.map(answer.any())),
  },
);

export const batchAnswer = answer.object('BatchAnswer', 'One answer for each entry, in order.', {
  orders: answer.list(
    answer.anyOf([createdOrder, canceledOrder, amendedOrder, createdOco, rejectedEntry]),
    'The answer of the call of the entry, or its rejection.',
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

interface Fee {
  readonly fee: Amount;
  readonly feeAsset: Asset;
}

export const fill = answer.object('Fill', 'A trade of the account, as one of its sides sees it.', {
  tradeId: answer.integer(),
  orderId: answer.integer(),
  symbol: answer.text(),
  securityId: answer.integer(),
  side,
  price: answer.price(),
  quantity: answer.quantity(),
  quoteAmount: answer.inQuote(),
  fee: answer.made(answer.decimal(), ({ fee, feeAsset }: Fee) => jsonUnits(fee, feeAsset.scale)),
  feeAsset: answer.made(
    answer.text('The asset that the account received.'),
    ({ feeAsset }: Fee) => feeAsset.name,
  ),
  maker: answer.boolean(),
  transactTime: answer.time(),
});

export const fees = answer.object('Fees', 'The rates of the account’s next fill in a pair.', {
  symbol: answer.text(),
  securityId: answer.integer(),
  makerFee: answer.rate(),
  takerFee: answer.rate(),
});

export const feeTier = answer.object('FeeTier', 'Rates from a volume of 30 days on.', {
  volume: answer.money('In the asset of the table.'),
  makerFee: answer.rate(),
  takerFee: answer.rate(),
});

export const accountTier = answer.object(
  'AccountTier',
  'The account’s place in the table of fees by volume; null where there is none.',
  {
    startTime: answer.time('The window: the 30 full UTC days before today.'),
    endTime: answer.time('The start of today. Its trades count from tomorrow on.'),
    ownFees: answer.boolean('The operator gave the account own rates; they precede the tier’s.'),
    volumeAsset: answer.nullable(answer.text(), 'Volumes are in this asset; null: no table.'),
    volume: answer.nullable(answer.money(), 'What the account traded in the window.'),
    tier: answer.nullable(feeTier, 'null: below the first tier, so each pair has its own rates.'),
    nextTier: answer.nullable(feeTier, 'null: there is no higher one.'),
    missingVolume: answer.nullable(answer.money(), 'The volume of the next tier − `volume`.'),
    tiers: answer.list(feeTier, 'The whole table, in ascending order of volume.'),
  },
);

export const ledgerEntry = answer.object('LedgerEntry', 'One change of what the account owns.', {
  entryId: answer.integer(),
  time: answer.time(),
  type: answer.from(
    'kind',
    answer.text(
      'credit, debit, trade, fee, subscription, redemption, interest, forfeit, boosterLock, ' +
        'boosterReturn.',
    ),
  ),
  asset: answer.coin(),
  amount: answer.money(),
  balance: answer.money('After the entry.'),
  tradeId: answer.nullable(answer.integer()),
  orderId: answer.nullable(answer.integer()),
  transferId: answer.nullable(answer.integer()),
  reference: answer.nullable(answer.text()),
  applyId: answer.nullable(answer.idText()),
});

export const statementBalance = answer.object(
  'StatementBalance',
  'The whole window of an asset: opening + all entries = closing.',
  {
    asset: answer.coin(),
    openingBalance: answer.from('opening', answer.money()),
    closingBalance: answer.from('closing', answer.money()),
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
