// The private calls about orders and the account.
import * as answer from '../answer.ts';
import { calls, Module } from '../call.ts';
import { accountQuery, fillsQuery, ledgerQuery } from './account.ts';
import * as answers from './answers.ts';
import { batchBody } from './order-batch.ts';
import { amendBody, ocoBody } from './order-changes.ts';
import { ordersQuery } from './order-query.ts';
import { orderV2Body } from './order-terms.ts';
import { BATCH_BODY, cancelAllAfterBody, cancelBody, massCancelBody, orderBody } from './orders.ts';

const PRIVATE = '/spot-api/api/private/v1';
const PRIVATE_V2 = '/spot-api/api/private/v2';
const read = { method: 'GET', access: { module: Module.tradingRead } } as const;
const write = { method: 'POST', access: { module: Module.tradingWrite }, write: true } as const;

const newOrder = {
  body: orderBody,
  rejections: [
    'unknownSymbol',
    'symbolMismatch',
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
  ],
} as const;

const newOrderV2 = {
  body: orderV2Body,
  rejections: [
    ...newOrder.rejections,
    'preventionRequired',
    'expireTimePassed',
    'exitsTooSmall',
    'displayTooSmall',
    'noLastPrice',
    'trailingTooFar',
    'exitReached',
    'wouldTrigger',
  ],
} as const;

const amendment = {
  body: amendBody,
  rejections: [
    'unknownSymbol',
    'symbolMismatch',
    'unsupported',
    'offIncrement',
    'userSuspended',
    'orderUnknown',
    'orderMismatch',
    'orderClosed',
    'historyUnavailable',
    'notAmendable',
    'instrumentClosed',
    'expireTimePassed',
    'belowFilled',
    'belowMinimum',
    'exitsTooSmall',
    'displayTooSmall',
    'aboveMaximum',
    'trailingTooFar',
    'priceOutsideBand',
    'exitReached',
    'wouldTrigger',
    'wouldMatch',
    'insufficientBalance',
  ],
} as const;

