// Part `burst`: the latency of one customer while another cancels 100,000 orders. A node has a
// million open orders; one account mass-cancels a tenth of them.
import { join } from 'node:path';
import { disturbanceFigures, OTHER_LOAD } from './support/disturbance.ts';
import type { OpenOrders, OpenOrdersPlan } from './support/open-orders-process.ts';
import type { Context, Findings } from './support/part.ts';
import { runScript } from './support/processes.ts';
import { postSigned } from './support/requests.ts';

const MASS_CANCEL = '/spot-api/api/private/v1/order/masscancel';

export async function burst(context: Context): Promise<Findings> {
  const [holding, ordersEach] = context.quick ? [4, 20_000] : [10, 100_000];
  context.step('writing the open orders');
  const dataDir = join(context.directory, 'data');
  // One of them cancels in each run.
  const plan: OpenOrdersPlan = {
    dataDir,
    holders: holding + context.runs - 1,
    ordersEach,
    others: 1,
  };
  const { holders, others } = await runScript<OpenOrders>('open-orders-process.ts', plan);
  const figures = await disturbanceFigures(context, {
    dataDir,
    other: others[0]!,
    role: 'account',
    orders: ordersEach,
    send: (url, run) => postSigned(url, holders[run]!, MASS_CANCEL, { symbol: 'BTC-USDT' }),
    answered: 'mass cancel answered after',
    done: 'last order gone after',
  });
  return {
    figures,
    notes: [
      `${(holding * ordersEach).toLocaleString('en')} open orders or more, one account cancels ` +
        `${ordersEach.toLocaleString('en')} with one request. The other account ${OTHER_LOAD}`,
    ],
  };
}
