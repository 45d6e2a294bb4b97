// The server of the fan-out: the real streams over an engine with a memory journal, and a market
// that trades as fast as its slowest listener reads. GET /start begins. GET /stop ends and answers
// the share of a core that the server used.
import { isStreamPath } from '../../src/contract/streams/requests.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { Side } from '../../src/core/fix.ts';
import { amount } from '../../src/core/units.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Connection } from '../../src/streams/connection.ts';
import { Hub } from '../../src/streams/hub.ts';
import { Streams } from '../../src/streams/streams.ts';
import { MemoryJournal } from '../../test/support/memory-journal.ts';
import { LISTING, orderCommand, venueCommands } from './venue.ts';

/** Bytes that may wait for a listener before the market pauses. */
const WAITING = 256 * 1024;

/** The assets that are traded for USDT; all but the first are made here. */
const PAIRS = ['BTC', 'ETH', 'SOL', 'XRP'];
const SIDES = [
  [1, Side.sell],
  [2, Side.buy],
] as const;

const INSTRUMENT = LISTING.find((command) => command.type === 'createInstrument')!;

/** The listing of the bench with another base. */
const pairOf = (base: string) => ({ ...INSTRUMENT, symbol: `${base}-USDT`, baseAsset: base });

/** The first customer sells all assets. */
const creditOf = (assetId: number) =>
  ({
    type: 'transferFunds',
    direction: 'credit',
    uid: 1,
    assetId,
    amount: amount(10 ** 12),
    reference: `pairs-${assetId}`,
  }) as const;

const fail = (error: unknown): never => {
  throw error;
};

const engine = new Engine({
  exchange: new Exchange(undefined, EventFilter.none()),
  wall: systemClock,
  queueLimit: 1000,
  onApplied: () => {},
  onFailure: fail,
});
engine.lead({ journal: new MemoryJournal(), epoch: 1 });
for (const command of venueCommands(2)) await engine.submit(command);
for (const base of PAIRS.slice(1)) {
  await engine.submit({ type: 'createAsset', asset: base, scale: 8, fiat: false });
  await engine.submit(pairOf(base));
}
// The assets beyond those of the listing.
for (let assetId = 2; assetId <= PAIRS.length; assetId++) await engine.submit(creditOf(assetId));

// The views answer that there is no history.
const views = { query: () => Promise.resolve([] as never) };
const hub = new Hub({ engine, views, dataDir: '/nowhere', snapshotKeys: [], warn: fail });
const streams = new Streams({
  engine,
  hub,
  gatekeeper: { loginByKey: fail, lapsed: () => null, arrivalOf: () => null },
  orders: { receive: () => false },
  perAddress: 10_000,
  perAccount: 10_000,
  bytesPerSecond: 1 << 23,
  warn: fail,
});
const connections: Connection[] = [];
let running = false;

async function trade(): Promise<void> {
  for (let next = 0; running; next++) {
    const order = { quantity: 1, price: 100, clOrdId: '', signature: null };
    await Promise.all(
      PAIRS.flatMap((_, i) =>
        SIDES.map(([uid, side]) => {
          const command = orderCommand({ ...order, uid, side });
          return engine.submit({ ...command, securityId: i + 1 });
        }),
      ),
    );
    while (running && (connections[next % connections.length]?.buffered ?? 0) > WAITING) {
      await Bun.sleep(1);
    }
  }
}

let began = { cpu: process.cpuUsage(), time: performance.now() };
const server = Bun.serve<Connection>({
  port: 0,
  hostname: '127.0.0.1',
  websocket: streams.handlers,
  fetch(request, here) {
    const { pathname } = new URL(request.url);
    if (isStreamPath(pathname)) {
      const connection = streams.admit(pathname, '127.0.0.1', '127.0.0.1', null);
      connections.push(connection);
      here.upgrade(request, { data: connection });
      return undefined;
    }
    if (pathname === '/start') {
      running = true;
      began = { cpu: process.cpuUsage(), time: performance.now() };
      void trade();
      return new Response('trading');
    }
    running = false;
    const elapsed = (performance.now() - began.time) / 1000;
    const { user, system } = process.cpuUsage(began.cpu);
    return Response.json({ share: (user + system) / 1e6 / elapsed });
  },
});
streams.attach(server);
process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`);
