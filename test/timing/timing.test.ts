// Times that must tell nothing: an unknown account costs as long as a known one. The figures
// compare two calls on the same machine and need a quiet one, so they run with the proofs.
import { expect, test } from 'bun:test';
import { Passwords } from '../../src/identity/proofs/passwords.ts';
import { TestNode } from '../support/node.ts';
import { CENTER, Person } from '../support/person.ts';
import { expectOk } from '../support/shape.ts';

const node = TestNode.forFile({ flags: ['--trusted-proxies', '127.0.0.1,::1'] });

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[times.length >> 1]!;

test('a login to an unknown account costs one hash, like any other', async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash('correct horse');
  if (!hash.ok) throw new Error(hash.name);
  const times: { readonly real: number[]; readonly decoy: number[] } = { real: [], decoy: [] };
  for (let i = 0; i < 5; i++) {
    times.real.push(await millisecondsOf(() => passwords.verify('correct horsf', hash.value)));
    times.decoy.push(await millisecondsOf(() => passwords.verify('correct horsf', null)));
  }
  const [real, decoy] = [Math.min(...times.real), Math.min(...times.decoy)];
  expect(decoy).toBeGreaterThan(real / 3);
  expect(decoy).toBeLessThan(real * 3);
});

test('a reset takes as long for an unknown address as for a known one', async () => {
  const person = await Person.join(node);
  const times: { readonly known: number[]; readonly unknown: number[] } = {
    known: [],
    unknown: [],
  };
  for (let n = 0; n < 15; n++) {
    const ask = async (email: string, network: number): Promise<void> => {
      const from = { 'X-Forwarded-For': `10.0.${network}.1` };
      expectOk(await node.post(`${CENTER}/password/reset`, { email }, from));
    };
    times.known.push(await millisecondsOf(() => ask(person.email, 2 * n)));
    times.unknown.push(await millisecondsOf(() => ask('nobody@example.com', 2 * n + 1)));
  }
  const ratio = median(times.known) / median(times.unknown);
  expect(ratio).toBeGreaterThan(0.4);
  expect(ratio).toBeLessThan(2.5);
});
