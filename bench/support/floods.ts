// The floods of part `flood`: each attacks a server from a process of its own, with bounds of time,
// connections and pace, and counts its requests.
import type { Socket } from 'bun';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { program } from './processes.ts';
import { RequestScript, signedHeaders } from './requests.ts';
import { messageFrame, OWN_ORDERS, PUBLIC, upgradeRequest } from './websocket.ts';

export interface FloodPlan {
  readonly kind: FloodKind;
  readonly port: number;
  /** The keys of one user, who has many open orders. */
  readonly keys: readonly ApiKey[];
  /** Positions in the journal that a resumed stream continues after, in turns. */
  readonly resumeFrom: readonly number[];
}

interface Plan extends FloodPlan {
  readonly seconds: number;
}

interface FloodReport {
  /** Connections that were opened, over the whole time. */
  readonly opened: number;
  /** Requests and messages that were sent. */
  readonly sent: number;
}

interface Peer {
  readonly socket: Socket;
  isOpen: boolean;
  /** A request is on its way; the server ends a connection that sends a second one. */
  isBusy: boolean;
  /** Turns since the connection was opened. */
  turns: number;
}

/** Connections that act in turns. */
interface Flood {
  readonly connections: number;
  /** Turns of all connections together. */
  readonly perSecond: number;
  /** The path of its websockets; none for HTTP. */
  readonly path?: string;
  /** `turn` counts from the start of the flood. */
  act(peer: Peer, turn: number): void;
}

const TICK_MS = 20;
/** A connection that the server has ended, or has not upgraded, is opened again after this time. */
const REOPEN_MS = 1000;

let opened = 0;
let sent = 0;

/** Opens a connection; null where the server rejects it. */
async function open({ port, keys }: Plan, path?: string): Promise<Peer | null> {
  let peer: Peer | null = null;
  const close = () => {
    if (peer !== null) peer.isOpen = false;
  };
  const data = () => {
    if (peer !== null) peer.isBusy = false;
  };
  const socket = { data, close, error: close, end: close };
  try {
    const connected = await Bun.connect({ hostname: '127.0.0.1', port, socket });
    peer = { socket: connected, isOpen: true, isBusy: false, turns: 0 };
  } catch {
    // The next one is due soon.
    return null;
  }
  opened++;
  const headers = path === OWN_ORDERS ? signedHeaders(keys[0], `GET${path}`) : {};
  if (path !== undefined) peer.socket.write(upgradeRequest(path, headers));
  return peer;
}

/** Keeps the connections open, or as many as come, and lets one after the other act. */
async function keepUp(plan: Plan, { connections, perSecond, path, act }: Flood): Promise<void> {
  const peers: (Peer | null)[] = Array.from({ length: connections }, () => null);
  const begun = new Float64Array(connections).fill(Number.NEGATIVE_INFINITY);
  const start = performance.now();
  let acted = 0;
  for (let now = 0; now < plan.seconds * 1000; now = performance.now() - start) {
    const due = Math.floor((now / 1000) * perSecond);
    // Turns that were due while this process did not get the processor are left out.
    for (acted = Math.max(acted, due - perSecond / 10); acted < due; acted++) {
      const at = acted % connections;
      const peer = peers[at];
      if (peer?.isOpen === true) {
        peer.turns++;
        act(peer, Math.floor(acted / connections));
      } else if (now - begun[at] >= REOPEN_MS) {
        begun[at] = now;
        peers[at] = await open(plan, path);
      }
    }
    await Bun.sleep(TICK_MS);
  }
  for (const peer of peers) peer?.socket.terminate();
}

function write({ socket }: Peer, bytes: string | Uint8Array): void {
  sent++;
  socket.write(bytes);
}

/** Requests over 64 connections. */
const requests = (textOf: (n: number) => string, perSecond = 4_000): Flood => ({
  connections: 64,
  perSecond,
  act(peer) {
    if (peer.isBusy) return;
    peer.isBusy = true;
    write(peer, textOf(sent));
  },
});

const HOST = 'Host: bench\r\n';

