// Part `retention`: whether a process grows with the number of its writes while its open orders do
// not. Every write is signed and has an Idempotency-Key; one in ten is rejected.
import {
  alternate,
  type Context,
  type Findings,
  figure,
  figuresOf,
  ratio,
  sizeOf,
} from './support/part.ts';
import { runScript } from './support/processes.ts';
import type { Retention, RetentionRun } from './support/retention-process.ts';

const FULL = { writes: 10_000_000 };
const DAYS = 10;

export async function retention(context: Context): Promise<Findings> {
  const { writes } = sizeOf(context, FULL);
  const run: RetentionRun = { early: writes / 10, writes, days: DAYS };
  const { core } = await alternate(context, {
    core: (): Promise<Retention> => runScript('retention-process.ts', run),
  });
  const resident = (at: 0 | 1): number[] => core.map((each) => each.resident[at]);
  const [early, late] = [run.early, writes].map((count) => count.toLocaleString('en'));
  return {
    figures: [
      figure(`resident memory after ${early} writes`, 'bytes', resident(0)),
      figure(`resident memory after ${late} writes`, 'bytes', resident(1)),
      ratio('resident memory, late ÷ early', resident(1), resident(0), { atMost: 1.2 }),
      ...figuresOf(core, [
        ['live memory a write that is remembered', 'bytes', ({ perAnswer }) => perAnswer],
        ['writes', '/s', ({ rate }) => rate],
      ]),
    ],
    notes: [
      `200 accounts with 20,000 resting orders, which stay as many, over ${DAYS} simulated ` +
        'days: places and cancels, each signed and with an Idempotency-Key of 36 characters, ' +
        'one in ten refused. Memory after full garbage collections.',
    ],
  };
}
