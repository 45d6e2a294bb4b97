// Part `identity`: the cost of the MAC of identity.db: at a start, which checks every row, and in
// a write, which updates it by the changed rows.
import { join } from 'node:path';
import type { IdentityRun, IdentityTimes } from './support/identity-process.ts';
import { alternate, type Context, type Findings, figuresOf } from './support/part.ts';
import { runScript } from './support/processes.ts';

export async function identity(context: Context): Promise<Findings> {
  const users = context.quick ? 5_000 : 100_000;
  const run: IdentityRun = { path: join(context.directory, 'identity.db'), users };
  const { store } = await alternate<IdentityTimes, 'store'>(context, {
    store: () => runScript<IdentityTimes>('identity-process.ts', run),
  });
  return {
    figures: figuresOf(store, [
      ['open, every row checked', 's', ({ openSeconds }) => openSeconds, { atMost: 2 }],
      ['verify, every secret opened as well', 's', ({ verifySeconds }) => verifySeconds],
      ['a write of one row, without the sync', 'µs', ({ writeMicroseconds }) => writeMicroseconds],
    ]),
    notes: [
      `${users.toLocaleString('en')} users with passwords, half as many sessions, a tenth as ` +
        'many API keys.',
    ],
  };
}
