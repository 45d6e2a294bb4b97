// Part `dialects`: the orders of part http by Binance's REST API, with the answers ACK and FULL,
// and by agio's own calls: the processor time of main for each.
import { CONNECTIONS, Loaded } from './support/load.ts';
import { STREAM_NOTE } from './support/order-flow.ts';
import { part, type Row } from './support/part.ts';
import type { Form } from './support/requests.ts';

const MIXES = ['quiet', 'market'] as const;
type Times = Record<(typeof MIXES)[number], number>;
type Run = Readonly<Record<'http' | 'ACK' | 'FULL', Times>>;

export const dialects = part({
  name: 'dialects',
  question: "How much processor time does an order by Binance's API need?",
  against: "an order by agio's own call",
  size: { warmUp: 60_000, orders: 200_000 },
  subjects({ warmUp, orders }, context) {
    /** Processor time of main for an order, µs. */
    const mainTimes = async (form: Form): Promise<Times> => {
      await using agio = await Loaded.start(context, 'agio', form);
      const times = { quiet: 0, market: 0 };
      for (const mix of MIXES) {
        await agio.run({ mix, requests: warmUp });
        times[mix] = (await agio.sustained(mix, orders)).cpu.main;
      }
      return times;
    };
    return {
      http: () => mainTimes('http'),
      ACK: () => mainTimes('ACK'),
      FULL: () => mainTimes('FULL'),
    };
  },
  rows: () =>
    MIXES.flatMap((mix): Row<Run>[] => [
      [`main for an order by agio's own call, ${mix}`, 'µs', (run) => run.http[mix]],
      ...(['ACK', 'FULL'] as const).flatMap((form): Row<Run>[] => [
        [`main for an order of Binance's API, ${form}, ${mix}`, 'µs', (run) => run[form][mix]],
        [
          `${form} ÷ agio's own call, main, ${mix}`,
          '×',
          (run) => run[form][mix] / run.http[mix],
          { atMost: 1.1 },
        ],
      ]),
    ]),
  notes: () => [
    `${CONNECTIONS} keep-alive connections from a second process, one customer and key each. ` +
      'Orders and cancels have their parameters in the query. FULL has all terms of the order ' +
      "and its fills; agio's own answer has four members.",
    STREAM_NOTE,
  ],
});
