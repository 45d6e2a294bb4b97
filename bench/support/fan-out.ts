// The server of the fan-out: the real streams over an engine with a memory journal, and a market
// that trades as fast as its slowest listener reads.
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { Side } from '../../src/core/fix.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Connection } from '../../src/streams/connection.ts';
import { Hub } from '../../src/streams/hub.ts';
import { Streams } from '../../src/streams/streams.ts';
import { MemoryJournal } from '../../test/support/memory-journal.ts';
import { BTC_USDT_TERMS } from '../../test/support/venue.ts';
import { program } from './processes.ts';
import { credit, orderCommand, venueCommands } from './venue.ts';
import { PUBLIC } from './websocket.ts';

/** The pairs with USDT; the venue has the first. */
export const BASES = ['BTC', 'ETH', 'SOL', 'XRP'];
const SIDES = [
  [1, Side.sell],
  [2, Side.buy],
] as const;
/** Bytes that may wait for a listener before the market pauses. */
const WAITING = 256 * 1024;

const fail = (error: unknown): never => {
  throw error;
};

async function createEngine(): Promise<Engine> {
  const engine = new Engine({
    exchange: new Exchange(undefined, EventFilter.none()),
    wall: systemClock,
    queueLimit: 1000,
    onApplied: () => {},
    onFailure: fail,
  });
  engine.lead({ journal: new MemoryJournal(), epoch: 1 });
  for (const command of venueCommands(2)) await engine.submit(command);
  for (const [i, baseAsset] of BASES.slice(1).entries()) {
    await engine.submit({ type: 'createAsset', asset: baseAsset, scale: 8, fiat: false });
    await engine.submit({ ...BTC_USDT_TERMS, symbol: `${baseAsset}-USDT`, baseAsset });
    // The first customer sells all assets; BTC and USDT are 0 and 1.
    await engine.submit(credit(1, 2 + i, 10 ** 12));
  }
  return engine;
}

function streamsOver(engine: Engine): Streams {
  // The views answer that there is no history.
  const views = { query: () => Promise.resolve([] as never) };
  return new Streams({
    engine,
    hub: new Hub({ engine, views, dataDir: '/nowhere', snapshotKeys: [], warn: fail }),
    gatekeeper: { loginByKey: fail, lapsed: () => null, arrivalOf: () => null },
    orders: { receive: () => false },
    perAddress: 10_000,
    perAccount: 10_000,
    bytesPerSecond: 1 << 23,
    warn: fail,
  });
}

let engine: Engine | null = null;
const connections: Connection[] = [];
let running = false;
let began = { cpu: process.cpuUsage(), time: performance.now() };

/** A trade in each pair, and the next ones when the listeners have read. */
async function trade(): Promise<void> {
  for (let next = 0; running; next++) {
    const orders = BASES.flatMap((_, i) =>
      SIDES.map(([uid, side]) => {
        const order = orderCommand({ uid, side, quantity: 1, price: 100 });
        return engine!.submit({ ...order, securityId: i + 1 });
      }),
    );
    await Promise.all(orders);
    while (running && (connections[next % connections.length]?.buffered ?? 0) > WAITING) {
      await Bun.sleep(1);
    }
  }
}

export const { start: startFanOut } = program(import.meta, {
  /** Returns the port. */
  async listen(): Promise<number> {
    engine = await createEngine();
    const streams = streamsOver(engine);
    const server = Bun.serve<Connection>({
      port: 0,
      hostname: '127.0.0.1',
      websocket: streams.handlers,
      fetch(request, here) {
        const connection = streams.admit(PUBLIC, '127.0.0.1', '127.0.0.1', null);
        connections.push(connection);
        here.upgrade(request, { data: connection });
        return undefined;
      },
    });
    streams.attach(server);
    return server.port!;
  },

  begin(): void {
    running = true;
    began = { cpu: process.cpuUsage(), time: performance.now() };
    void trade();
  },

  /** Returns the share of a core that the server used. */
  end(): number {
    running = false;
    const { user, system } = process.cpuUsage(began.cpu);
    return (user + system) / 1000 / (performance.now() - began.time);
  },
});
