// One flood of part `flood`: a process that attacks a server by its plan, with bounds of time,
// connections and pace, and reports the number of its requests.
import type { Socket } from 'bun';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { job } from './processes.ts';
import { RequestScript, signedHeaders } from './requests.ts';
import { frameOf, upgradeRequest } from './websocket-client.ts';

export type FloodKind =
  | 'idle connections'
  | 'bad signatures'
  | 'unknown paths'
  | 'one user, 8 keys'
  | 'l3orderbook subscribes'
  | 'private snapshots'
  | 'sockets that do not read'
  | 'resumed private streams'
  | 'logins';

interface FloodPlan {
  readonly kind: FloodKind;
  readonly url: string;
  readonly seconds: number;
  /** The keys of one user, who has many open orders. */
  readonly keys: readonly ApiKey[];
  /** Positions in the journal that a resumed stream continues after, in turns. */
  readonly resumeFrom: readonly number[];
}

export interface FloodReport {
  /** Connections that were opened, over the whole time. */
  readonly opened: number;
  /** Requests and messages that were sent. */
  readonly sent: number;
}

const SOCKETS = 190;
/** The private connections that the server allows one account. */
const RESUMING_SOCKETS = 64;
const HTTP_CONNECTIONS = 64;
const HTTP_PER_SECOND = 4_000;
/** About 25 times as many as the node can hash. */
const LOGINS_PER_SECOND = 200;
const CONNECTIONS_OF_ONE = 32;
const KEY_REQUESTS_PER_SECOND = 1_000;
const IDLE_CONNECTIONS = 9_000;
const IDLE_PER_SECOND = 2_000;
/** For each socket: what the server takes of a client that it does not disconnect, roughly. */
const MESSAGES_PER_SECOND = 20;
const TICK_MS = 20;
/** A connection that the server has ended, or has not upgraded, is opened again after this time. */
const REOPEN_MS = 1000;
/** A resuming client subscribes and disconnects at these turns of its connection. */
const RESUME_TURN = 2;
const DISCONNECT_TURN = 10;

let opened = 0;
let sent = 0;

interface Peer {
  readonly socket: Socket;
  isOpen: boolean;
  /** A request is on its way; the server ends a connection that sends a second one. */
  isBusy: boolean;
  /** Turns since the connection was opened; only resuming clients count them. */
  turns: number;
}

/** Opens a connection; null where the server rejects it. */
async function open(port: number): Promise<Peer | null> {
  let peer: Peer | null = null;
  const close = () => {
    if (peer !== null) peer.isOpen = false;
  };
  const data = () => {
    if (peer !== null) peer.isBusy = false;
  };
  const handlers = { data, close, error: close, end: close };
  try {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: handlers });
    peer = { socket, isOpen: true, isBusy: false, turns: 0 };
    opened++;
  } catch {
    // Rejected: the next one is due soon.
  }
  return peer;
}

/**
 * Opens `count` connections, or as many as come, and then calls `act` with one after the other,
 * `perSecond` times a second in all. One that the server has ended is opened again when its turn
 * comes.
 */
async function keepUp(
  plan: FloodPlan,
  count: number,
  perSecond: number,
  begin: (n: number) => Promise<Peer | null>,
  act: (peer: Peer, n: number) => void,
): Promise<void> {
  const peers: (Peer | null)[] = Array.from({ length: count }, () => null);
  const begun = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const start = performance.now();
  let acted = 0;
  for (let now = 0; now < plan.seconds * 1000; now = performance.now() - start) {
    const due = Math.floor((now / 1000) * perSecond);
    // Turns that were due while this process did not get the processor are left out.
    for (acted = Math.max(acted, due - perSecond / 10); acted < due; acted++) {
      const at = acted % count;
      const peer = peers[at];
      if (peer?.isOpen === true) act(peer, Math.floor(acted / count));
      else if (now - begun[at]! >= REOPEN_MS) {
        begun[at] = now;
        peers[at] = await begin(at);
      }
    }
    await Bun.sleep(TICK_MS);
  }
  for (const peer of peers) peer?.socket.terminate();
}

const HOST = 'Host: bench\r\n';

function badSignature(n: number): string {
  const key = `${crypto.randomUUID()}${n}`;
  const signature = crypto.randomUUID().replaceAll('-', '').padEnd(64, '0');
  return (
    `GET /spot-api/api/private/v1/balances HTTP/1.1\r\n${HOST}EXCHANGE-API-KEY: ` +
    `${key}\r\nEXCHANGE-API-TIMESTAMP: ${Date.now()}\r\nEXCHANGE-API-SIGN: ${signature}\r\n\r\n`
  );
}

function write(peer: Peer, bytes: string | Uint8Array): void {
  sent++;
  peer.socket.write(bytes);
}

