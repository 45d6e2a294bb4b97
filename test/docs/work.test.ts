// rest.md says what a command costs: the units of the core, and the price of the limits.
import { expect, test } from 'bun:test';
import { CANCEL, LOOK, SWITCH, UNIT } from '../../src/core/work.ts';
import { UNITS_PER_WRITE } from '../../src/gateway/limits/limits.ts';

test('the units of work and the examples are those of the program', async () => {
  const rest = await Bun.file('docs/rest.md').text();
  const work = rest.slice(rest.indexOf('#### Work'), rest.indexOf('### From a sandbox'));
  const writes = (parts: number) => Math.ceil(parts / UNIT / UNITS_PER_WRITE);
  for (const row of [
    '| a fill | 1 |',
    `| a canceled order | ${CANCEL / UNIT} |`,
    `| a subscription whose auto-renew is switched | ${SWITCH / UNIT} |`,
    `| an open order or a price level that the command looks at | ${LOOK / UNIT} |`,
    `| a market order with 35 fills | ${writes(35 * UNIT)} writes |`,
    `| a cancel of all of 1,000 open orders | ${writes(1000 * CANCEL)} writes |`,
    `| a fill-or-kill order that looks at 10,000 levels | ${writes(10_000 * LOOK)} writes |`,
  ]) {
    expect(work).toContain(row);
  }
});