function badSignature(n: number): string {
  const key = `${crypto.randomUUID()}${n}`;
  const signature = crypto.randomUUID().replaceAll('-', '').padEnd(64, '0');
  return (
    `GET /spot-api/api/private/v1/balances HTTP/1.1\r\n${HOST}EXCHANGE-API-KEY: ` +
    `${key}\r\nEXCHANGE-API-TIMESTAMP: ${Date.now()}\r\nEXCHANGE-API-SIGN: ${signature}\r\n\r\n`
  );
}

/** Each login is another user from another network, so no lockout and no queue delays it. */
function login(n: number): string {
  const salt = Math.floor(Math.random() * 2 ** 32);
  const email = `u${n}-${salt}@example.com`;
  const body = JSON.stringify({ email, password: 'a guess that is wrong' });
  return (
    `POST /user-center/v1/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n` +
    `X-Forwarded-For: 10.${salt & 255}.${(salt >> 8) & 255}.1\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Orders with each key in turn, as if keys had limits and users had none. */
function ordersOf(keys: readonly ApiKey[]): Flood {
  const scripts = keys.map((key, n) => new RequestScript(`flood${n}`, key, 'http'));
  const next = (n: number): string => {
    const script = scripts[n % scripts.length];
    script.prepare({ mix: 'quiet' }, 1);
    let text = '';
    script.sendNext((bytes, from, to) => {
      text = bytes.toString('latin1', from, to);
    });
    return text;
  };
  return { ...requests(next, 1_000), connections: 32 };
}

/** For each socket: what the server takes of a client that it does not disconnect, roughly. */
const MESSAGES_PER_SECOND = 20;

/** Sockets that subscribe and unsubscribe without end, and so request a snapshot each time. */
function subscribes(path: string, topic: object, reads = true): Flood {
  const pair = ['subscribe', 'unsubscribe'].map((op) => messageFrame({ op, ...topic }));
  return {
    connections: 190,
    perSecond: 190 * MESSAGES_PER_SECOND,
    path,
    act(peer, turn) {
      // The upgrade has been answered by the second turn.
      if (!reads && turn === 2) peer.socket.pause();
      if (turn > 1) write(peer, pair[turn % 2]);
    },
  };
}

const LEVEL_3 = { channel: 'l3orderbook', symbol: 'BTC-USDT' };
const ORDERS = { channel: 'orders' };

/** Clients that connect, resume a private stream and disconnect, again and again. */
function resumes(positions: readonly number[]): Flood {
  const frames = positions.map((resumeFrom) =>
    messageFrame({ op: 'subscribe', ...ORDERS, resumeFrom }),
  );
  return {
    // The private connections that the server allows one account.
    connections: 64,
    perSecond: 64 * MESSAGES_PER_SECOND,
    path: OWN_ORDERS,
    act(peer) {
      if (peer.turns === 2) write(peer, frames[sent % frames.length]);
      if (peer.turns !== 10) return;
      peer.isOpen = false;
      peer.socket.terminate();
    },
  };
}

/** Far more connections than the server accepts. */
const idle: Flood = { connections: 9_000, perSecond: 2_000, act: () => undefined };

/** About 25 times as many as the node can hash. */
const LOGINS_PER_SECOND = 200;

const FLOODS = {
  'idle connections': () => [idle],
  'bad signatures': () => [requests(badSignature)],
  'unknown paths': () => [requests((n) => `GET /no/such/path/${n} HTTP/1.1\r\n${HOST}\r\n`)],
  'one user, 8 keys': ({ keys }) => [ordersOf(keys)],
  'l3orderbook subscribes': () => [subscribes(PUBLIC, LEVEL_3)],
  'private snapshots': () => [subscribes(OWN_ORDERS, ORDERS)],
  'sockets that do not read': () => [
    subscribes(PUBLIC, LEVEL_3, false),
    subscribes(OWN_ORDERS, ORDERS, false),
  ],
  'resumed private streams': ({ resumeFrom }) => [resumes(resumeFrom)],
  logins: () => [requests(login, LOGINS_PER_SECOND)],
} satisfies Record<string, (plan: Plan) => Flood[]>;

export type FloodKind = keyof typeof FLOODS;
export const FLOOD_KINDS = Object.keys(FLOODS) as FloodKind[];

export const { once: floods } = program(import.meta, {
  async run(plan: Plan): Promise<FloodReport> {
    await Promise.all(FLOODS[plan.kind](plan).map((flood) => keepUp(plan, flood)));
    return { opened, sent };
  },
});