function request(peer: Peer, bytes: string | Uint8Array): void {
  if (peer.isBusy) return;
  peer.isBusy = true;
  write(peer, bytes);
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

async function floodHttp(
  plan: FloodPlan,
  textOf: (n: number) => string,
  perSecond = HTTP_PER_SECOND,
): Promise<void> {
  const begin = () => open(portOf(plan));
  await keepUp(plan, HTTP_CONNECTIONS, perSecond, begin, (peer) => request(peer, textOf(sent)));
}

/**
 * Each key on connections of its own, as a customer would who thinks that keys have limits and
 * users have none.
 */
async function floodByOneUser(plan: FloodPlan): Promise<void> {
  const { keys } = plan;
  const scripts = keys.map((key, n) => new RequestScript(`flood${n}`, key));
  const begin = () => open(portOf(plan));
  await keepUp(plan, CONNECTIONS_OF_ONE, KEY_REQUESTS_PER_SECOND, begin, (peer) => {
    const { bytes, offsets } = scripts[sent % keys.length]!.make('quiet', 1);
    request(peer, bytes.subarray(0, offsets[1]));
  });
}

const LEVEL_3 = { channel: 'l3orderbook', symbol: 'BTC-USDT' };
const ORDERS = { channel: 'orders' };
const PUBLIC = '/ws/v1/public';
const OWN_ORDERS = '/ws/v1/private/orders';

const subscribeFrame = (op: string, subject: object): Buffer =>
  frameOf(JSON.stringify({ op, ...subject }));

/** Opens a websocket; with the key of the customer where the path is private. */
async function openStream(plan: FloodPlan, path: string): Promise<Peer | null> {
  const peer = await open(portOf(plan));
  const headers = path.includes('/private/') ? signedHeaders(plan.keys[0]!, `GET${path}`) : {};
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  peer?.socket.write(upgradeRequest(path, lines.join('')));
  return peer;
}

/** Sockets that subscribe and unsubscribe without end, and so ask for a snapshot each time. */
async function floodStreams(
  plan: FloodPlan,
  path: string,
  topic: object,
  reads: boolean,
): Promise<void> {
  const begin = () => openStream(plan, path);
  const pair = [subscribeFrame('subscribe', topic), subscribeFrame('unsubscribe', topic)];
  await keepUp(plan, SOCKETS, SOCKETS * MESSAGES_PER_SECOND, begin, (peer, turn) => {
    // The upgrade has been answered by the second turn.
    if (!reads && turn === 2) peer.socket.pause();
    if (turn > 1) write(peer, pair[turn % 2]!);
  });
}

/** Clients that connect, resume a private stream and disconnect, again and again. */
async function floodResumed(plan: FloodPlan): Promise<void> {
  const begin = () => openStream(plan, OWN_ORDERS);
  const resume = plan.resumeFrom.map((resumeFrom) =>
    subscribeFrame('subscribe', { ...ORDERS, resumeFrom }),
  );
  await keepUp(plan, RESUMING_SOCKETS, RESUMING_SOCKETS * MESSAGES_PER_SECOND, begin, (peer) => {
    peer.turns++;
    if (peer.turns === RESUME_TURN) write(peer, resume[sent % resume.length]!);
    if (peer.turns !== DISCONNECT_TURN) return;
    peer.isOpen = false;
    peer.socket.terminate();
  });
}

const portOf = ({ url }: FloodPlan): number => Number(new URL(url).port);

async function flood(plan: FloodPlan): Promise<FloodReport> {
  switch (plan.kind) {
    case 'idle connections': {
      const begin = () => open(portOf(plan));
      await keepUp(plan, IDLE_CONNECTIONS, IDLE_PER_SECOND, begin, () => undefined);
      break;
    }
    case 'bad signatures':
      await floodHttp(plan, badSignature);
      break;
    case 'unknown paths':
      await floodHttp(plan, (n) => `GET /no/such/path/${n} HTTP/1.1\r\n${HOST}\r\n`);
      break;
    case 'one user, 8 keys':
      await floodByOneUser(plan);
      break;
    case 'l3orderbook subscribes':
      await floodStreams(plan, PUBLIC, LEVEL_3, true);
      break;
    case 'private snapshots':
      await floodStreams(plan, OWN_ORDERS, ORDERS, true);
      break;
    case 'sockets that do not read':
      await Promise.all([
        floodStreams(plan, PUBLIC, LEVEL_3, false),
        floodStreams(plan, OWN_ORDERS, ORDERS, false),
      ]);
      break;
    case 'resumed private streams':
      await floodResumed(plan);
      break;
    case 'logins':
      await floodHttp(plan, login, LOGINS_PER_SECOND);
      break;
  }
  return { opened, sent };
}

export const runFlood = job(import.meta, flood);
