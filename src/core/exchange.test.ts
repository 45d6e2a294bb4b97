// The one way in: what is sequenced has no gap and no time that goes back. A core that is told
// otherwise stops, since it follows another history than the journal's.
import { expect, test } from 'bun:test';
import type { Command } from './command.ts';
import { Exchange } from './exchange.ts';

const createUser: Command = { type: 'createUser', kyc: true };

test('the sequence has no gap', () => {
  for (const seq of [1, 3]) {
    const exchange = new Exchange();
    exchange.apply(1, 100, createUser);
    expect(() => exchange.apply(seq, 100, createUser)).toThrow('the sequence has no gap');
  }
});

test('business time may stand still, and never goes back', () => {
  const exchange = new Exchange();
  exchange.apply(1, 100, createUser);
  exchange.apply(2, 100, createUser);
  expect(exchange.state.time).toBe(100);
  expect(() => exchange.apply(3, 99, createUser)).toThrow('business time never goes back');
});
