// Part `memory`: the memory of a resting order, at a million of them, as the growth of a process in
// which only the core grows.
import type { MemoryGrowth, MemoryRun } from './support/memory-process.ts';
import { alternate, type Context, type Findings, figuresOf, sizeOf } from './support/part.ts';
import { runScript } from './support/processes.ts';

const FULL = { orders: 1_000_000 };

export async function memory(context: Context): Promise<Findings> {
  const { orders } = sizeOf(context, FULL);
  const measure = (withClOrdIds: boolean) => (): Promise<MemoryGrowth> =>
    runScript('memory-process.ts', { orders, withClOrdIds } satisfies MemoryRun);
  const growth = await alternate(context, {
    'without client order ids': measure(false),
    'with client order ids': measure(true),
  });
  const figures = Object.entries(growth).flatMap(([name, runs]) =>
    figuresOf(runs, [
      [`resident memory an order, ${name}`, 'bytes', ({ resident }) => resident, { atMost: 500 }],
      [`live memory an order, ${name}`, 'bytes', ({ live }) => live],
    ]),
  );
  return {
    figures,
    notes: [
      `${orders.toLocaleString('en')} resting limit orders of 1,000 customers at 100,000 ` +
        'prices, after a warm-up with 20,000; client order ids have 20 characters. Resident: ' +
        'growth of the process after full garbage collections. Live: heap and typed arrays ' +
        'alone.',
    ],
  };
}