export const orderCalls = calls('customer', 'orders', {
  createOrder: {
    ...write,
    ...newOrder,
    path: `${PRIVATE}/order`,
    summary: 'Creates an order. The answer means that it is durable, and in the book or traded.',
    about:
      'Its result is in `orders`: a post-only order that would have traded is accepted here and ' +
      'rejected there.',
    answer: answers.createdOrder,
  },
  testOrder: {
    ...newOrder,
    method: 'POST',
    path: `${PRIVATE}/testorder`,
    access: { module: Module.tradingWrite },
    repeat: 'read',
    summary: 'Runs every check of a real order and creates none.',
    about: 'For clients that check an order, or their signature, before they trade.',
    answer: answer.done,
  },
  createOrderV2: {
    ...write,
    ...newOrderV2,
    path: `${PRIVATE_V2}/order`,
    keyedAs: `${PRIVATE}/order`,
    summary: 'Creates an order of any type: stops, icebergs, and every time in force.',
    about: 'docs/orders.md explains each type.',
    answer: answers.createdOrder,
  },
  testOrderV2: {
    ...newOrderV2,
    method: 'POST',
    path: `${PRIVATE_V2}/testorder`,
    access: { module: Module.tradingWrite },
    repeat: 'read',
    summary: 'Runs every check of a real order of any type and creates none.',
    about: 'For clients that check an order, or their signature, before they trade.',
    answer: answer.done,
  },
  amendOrder: {
    ...write,
    ...amendment,
    path: `${PRIVATE_V2}/order/amend`,
    urgent: true,
    summary: 'Changes an open order, which keeps its `orderId`.',
    about:
      'A smaller quantity and other exits keep its place in the book. A new price is atomic and ' +
      'gives the order a new place; a rejection changes nothing. `bracket` replaces all exits of ' +
      'an order that has some. Send `symbol` if the order may be on its way to the book.',
    answer: answers.amendedOrder,
  },
  createOco: {
    ...write,
    body: ocoBody,
    rejections: [...newOrderV2.rejections, 'wouldMatch'],
    path: `${PRIVATE_V2}/order/oco`,
    summary: 'Creates a limit order and a stop: the first of them to trade cancels the other.',
    answer: answers.createdOco,
  },
  createOrders: {
    ...write,
    body: batchBody,
    bodyLimit: BATCH_BODY,
    path: `${PRIVATE_V2}/orders`,
    urgent: true,
    summary: 'Executes up to 50 entries in order: places, amendments, cancels, OCO pairs.',
    about:
      'One signature and one Idempotency-Key are for all of them. Each entry has its own answer, ' +
      'and a rejected one leaves the others as they are. Each counts as a write for the limits.',
    answer: answers.batchAnswer,
    rejections: ['userSuspended', 'historyUnavailable'],
  },
  cancelOrder: {
    ...write,
    path: `${PRIVATE}/order/cancel`,
    urgent: true,
    summary: 'Cancels one order, by `orderId` or by `origClOrdId`, the newest open one of that id.',
    about: 'After the answer, the reserved money is available again.',
    body: cancelBody,
    answer: answers.canceledOrder,
    rejections: [
      'userSuspended',
      'unsupported',
      'orderUnknown',
      'orderMismatch',
      'orderClosed',
      'historyUnavailable',
    ],
  },
  massCancel: {
    ...write,
    path: `${PRIVATE}/order/masscancel`,
    urgent: true,
    summary: 'Cancels all open orders of a pair, or of all pairs.',
    body: massCancelBody,
    answer: answers.massCanceled,
    rejections: ['userSuspended', 'unknownSymbol', 'symbolMismatch', 'instrumentUnknown'],
  },
  cancelAllAfter: {
    ...write,
    path: `${PRIVATE}/order/cancelallafter`,
    urgent: true,
    summary: 'Cancels all open orders unless it is called again in time; 0 disarms.',
    about: '`timeout` is in milliseconds of business time.',
    body: cancelAllAfterBody,
    answer: answers.armedSwitch,
    rejections: ['userSuspended'],
  },
  orders: {
    ...read,
    path: `${PRIVATE}/orders`,
    summary: 'One order by its ids, the open orders, or all orders; newest first: one page.',
    query: ordersQuery,
    answer: answers.orderPage,
    rejections: ['unknownSymbol', 'symbolMismatch', 'dateWindow', 'historyUnavailable'],
  },
});

export const accountCalls = calls('customer', 'account', {
  balances: {
    ...read,
    path: `${PRIVATE}/balances`,
    summary: 'The balances of the account, by asset: available, held, and in earn plans.',
    query: accountQuery,
    isPlainInSdk: true,
    answer: answer.list(answers.balance),
  },
  fills: {
    ...read,
    path: `${PRIVATE}/trades`,
    summary: 'The account’s own trades, newest first: one page. A self-trade is two rows.',
    query: fillsQuery,
    answer: answer.list(answers.fill),
    rejections: ['unknownSymbol', 'historyUnavailable'],
  },
  fees: {
    ...read,
    path: `${PRIVATE}/fees`,
    summary: 'The maker and taker rates of the account’s next fill, by pair.',
    query: accountQuery,
    isPlainInSdk: true,
    answer: answer.list(answers.fees),
  },
  feeTier: {
    ...read,
    path: `${PRIVATE}/feeTier`,
    summary: 'The account’s tier of fees by 30-day volume, and what the next one needs.',
    about: '`fees` has the rates that result.',
    query: accountQuery,
    isPlainInSdk: true,
    answer: answers.accountTier,
  },
  ledger: {
    ...read,
    path: `${PRIVATE}/ledger`,
    summary: 'The statement: every change of what the account owns, newest first: one page.',
    about:
      'It has the opening and closing balances of the window. As CSV, it is the whole window, ' +
      'oldest first.',
    maxRows: null,
    query: ledgerQuery,
    answer: answers.statement,
    contentTypes: ['application/json', 'text/csv'],
    rejections: ['historyUnavailable'],
  },
});
