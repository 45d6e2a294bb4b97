// Writes a data directory for part `cascade`: customers with very many stops in a second pair, and
// bids that take all of them. One sale at the next price triggers the stops of one run.
import { mkdirSync } from 'node:fs';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import type { PlaceOrder } from '../../src/core/command.ts';
import { OrdType, Side, TimeInForce, TriggerPriceDirection } from '../../src/core/fix.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { createKeys, HistoryWriter } from './data-directory.ts';
import { argumentOf, report } from './processes.ts';
import { CASCADE_PAIR, LISTING, orderCommand, venueCommands } from './venue.ts';

export interface StopsPlan {
  readonly dataDir: string;
  /** Customers with stops; each has as many as the others. */
  readonly holders: number;
  readonly stopsOfRun: number;
  readonly runs: number;
}

export interface Stops {
  /** Places the sale that triggers the stops of the next run. */
  readonly seller: ApiKey;
  /** Has no orders. */
  readonly other: ApiKey;
}

const SECURITY_ID = 2;
const EUR = 2;
const FIRST_PRICE = 5_000_000;

async function write({ dataDir, holders, stopsOfRun, runs }: StopsPlan): Promise<Stops> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const history = await HistoryWriter.open(dataDir);
  const [buyer, seller, other] = [holders + 1, holders + 2, holders + 3];
  await history.sendAll(venueCommands(other, stopsOfRun * runs + 20_000));
  history.send({ type: 'createAsset', asset: 'EUR', scale: 8, fiat: true });
  const pair = LISTING.find((command) => command.type === 'createInstrument')!;
  history.send({ ...pair, symbol: CASCADE_PAIR, quoteAsset: 'EUR' });
  const money = { assetId: EUR, amount: amount(10 ** 15), reference: 'bench-eur' };
  history.send({ type: 'transferFunds', direction: 'credit', uid: buyer, ...money });
  // The last price is above every stop.
  history.send(order(buyer, Side.buy, FIRST_PRICE, 1));
  history.send(order(seller, Side.sell, FIRST_PRICE, 1));
  for (let run = 1; run <= runs; run++) {
    const price = FIRST_PRICE - run;
    // The sale that triggers them, and all of them.
    history.send(order(buyer, Side.buy, price, stopsOfRun + 1));
    for (let number = 0; number < stopsOfRun; number++) {
      history.send(stop(1 + (number % holders), price));
      await history.flushFull();
    }
  }
  await history.close();
  const keys = createKeys(dataDir, other);
  return { seller: keys[seller - 1]!, other: keys[other - 1]! };
}

function order(uid: number, side: Side, price: number, quantity: number): PlaceOrder {
  const terms = { uid, side, price, quantity, clOrdId: '', signature: null };
  return { ...orderCommand(terms), securityId: SECURITY_ID };
}

/** Sells one lot at the market when the price falls to `stopPx`. */
const stop = (uid: number, stopPx: number): PlaceOrder => ({
  ...order(uid, Side.sell, 0, 1),
  ordType: OrdType.stop,
  extras: {
    timeInForce: TimeInForce.goodTillCancel,
    expireTime: 0,
    displayQty: lots(0),
    selfTradePrevention: null,
    stopPx: ticks(stopPx),
    triggerPriceDirection: TriggerPriceDirection.down,
    bracket: null,
  },
});

report(await write(argumentOf<StopsPlan>()));
