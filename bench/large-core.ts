// Part `large-core`: the time that commands which meet ten thousand orders add to the commands of
// others in the core: the longest record, and all records until the pair of the command is free.
import { WATCHED } from './support/large-cases.ts';
import type { LargeCoreRun, LargeCoreTimes } from './support/large-core-process.ts';
import { type Context, type Figure, type Findings, figuresOf, sizeOf } from './support/part.ts';
import { runScript } from './support/processes.ts';

const FULL = { size: 10_000 };
/** Milliseconds that a command may add. */
const TARGET = { atMost: 50 };

export async function largeCore(context: Context): Promise<Findings> {
  const { size } = sizeOf(context, FULL);
  const measure = async (tells: boolean): Promise<LargeCoreTimes[]> => {
    context.step(tells ? 'with all events' : 'without events');
    // The first run compiles the code.
    const run: LargeCoreRun = { size, runs: context.runs + 1, tells };
    const times = await runScript<LargeCoreTimes[]>('large-core-process.ts', run);
    return times.slice(times.length / (context.runs + 1));
  };
  const figures: Figure[] = [];
  for (const tells of [false, true]) {
    const times = await measure(tells);
    const how = tells ? ', all events made' : '';
    for (const [name, runs] of Map.groupBy(times, (one) => one.name)) {
      // To the core it is the case without listeners.
      if (name.endsWith(WATCHED)) continue;
      const rows = figuresOf(runs, [
        [`${name}${how}: longest record`, 'ms', ({ record }) => record, TARGET],
        [`${name}${how}: until its pair is free`, 'ms', ({ whole }) => whole, TARGET],
        [`${name}${how}: longest record in calm`, 'ms', ({ calm }) => calm],
      ]);
      figures.push(...rows);
    }
  }
  return {
    figures,
    notes: [
      `Each case has ${size.toLocaleString('en')} orders of its own, unless its name has a ` +
        'number; an iceberg has 100 parts. Rejected commands come 200 in one record. Sixteen ' +
        'orders and cancels of others come with each record, half of them in the same pair.',
      'A first run, which compiles the code, is not counted.',
    ],
  };
}
