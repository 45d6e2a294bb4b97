// Part `dialects`: the orders of part http by Binance's REST API, with the answers ACK and FULL,
// and by agio's own calls: the processor time of main for each.
import { CONNECTIONS, STREAM_NOTE, startAgioUnderLoad } from './support/agio-load.ts';
import type { Stream } from './support/order-flow.ts';
import { alternate, type Context, type Findings, figure, ratio, sizeOf } from './support/part.ts';
import type { Form } from './support/requests.ts';
import { perRequest, threadTimes } from './support/threads.ts';

const FULL = { warmUp: 60_000, orders: 200_000 };
const MIXES = ['quiet', 'market'] as const satisfies readonly Stream[];
type Times = Readonly<Record<(typeof MIXES)[number], number>>;

export async function dialects(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const runs = await alternate<Times, 'http' | 'ACK' | 'FULL'>(context, {
    http: () => mainTimes(context, size, 'http'),
    ACK: () => mainTimes(context, size, 'ACK'),
    FULL: () => mainTimes(context, size, 'FULL'),
  });
  const times = (form: keyof typeof runs, mix: keyof Times) => runs[form].map((run) => run[mix]);
  return {
    figures: MIXES.flatMap((mix) => [
      figure(`main for an order by agio's own call, ${mix}`, 'µs', times('http', mix)),
      ...(['ACK', 'FULL'] as const).flatMap((form) => [
        figure(`main for an order of Binance's API, ${form}, ${mix}`, 'µs', times(form, mix)),
        ratio(`${form} ÷ agio's own call, main, ${mix}`, times(form, mix), times('http', mix), {
          atMost: 1.1,
        }),
      ]),
    ]),
    notes: [
      `${CONNECTIONS} keep-alive connections from a second process, one customer and key each. ` +
        'Orders and cancels have their parameters in the query. FULL has all terms of the order ' +
        "and its fills; agio's own answer has four members.",
      STREAM_NOTE,
    ],
  };
}

/** Processor time of main for an order, µs. */
async function mainTimes(
  { directory }: Context,
  { warmUp, orders }: typeof FULL,
  form: Form,
): Promise<Times> {
  await using agio = await startAgioUnderLoad(directory, [], null, form);
  const phase = { size: 1, connections: CONNECTIONS } as const;
  const times: Record<string, number> = {};
  for (const mix of MIXES) {
    await agio.client.closed({ ...phase, mix, requests: warmUp });
    const before = threadTimes(agio.pid);
    const { requests } = await agio.client.closed({ ...phase, mix, requests: orders });
    times[mix] = perRequest(before, threadTimes(agio.pid), requests)?.main ?? 0;
  }
  return times as Times;
}
