// The export of a journal has every term of an order, also within a batch, with all digits.
import { expect, test } from 'bun:test';
import { OrdType, Side, TriggerPriceDirection } from '../../src/core/fix.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { agio, Place } from '../support/cli.ts';
import { placeOrder, Venue } from '../support/venue.ts';
import { appendLog } from '../support/view-files.ts';

test('export journal writes the terms of orders, and the entries of a batch', async () => {
  using place = new Place();
  const data = place.path('data');
  const venue = new Venue();
  const bracket = { takeProfitPx: ticks(150), stopPx: ticks(90), stopLimitPx: ticks(0) };
  const extras = {
    timeInForce: 1,
    expireTime: 0,
    displayQty: lots(0),
    selfTradePrevention: null,
    stopPx: ticks(120),
    triggerPriceDirection: TriggerPriceDirection.up,
    bracket,
  } as const;
  const stop = { uid: 1, side: Side.buy, ordType: OrdType.stop, orderQty: lots(1), extras };
  venue.send(placeOrder(stop));
  const budget = { ordType: OrdType.market, quoteOrderQty: amount(9_999_999_999_000_000_000n) };
  const { uid, signature, idempotency, ...byQuote } = placeOrder({
    ...stop,
    ...budget,
    extras: null,
  });
  venue.send({ type: 'orderBatch', uid, signature, idempotency, entries: [byQuote] });
  const journal = await openFileJournal(data);
  await appendLog(journal, venue.log);
  await journal.close();
  const { code, stdout, stderr } = await agio(['export', 'journal', '--data', data]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [order, batch] = stdout.trimEnd().split('\n').slice(-2);
  expect(JSON.parse(order!).command).toMatchObject({
    type: 'placeOrder',
    extras: { stopPx: 120, bracket },
  });
  expect(batch).toContain('"quoteOrderQty":9999999999000000000,');
  expect(JSON.parse(batch!).command.entries).toMatchObject([{ type: 'placeOrder', ordType: 1 }]);
});
