// Commands that wait for the next leader, and the node that passes them on.
import { afterEach, expect, test } from 'bun:test';
import { placeOrder } from '../../test/support/venue.ts';
import { until } from '../../test/support/waiting.ts';
import { Problem } from '../contract/problem.ts';
import type { Command } from '../core/command.ts';
import { Side } from '../core/fix.ts';
import { ADDED, RULES } from '../core/rules.ts';
import { lots, ticks } from '../core/units.ts';
import { type Access, type CommandPort, noLeader } from '../engine/command-port.ts';
import type { SentCommand } from './link/messages.ts';
import { ForwardingPort, HoldingPort } from './ports.ts';

const COMMAND: Command = { type: 'runTimers' };
const ORDER = placeOrder({ uid: 1, side: Side.buy, price: ticks(100), orderQty: lots(1) });
const HOUR_MS = 3_600_000;
const ports: HoldingPort[] = [];

afterEach(async () => {
  delete ADDED.orderBatch;
  for (const port of ports.splice(0)) await port.stop();
});

/** A port that holds a command for each access, and what became of them. */
function holding(accesses: readonly Access[]) {
  const port = new HoldingPort(accesses.length, HOUR_MS);
  ports.push(port);
  const rejected: string[] = [];
  for (const access of accesses) {
    const reject = (error: Error): void => void rejected.push(error.message);
    port.enqueue(COMMAND, { resolve: () => {}, reject }, undefined, access);
  }
  const passed: (Access | undefined)[] = [];
  const next: CommandPort = {
    queueLength: 0,
    storageFull: false,
    enqueue: (_command, _receiver, _encoded, access) => passed.push(access),
    stop: () => Promise.resolve(),
  };
  return { port, next, passed, rejected };
}

test('held commands keep their order and their access', () => {
  const { port, next, passed } = holding([{ keyId: 1 }, { sessionId: 2 }]);
  port.passOn(next);
  expect(passed).toEqual([{ keyId: 1 }, { sessionId: 2 }]);
});

test('a command of the venue is rejected, since an operator’s call has more to write', () => {
  const { port, next, passed, rejected } = holding([null, { keyId: 1 }]);
  expect(rejected).toEqual([noLeader().message]);
  port.passOn(next);
  expect(passed).toEqual([{ keyId: 1 }]);
});

test('a held command whose key was revoked meanwhile is rejected', () => {
  const { port, next, passed, rejected } = holding([{ keyId: 1 }, { keyId: 2 }]);
  const revoked = new Problem('signatureInvalid');
  port.passOn(next, (access) =>
    access !== null && 'keyId' in access && access.keyId === 1 ? revoked : null,
  );
  expect(passed).toEqual([{ keyId: 2 }]);
  expect(rejected).toEqual([revoked.message]);
});

test('a leader of the older release gets no command that it cannot read', async () => {
  ADDED.orderBatch = RULES;
  const sent: SentCommand[] = [];
  const port = new ForwardingPort(
    (commands) => void sent.push(...commands),
    10,
    () => RULES - 1,
  );
  const rejected: Error[] = [];
  const receiver = { resolve: () => {}, reject: (error: Error) => void rejected.push(error) };
  const unsigned = { uid: 1, signature: null, idempotency: null };
  port.enqueue({ type: 'orderBatch', ...unsigned, entries: [] }, receiver);
  expect(rejected).toMatchObject([{ kind: 'notReady' }]);
  port.enqueue({ type: 'massCancel', ...unsigned, securityId: 0, clOrdId: '' }, receiver);
  await until(() => sent.length > 0);
  expect([sent.length, rejected.length]).toEqual([1, 1]);
});

test('while too many writes are on their way, new orders are rejected and cancels pass', () => {
  const port = new ForwardingPort(
    () => {},
    2,
    () => RULES,
  );
  const unsigned = { uid: 1, signature: null, idempotency: null };
  const cancel = { type: 'cancelOrder', orderId: 1, origClOrdId: '', clOrdId: '' } as const;
  const entries = [cancel, cancel];
  const rejected: unknown[] = [];
  const receiver = { resolve: () => {}, reject: (error: Error) => void rejected.push(error) };
  port.enqueue({ type: 'orderBatch', ...unsigned, entries }, receiver);
  expect(port.queueLength).toBe(2);
  port.enqueue({ type: 'orderBatch', ...unsigned, entries: [...entries, ORDER] }, receiver);
  expect(rejected).toMatchObject([{ kind: 'overloaded' }]);
  port.enqueue({ type: 'orderBatch', ...unsigned, entries }, receiver);
  expect([port.queueLength, rejected.length]).toEqual([4, 1]);
  port.take(1);
  expect(port.queueLength).toBe(2);
});

test('a port that holds commands rejects new orders before cancels', () => {
  const held = new HoldingPort(1, HOUR_MS);
  ports.push(held);
  const unsigned = { uid: 1, signature: null, idempotency: null };
  const rejected: string[] = [];
  const submit = (command: Command): void =>
    held.enqueue(
      command,
      { resolve: () => {}, reject: () => void rejected.push(command.type) },
      undefined,
      { keyId: 1 },
    );
  submit(ORDER);
  submit(ORDER);
  expect([held.queueLength, rejected]).toEqual([1, ['placeOrder']]);
  submit({ type: 'massCancel', ...unsigned, securityId: 0, clOrdId: '' });
  expect([held.queueLength, rejected.length]).toEqual([2, 1]);
});
