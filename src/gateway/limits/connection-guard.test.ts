// Whose connections are ended when there are too many: sockets are made up here, and so is their
// silence.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ConnectionGuard, reservedOf, surplusOf } from './connection-guard.ts';
import type { ClientConnection, Sockets } from './sockets.ts';

const PORT = 8080;
const OWN = 40;
const FIRST = 100;

/** Connections by descriptor; files of the process itself have none. */
class MadeUp implements Sockets {
  readonly open = new Map<number, ClientConnection>();
  readonly limit: number;
  own = OWN;
  backlog = 512;
  #next = FIRST;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(network: string, count: number, silentMs: (n: number) => number, received = 0): void {
    for (let n = 0; n < count; n++) {
      const descriptor = this.#next++;
      this.open.set(descriptor, { descriptor, network, silentMs: silentMs(n), received });
    }
  }

  of(network: string): ClientConnection[] {
    return [...this.open.values()].filter((one) => one.network === network);
  }

  count(): number {
    return this.own + this.open.size;
  }
  connection(descriptor: number, port: number): ClientConnection | null {
    return port === PORT ? (this.open.get(descriptor) ?? null) : null;
  }
  end(descriptor: number): void {
    this.open.delete(descriptor);
  }
  setBacklog(port: number, backlog: number): void {
    expect(port).toBe(PORT);
    this.backlog = backlog;
  }
}

const guardOf = (limit: number, maxConnections: number) => {
  const sockets = new MadeUp(limit);
  return { sockets, guard: new ConnectionGuard(sockets, PORT, maxConnections) };
};

describe('the mark', () => {
  test('is the configured number, or what the descriptor limit leaves after the reserve', () => {
    expect(guardOf(100_000, 5000).guard.highWater).toBe(5000);
    expect(guardOf(1024, 5000).guard.highWater).toBe(1024 - 256 - OWN);
    expect(guardOf(256, 5000).guard.highWater).toBe(256 - 64 - OWN);
    expect(guardOf(16, 5000).guard.highWater).toBe(1);
  });

  test('and connections are right when the server has opened its files among them', () => {
    const { sockets, guard } = guardOf(1024, 5000);
    sockets.add('a', 30, () => 0);
    sockets.own += 60;
    expect(guard.connections).toBe(90);
    guard.rebase();
    expect(guard.connections).toBe(30);
    expect(guard.highWater).toBe(1024 - 256 - OWN - 60);
  });

  test('leaves a reserve that grows with the limit, within bounds', () => {
    expect([64, 1024, 4096, 20_000, 1_000_000].map(reservedOf)).toEqual([
      64, 256, 1024, 1024, 1024,
    ]);
  });
});

describe('connections', () => {
  test('stay, however silent, while there are few', async () => {
    const { sockets, guard } = guardOf(10_000, 1000);
    sockets.add('a', 750, () => 70_000);
    await guard.look(10_000);
    expect(guard.connections).toBe(750);
    expect(guard.ended).toBe(0);
  });

  test('that are silent for long end under pressure, and no others', async () => {
    const { sockets, guard } = guardOf(10_000, 1000);
    sockets.add('a', 400, () => 31_000);
    sockets.add('b', 400, () => 29_000);
    await guard.look(10_000);
    expect(sockets.of('a')).toHaveLength(0);
    expect(sockets.of('b')).toHaveLength(400);
    expect(guard.ended).toBe(400);
  });

  test('above the limit end in the largest network, the least recently used first', async () => {
    const { sockets, guard } = guardOf(10_000, 1000);
    sockets.add('small', 100, () => 20_000);
    sockets.add('flood', 1500, (n) => n);
    await guard.look(10_000);
    expect(guard.connections).toBe(900);
    expect(sockets.of('small')).toHaveLength(100);
    expect(Math.max(...sockets.of('flood').map(({ silentMs }) => silentMs))).toBe(799);
  });

  test('that were used stay before those that never were, in one network', async () => {
    const { sockets, guard } = guardOf(10_000, 1000);
    sockets.add('office', 50, () => 20_000, 5000);
    sockets.add('office', 1200, () => 10, 0);
    await guard.look(10_000);
    expect(sockets.of('office').filter(({ received }) => received > 0)).toHaveLength(50);
    expect(guard.connections).toBe(900);
  });

  test('above the mark are rejected until enough have ended', async () => {
    const { sockets, guard } = guardOf(10_000, 1000);
    sockets.add('flood', 1000, () => 5000);
    await guard.look(10_000);
    expect({ ended: guard.ended, backlog: sockets.backlog }).toEqual({ ended: 0, backlog: 512 });
    sockets.add('flood', 100, () => 0);
    const look = guard.look(10_010);
    expect(sockets.backlog).toBe(1);
    await look;
    expect(guard.connections).toBe(900);
    await guard.look(10_020);
    expect(sockets.backlog).toBe(512);
  });

  test('above the mark end twice a second, and sooner if the reserve is in danger', async () => {
    const { sockets, guard } = guardOf(10_000, 1000);
    sockets.add('flood', 1100, () => 5000);
    await guard.look(10_000);
    sockets.add('flood', 200, () => 5000);
    await guard.look(10_100);
    expect(guard.connections).toBe(1100);
    sockets.add('flood', 200, () => 5000);
    await guard.look(10_110);
    expect(guard.connections).toBe(900);
    sockets.add('flood', 200, () => 5000);
    await guard.look(10_700);
    expect(guard.connections).toBe(900);
  });

  test('of many networks end by the same measure for all', async () => {
    const { sockets, guard } = guardOf(10_000, 1000);
    for (let n = 0; n < 300; n++) sockets.add(`bot ${n}`, 4, () => 5000);
    sockets.add('person', 2, () => 8000);
    await guard.look(10_000);
    expect(guard.connections).toBe(900);
    expect(sockets.of('person')).toHaveLength(2);
  });
});

test('the surplus has the requested size and leaves no network with more than a cut one', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 300 }), (counts, wanted) => {
      const sockets = new MadeUp(100_000);
      for (const [n, count] of counts.entries()) sockets.add(`n${n}`, count, (i) => i * 10);
      const held = [...sockets.open.values()];
      const ended = surplusOf(held, wanted);
      expect(ended).toHaveLength(Math.min(wanted, held.length));
      expect(new Set(ended).size).toBe(ended.length);
      const left = (network: string | number, lost: boolean) =>
        (lost ? ended : held.filter((one) => !ended.includes(one))).filter(
          (one) => one.network === network,
        ).length;
      const losers = counts.map((_, n) => `n${n}`).filter((network) => left(network, true) > 0);
      const kept = counts.map((_, n) => left(`n${n}`, false));
      for (const network of losers) {
        expect(left(network, false)).toBeGreaterThanOrEqual(Math.max(...kept) - 1);
      }
    }),
  );
});
