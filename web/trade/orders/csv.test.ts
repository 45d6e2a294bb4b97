// The files of orders and fills: grouped by order, exact, and safe to read back.
import { expect, test } from 'bun:test';
import type { Fill, Order } from '../../../src/sdk/index.ts';
import { fillsCsv, ordersCsv } from './csv.ts';

const order = {
  ...{ orderId: 7, clOrdId: 'a "b", c', symbol: 'BTC-USDT', side: 2, ordType: 2, ordStatus: 4 },
  ...{ price: '60000.10', orderQty: '0.123456789', quoteOrderQty: null, cumQty: '0.1' },
  ...{ avgPx: '60000.1', transactTime: 1_795_237_741_983, ordCxlText: 'by the user' },
} as Order;

const fill = {
  ...{ orderId: 7, tradeId: 3, symbol: 'BTC-USDT', side: 2, price: '60000.1' },
  ...{ quantity: '0.1', quoteAmount: '6000.01', fee: '0.00000001', feeAsset: 'USDT' },
  ...{ maker: true, transactTime: 1_795_237_741_983 },
} as Fill;

const HEAD =
  'record,orderId,clOrdId,tradeId,time,symbol,side,type,price,quantity,quoteAmount,filled,' +
  'averagePrice,fee,feeAsset,role,status,reason';
const FILL =
  'fill,7,,3,2026-11-21T05:09:01.983Z,BTC-USDT,Sell,,60000.1,0.1,6000.01,,,0.00000001,USDT,Maker,,';

test('an order comes before its fills, oldest first, with every digit', () => {
  const other = { ...fill, orderId: 8, tradeId: 4 };
  const later = { ...fill, tradeId: 5 };
  expect(ordersCsv([order], [later, other, fill]).split('\r\n')).toEqual([
    HEAD,
    'order,7,"a ""b"", c",,2026-11-21T05:09:01.983Z,BTC-USDT,Sell,Limit,60000.10,0.123456789,' +
      ',0.1,60000.1,,,,"Partly filled, rest canceled",by the user',
    FILL,
    FILL.replace(',,3,', ',,5,'),
    '',
  ]);
});

test('fills alone have the same columns', () => {
  expect(fillsCsv([fill])).toBe(`${HEAD}\r\n${FILL}\r\n`);
  expect(fillsCsv([])).toBe(`${HEAD}\r\n`);
});
