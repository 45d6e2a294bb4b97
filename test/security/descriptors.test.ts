// Strangers who open connections and say nothing, or next to nothing, against a server that may
// have few descriptors: it serves, writes snapshots and new journal files, and ends as it should.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { SandboxUser } from '../../src/sandbox/seed.ts';
import { operate, Place, readSandbox, Server, segmentsOf } from '../support/cli.ts';
import { ORDER, signedHeaders, TIME } from '../support/node.ts';
import { PATIENCE_MS } from '../support/waiting.ts';

const DESCRIPTORS = 256;
const AT_ONCE = 600;

/** A stranger sends nothing, half of a head, or one request. */
const SAYS = ['', 'GET / HT', `GET ${TIME} HTTP/1.1\r\nHost: a\r\n\r\n`];

/**
 * Holds many connections open, and opens another for each that ends, until it has opened `most`.
 */
class Flood {
  opened = 0;
  readonly #port: number;
  readonly #most: number;
  readonly #sockets = new Set<Socket>();
  #isOver = false;

  constructor(url: string, most: number) {
    this.#port = Number(new URL(url).port);
    this.#most = most;
    for (let n = 0; n < AT_ONCE; n++) this.#open();
  }

  #open(): void {
    if (this.#isOver || this.opened >= this.#most) return;
    const says = SAYS[this.opened++ % SAYS.length]!;
    const socket = connect(this.#port, '127.0.0.1', () => socket.write(says));
    this.#sockets.add(socket);
    socket.on('data', () => undefined);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#open();
    });
  }

  end(): void {
    this.#isOver = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * The answer to a call that a caller repeats until there is one: a connection may be turned away.
 */
async function answerOf<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await Bun.sleep(20);
    }
  }
}

const openDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

async function order(server: Server, { apiKey, secretKey }: SandboxUser, n: number) {
  const body = JSON.stringify({
    symbol: 'BTC-USDT',
    side: 2,
    ordType: 2,
    price: 900_000 + n,
    orderQty: 0.001,
  });
  const signed = { method: 'POST', path: ORDER, body, timestamp: Date.now() };
  const own = signedHeaders({ apiKey: apiKey!, secretKey: secretKey! }, signed);
  const headers = { 'Content-Type': 'application/json', ...own };
  return (await fetch(server.url + ORDER, { method: 'POST', body, headers })).status;
}

test.skipIf(process.platform !== 'linux')(
  'idle connections end before they take the descriptors of journal and snapshots',
  async () => {
    using place = new Place();
    const data = place.path('data');
    const flags = ['--data', data, '--segment-bytes', '1048576', '--rate-limits', 'off'];
    await using server = await Server.start(flags, {}, { descriptors: DESCRIPTORS });
    const sandbox = readSandbox(data);
    const segments = segmentsOf(data).length;
    const flood = new Flood(server.url, 3_000);
    let maxOpen = 0;
    for (let round = 0; round < 5; round++) {
      const { seq } = await answerOf(() => operate(sandbox, 'POST', 'snapshot'));
      expect(Number(seq)).toBeGreaterThan(0);
      for (let n = 0; n < 20; n++) {
        const status = await answerOf(() => order(server, sandbox.demo!, round * 20 + n));
        expect(status).toBe(200);
      }
      maxOpen = Math.max(maxOpen, openDescriptors(server.pid));
    }
    expect(flood.opened).toBeGreaterThan(DESCRIPTORS);
    const text = await answerOf(async () => (await fetch(`${server.url}/metrics`)).text());
    flood.end();
    expect(Number(/^agio_connections_ended_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
    const mark = Number(/^agio_connections_limit (\d+)$/m.exec(text)?.[1]);
    expect(mark).toBeWithin(1, DESCRIPTORS - 64);
    expect(maxOpen).toBeLessThanOrEqual(DESCRIPTORS);
    expect(segmentsOf(data).length).toBeGreaterThanOrEqual(segments);
    const ended = await server.end('SIGTERM');
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
  },
);
