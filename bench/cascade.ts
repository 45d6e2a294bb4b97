// Part `cascade`: the latency of one customer while one trade triggers 100,000 stops, in another
// pair of the same node.
import { join } from 'node:path';
import { disturbanceFigures, OTHER_LOAD } from './support/disturbance.ts';
import type { Context, Findings } from './support/part.ts';
import { runScript } from './support/processes.ts';
import { postSigned } from './support/requests.ts';
import type { Stops, StopsPlan } from './support/stops-process.ts';
import { CASCADE_PAIR } from './support/venue.ts';

const ORDER_PATH = '/spot-api/api/private/v1/order';
/** It triggers the stops of its run. */
const SALE = { symbol: CASCADE_PAIR, side: 2, ordType: 1, orderQty: '0.000001' };

export async function cascade(context: Context): Promise<Findings> {
  const [holders, stops] = context.quick ? [4, 20_000] : [10, 100_000];
  context.step('writing the stops');
  const dataDir = join(context.directory, 'data');
  const plan: StopsPlan = { dataDir, holders, stopsOfRun: stops, runs: context.runs };
  const { seller, other } = await runScript<Stops>('stops-process.ts', plan);
  const figures = await disturbanceFigures(context, {
    dataDir,
    other,
    role: 'customer',
    orders: stops,
    send: (url) => postSigned(url, seller, ORDER_PATH, SALE),
    answered: 'sale answered after',
    done: 'last stop traded after',
  });
  return {
    figures,
    notes: [
      `One sale triggers ${stops.toLocaleString('en')} stops of ${holders} customers; each ` +
        `becomes a market order and trades. The other customer ${OTHER_LOAD}`,
    ],
  };
}
