// The outbox of a connection: what it hands to a socket, in which order, and how much of it a peer
// that does not read can make the server hold.
import { describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../test/sim/simulated-time.ts';
import { Payer } from './budget.ts';
import {
  BULK_TEXT,
  CAUGHT_UP_BYTES,
  MAX_BUFFERED_IN_ALL,
  MAX_BUFFERED_OF_PAYER,
  MAX_HELD,
  REFILL_TEXT,
  SLOW_BYTES,
  SLOW_CHECK_MS,
  STALL_MS,
} from './limits.ts';
import { Outbox, type Usage } from './outbox.ts';
import { Turns } from './turns.ts';

const time = SimulatedTime.forEachTest();

const TERMS = { burst: 1000, perSecond: 1000 };
const payer = (): Payer => new Payer('account', { bytes: TERMS, time: TERMS });
const settle = (): Promise<void> => time.pass(10);

/** Sockets that share a server; nobody reads unless `read` says so. */
class Server {
  readonly usage: Usage = { buffered: 0, snapshotBytes: 0, rejected: 0 };
  readonly turns = new Turns((error) => {
    throw error;
  });

  connect(of: Payer, reads = false): Peer {
    return new Peer(this, of, reads);
  }
}

class Peer {
  readonly written: string[] = [];
  readonly outbox: Outbox;
  open = true;
  buffered = 0;
  readonly #reads: boolean;

  constructor({ turns, usage }: Server, of: Payer, reads: boolean) {
    this.#reads = reads;
    this.outbox = new Outbox(this, of, turns, usage);
  }

  write(text: string): boolean {
    this.written.push(text);
    if (!this.#reads) this.buffered += text.length;
    return false;
  }

  /** Reads everything, and notifies the server as a drained socket does. */
  read(): void {
    this.buffered = 0;
    this.outbox.count();
    this.outbox.wake();
  }
}

const long = (name: string, size = BULK_TEXT + 1): string => name.padEnd(size, '.');
const bulk = (text: string, of: object | null = null, sent: (() => void) | null = null) => ({
  text,
  of,
  sent,
});
const namesOf = ({ written }: Peer): string[] => written.map((text) => text.replaceAll('.', ''));

describe('messages that follow an answer', () => {
  test('wait for it and those before it, and for no later one', async () => {
    const peer = new Server().connect(payer(), true);
    const [first, second] = [{}, {}];
    peer.outbox.hold(first);
    peer.outbox.send('change 1');
    peer.outbox.hold(second);
    peer.outbox.hold(first);
    peer.outbox.send('change 2');
    await settle();
    expect(namesOf(peer)).toEqual([]);
    peer.outbox.sendFirst('answer 1', first);
    await settle();
    expect(namesOf(peer)).toEqual(['answer 1', 'change 1']);
    peer.outbox.sendFirst('answer 2', second);
    peer.outbox.send('change 3');
    await settle();
    expect(namesOf(peer).slice(2)).toEqual(['answer 2', 'change 2', 'change 3']);
  });

  test('wait no longer where there are too many', async () => {
    const peer = new Server().connect(payer(), true);
    const request = {};
    peer.outbox.hold(request);
    for (let held = 0; held <= MAX_HELD; held += BULK_TEXT) peer.outbox.send(long('x', BULK_TEXT));
    await settle();
    expect(peer.written.length).toBeGreaterThan(0);
    expect(peer.outbox.characters).toBeLessThanOrEqual(MAX_HELD);
    peer.outbox.sendFirst('answer', request);
    await settle();
    expect(peer.outbox.characters).toBe(0);
  });
});

describe('an outbox', () => {
  test('keeps the order of long and short messages', async () => {
    const peer = new Server().connect(payer(), true);
    peer.outbox.send('a');
    peer.outbox.sendInTurn(bulk(long('b'), null, () => peer.outbox.sendNow('c')));
    peer.outbox.send('d');
    peer.outbox.sendInTurn(bulk(long('e')));
    expect(namesOf(peer)).toEqual(['a']);
    await settle();
    expect(namesOf(peer)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('does not send withdrawn messages', async () => {
    const peer = new Server().connect(payer(), true);
    const topic = {};
    peer.outbox.sendInTurn(bulk(long('a'), topic));
    peer.outbox.sendInTurn(bulk(long('b')));
    peer.outbox.withdraw(topic);
    await settle();
    expect(namesOf(peer)).toEqual(['b']);
    expect(peer.outbox.characters).toBe(0);
  });

  test('sends one long message after the other, each when the peer has read the last', async () => {
    const peer = new Server().connect(payer());
    for (const name of ['a', 'b', 'c']) {
      peer.outbox.sendInTurn(bulk(long(name, CAUGHT_UP_BYTES + 1)));
    }
    await settle();
    expect(namesOf(peer)).toEqual(['a']);
    peer.read();
    await settle();
    expect(namesOf(peer)).toEqual(['a', 'b']);
  });

  test('keeps live messages back from a peer that is far behind', async () => {
    const peer = new Server().connect(payer());
    const text = long('a', BULK_TEXT);
    for (let i = 0; i < 1000; i++) peer.outbox.send(text);
    await settle();
    expect(peer.buffered).toBeLessThanOrEqual(SLOW_BYTES + BULK_TEXT);
    expect(peer.outbox.characters + peer.buffered).toBe(1000 * BULK_TEXT);
  });
});

test('a peer that reads steadily gets a long burst, and is hardly ever slow', async () => {
  const peer = new Server().connect(payer());
  const messages = 400;
  for (let i = 0; i < messages; i++) peer.outbox.send(long('a', BULK_TEXT));
  let slow = 0;
  while (peer.outbox.characters > 0) {
    await time.pass(SLOW_CHECK_MS);
    if (peer.outbox.count() > SLOW_BYTES) slow++;
    peer.buffered = Math.max(0, peer.buffered - REFILL_TEXT);
    peer.outbox.wake();
  }
  expect(peer.written).toHaveLength(messages);
  expect(slow).toBeLessThan(5);
});

describe('peers that do not read', () => {
  const SIZE = 4 << 20;

  test('of one account hold a bounded number of bytes together', async () => {
    const server = new Server();
    const account = payer();
    const peers = Array.from({ length: 190 }, () => server.connect(account));
    for (const { outbox } of peers) outbox.sendInTurn(bulk(long('snapshot', SIZE)));
    await settle();
    expect(account.buffered).toBeLessThanOrEqual(MAX_BUFFERED_OF_PAYER);
    expect(account.buffered).toBe(peers.reduce((sum, { buffered }) => sum + buffered, 0));
    // Others are not concerned.
    const other = server.connect(payer());
    other.outbox.sendInTurn(bulk(long('snapshot', SIZE)));
    await settle();
    expect(namesOf(other)).toEqual(['snapshot']);
  });

  test('of all accounts hold a bounded number of bytes together', async () => {
    const server = new Server();
    const peers = Array.from({ length: 190 }, () => server.connect(payer()));
    for (const { outbox } of peers) outbox.sendInTurn(bulk(long('snapshot', SIZE)));
    await settle();
    expect(server.usage.buffered).toBeLessThanOrEqual(MAX_BUFFERED_IN_ALL);
    for (const peer of peers) peer.outbox.close();
    expect(server.usage.buffered).toBe(0);
  });

  test('are found when they have taken nothing for long, not while they read slowly', () => {
    const peer = new Server().connect(payer());
    peer.outbox.send('a'.padEnd(1000));
    expect(peer.outbox.isStalled(0)).toBe(false);
    expect(peer.outbox.isStalled(STALL_MS)).toBe(false);
    peer.buffered -= 1;
    expect(peer.outbox.isStalled(STALL_MS + 1)).toBe(false);
    expect(peer.outbox.isStalled(2 * STALL_MS + 1)).toBe(false);
    expect(peer.outbox.isStalled(2 * STALL_MS + 2)).toBe(true);
    peer.buffered = 0;
    expect(peer.outbox.isStalled(2 * STALL_MS + 3)).toBe(false);
  });
});
