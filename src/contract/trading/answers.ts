// The answers of the private calls about orders and the account.
import { byFeeRole } from '../../core/fee-rates.ts';
import type { Asset } from '../../core/instrument.ts';
import type { Amount } from '../../core/units.ts';
import * as answer from '../answer.ts';
import { boolean, decimal, integer, optional, text } from '../fields.ts';
import { jsonUnits } from '../json.ts';
import { side } from '../market-data/answers.ts';
import { order } from './order-report.ts';
import { orderId, securityId, symbol } from './orders.ts';

export const feeRates = byFeeRole(() => answer.rate());

export const createdOrder = answer.object('CreatedOrder', 'The order is durable.', {
  orderId,
  symbol: symbol(),
  clOrdId: text('The client’s id, or one that the server generated.'),
  transactTime: answer.time(),
});

export const canceledOrder = answer.object('CanceledOrder', 'The order is canceled.', {
  orderId,
  clOrdId: text('The id of the cancel request.'),
  origClOrdId: text('The id of the order.'),
});

export const amendedOrder = answer.object('AmendedOrder', 'The order has its new terms.', {
  orderId,
  clOrdId: text('The id of the amendment.'),
  origClOrdId: text('The id of the order.'),
  transactTime: answer.time(),
});

export const createdOco = answer.object('CreatedOco', 'Both orders are durable.', {
  orderId: integer('The limit order.'),
  stopOrderId: integer(),
  symbol: symbol(),
  clOrdId: text('Of the limit order.'),
  stopClOrdId: text(),
  transactTime: answer.time(),
});

export const rejectedEntry = answer.object(
  'RejectedEntry',
  'A rejected entry, which did nothing.',
  {
    code: text(),
    msg: text(),
    userMsg: text(),
    details: optional(answer.map(answer.any())),
  },
);

export const batchAnswer = answer.object('BatchAnswer', 'One answer for each entry, in order.', {
  orders: answer.list(
    answer.anyOf([createdOrder, canceledOrder, amendedOrder, createdOco, rejectedEntry]),
    'The answer of the call of the entry, or its rejection.',
  ),
});

export const massCanceled = answer.object('MassCanceled', 'The open orders are canceled.', {
  clOrdId: text(),
  symbol: answer.nullable(text(), 'null: all pairs.'),
  securityId: answer.nullable(integer()),
});

export const armedSwitch = answer.object('ArmedSwitch', 'The state of the dead man’s switch.', {
  triggerTime: answer.nullable(answer.time(), 'When it cancels all open orders; null if disarmed.'),
  currentTime: answer.time(),
});

export const orderPagination = answer.object('OrderPagination', 'The position of a page.', {
  currentPage: integer(),
  size: integer(),
  startRowId: answer.nullable(integer()),
  lastRowId: answer.nullable(integer(), 'Requests the next, older page.'),
});

export const orderPage = answer.object('OrderPage', 'Orders, newest first.', {
  data: answer.list(order),
  pagination: orderPagination,
});

export const balance = answer.object('Balance', 'The balance of an asset.', {
  asset: text(),
  available: decimal(),
  held: decimal('Reserved for open orders.'),
  earn: decimal('Principal in plans.'),
  redeeming: decimal('Redeemed from plans and not yet credited.'),
  booster: decimal('Locked to raise a rate.'),
  total: decimal('The sum of all five.'),
});

interface Fee {
  readonly fee: Amount;
  readonly feeAsset: Asset;
}

export const fill = answer.object('Fill', 'A trade of the account, as one of its sides sees it.', {
  tradeId: integer(),
  orderId,
  symbol: symbol(),
  securityId,
  side,
  price: answer.price(),
  quantity: answer.quantity(),
  quoteAmount: answer.inQuote(),
  fee: answer.made(decimal(), ({ fee, feeAsset }: Fee) => jsonUnits(fee, feeAsset.scale)),
  feeAsset: answer.made(
    text('The asset that the account received.'),
    ({ feeAsset }: Fee) => feeAsset.name,
  ),
  maker: boolean(),
  transactTime: answer.time(),
});

export const fees = answer.object('Fees', 'The rates of the account’s next fill in a pair.', {
  symbol: symbol(),
  securityId,
  ...feeRates,
});

export const feeTier = answer.object('FeeTier', 'Rates from a volume of 30 days on.', {
  volume: answer.money('In the asset of the table.'),
  ...feeRates,
});

export const feeSchedule = answer.object(
  'FeeSchedule',
  'The rates of a new account by pair, and the table of fees by volume.',
  {
    pairs: answer.list(fees, 'The rates of the next fill of an account that has not traded.'),
    volumeAsset: answer.nullable(text(), 'Volumes are in this asset; null: no table.'),
    tiers: answer.list(feeTier, 'In ascending order of the volume of 30 days.'),
  },
);

export const accountTier = answer.object(
  'AccountTier',
  'The account’s place in the table of fees by volume; null where there is none.',
  {
    startTime: answer.time('The window: the 30 full UTC days before today.'),
    endTime: answer.time('The start of today. Its trades count from tomorrow on.'),
    ownFees: boolean('The operator gave the account own rates; they precede the tier’s.'),
    volumeAsset: answer.nullable(text(), 'Volumes are in this asset; null: no table.'),
    volume: answer.nullable(answer.money(), 'What the account traded in the window.'),
    tier: answer.nullable(feeTier, 'null: below the first tier, so each pair has its own rates.'),
    nextTier: answer.nullable(feeTier, 'null: there is no higher one.'),
    missingVolume: answer.nullable(answer.money(), 'The volume of the next tier − `volume`.'),
    tiers: answer.list(feeTier, 'The whole table, in ascending order of volume.'),
  },
);

export const ledgerEntry = answer.object('LedgerEntry', 'One change of what the account owns.', {
  entryId: integer(),
  time: answer.time(),
  type: answer.from(
    'kind',
    text(
      'credit, debit, trade, fee, subscription, redemption, interest, forfeit, boosterLock, ' +
        'boosterReturn.',
    ),
  ),
  asset: answer.coin(),
  amount: answer.money(),
  balance: answer.money('After the entry.'),
  tradeId: answer.nullable(integer()),
  orderId: answer.nullable(integer()),
  transferId: answer.nullable(integer()),
  reference: answer.nullable(text()),
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
  size: integer(),
  startEntryId: answer.nullable(integer()),
  lastEntryId: answer.nullable(integer(), 'Requests the next, older page.'),
});

export const statement = answer.object('Statement', 'A page of the statement, newest first.', {
  data: answer.list(ledgerEntry),
  balances: answer.list(statementBalance),
  pagination: ledgerPagination,
});
