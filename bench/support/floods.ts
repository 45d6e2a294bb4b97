// The floods of part `flood`: each attacks a server from a process of its own, with bounds of time,
// clients and pace, and counts what it sends.
import { type ApiKey, ORDER_PATH } from '../../src/cli/bench/order-script.ts';
import { defaultLimits, limitTexts } from '../../src/config-limits.ts';
import { Side } from '../../src/core/fix.ts';
import { KEYS_OF_ONE, levels } from './large.ts';
import { journalSeq } from './load.ts';
import { many } from './part.ts';
import { program } from './processes.ts';
import { postSigned, signedHeaders } from './requests.ts';
import type { Case } from './waits.ts';
import { messageFrame, OWN_ORDERS, openSocket, PUBLIC } from './websocket.ts';

/** Far fewer than the flood of idle connections opens, so it reaches the limit. */
const MAX_CONNECTIONS = 2_000;

/** Limits of a sandbox; logins come from many networks. */
export const FLOOD_FLAGS = [
  ...['--rate-limits', limitTexts(defaultLimits('sandbox')).join(',')],
  ...['--max-connections', String(MAX_CONNECTIONS), '--trusted-proxies', '127.0.0.1'],
];

interface Plan {
  readonly url: string;
  readonly symbol: string;
  /** The key of a customer with many open orders. */
  readonly key: ApiKey;
  /** All keys of another customer. */
  readonly keys: readonly ApiKey[];
  readonly seconds: number;
  /** Positions in the journal that a resumed stream continues after, in turns. */
  readonly resumeFrom: readonly number[];
}

/** Clients that act in turns. */
interface Flood {
  readonly clients: number;
  /** Turns of all clients together. */
  readonly perSecond: number;
  /** A turn; a client that the server rejects takes its next turn as usual. */
  act(plan: Plan, client: number, n: number): Promise<unknown>;
}

let sent = 0;

/** Lets the clients take their turns; turns that are late are left out. */
async function flood(plan: Plan, { clients, perSecond, act }: Flood): Promise<void> {
  const pause = (clients * 1000) / perSecond;
  const start = performance.now();
  const end = start + plan.seconds * 1000;
  const run = async (_: unknown, client: number): Promise<void> => {
    let due = start + (client / clients) * pause;
    while (due < end) {
      await Bun.sleep(due - performance.now());
      await act(plan, client, sent++).catch(() => undefined);
      due = Math.max(due + pause, performance.now());
    }
  };
  await Promise.race([
    Promise.all(Array.from({ length: clients }, run)),
    // A client may wait for a server that does not answer.
    Bun.sleep(plan.seconds * 1000),
  ]);
}

const request = async (answer: Promise<Response>): Promise<unknown> => (await answer).text();

const badSignature: Flood = {
  clients: 64,
  perSecond: 4_000,
  act({ url }, _, n) {
    const key = { apiKey: `${crypto.randomUUID()}${n}`, secretKey: 'a guess' };
    const path = '/spot-api/api/private/v1/balances';
    return request(fetch(url + path, { headers: signedHeaders(key, `GET${path}`) }));
  },
};

/** Each login is another user from another network, so no lockout and no queue delays it. */
const login: Flood = {
  clients: 64,
  // About 25 times as many as the node can hash.
  perSecond: 200,
  act({ url }, _, n) {
    const salt = Math.floor(Math.random() * 2 ** 32);
    const body = { email: `u${n}-${salt}@example.com`, password: 'a guess that is wrong' };
    const network = `10.${salt & 255}.${(salt >> 8) & 255}.1`;
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': network };
    const method = 'POST';
    const path = '/user-center/v1/login';
    return request(fetch(url + path, { method, headers, body: JSON.stringify(body) }));
  },
};

/** Orders with each key in turn, as if keys had limits and users had none. */
const orders: Flood = {
  clients: 32,
  perSecond: 1_000,
  act({ url, symbol, keys }, _, n) {
    const terms = { symbol, side: 1, ordType: 2, orderQty: '0.000001', price: '1.00' };
    return request(postSigned(url, keys[n % keys.length], ORDER_PATH, terms));
  },
};

const open = ({ url, key }: Plan, path: string) => {
  const headers = path === OWN_ORDERS ? signedHeaders(key, `GET${path}`) : {};
  return openSocket(Number(new URL(url).port), path, headers);
};

/** For each socket: what the server takes of a client that it does not disconnect, roughly. */
const MESSAGES_PER_SECOND = 20;

/** Sockets that subscribe and unsubscribe without end, and never read the snapshots. */
function subscribes(path: string, topic: (symbol: string) => object): Flood {
  const sockets: Awaited<ReturnType<typeof open>>[] = [];
  const turns: number[] = [];
  return {
    clients: 190,
    perSecond: 190 * MESSAGES_PER_SECOND,
    async act(plan, client) {
      if (sockets[client] === undefined || sockets[client].readyState <= 0) {
        sockets[client] = await open(plan, path);
        sockets[client].pause();
      }
      turns[client] = (turns[client] ?? 0) + 1;
      const op = turns[client] % 2 === 1 ? 'subscribe' : 'unsubscribe';
      sockets[client].write(messageFrame({ op, ...topic(plan.symbol) }));
    },
  };
}

/** Clients that connect, resume a private stream and disconnect, again and again. */
const resumes: Flood = {
  // The private connections that the server allows one account.
  clients: 64,
  perSecond: 128,
  async act(plan, _, n) {
    const socket = await open(plan, OWN_ORDERS);
    const resumeFrom = plan.resumeFrom[n % plan.resumeFrom.length];
    socket.write(messageFrame({ op: 'subscribe', channel: 'orders', resumeFrom }));
    await Bun.sleep(1000 / MESSAGES_PER_SECOND);
    socket.terminate();
  },
};

/** Far more connections than the server accepts, which send nothing. */
const idle: Flood = {
  clients: 9_000,
  perSecond: 2_000,
  async act({ url }) {
    const { hostname, port } = new URL(url);
    await Bun.connect({ hostname, port: Number(port), socket: { data: () => undefined } });
  },
};

const FLOODS: Readonly<Record<string, readonly Flood[]>> = {
  'idle connections': [idle],
  'bad signatures': [badSignature],
  'one user, 8 keys': [orders],
  'sockets that do not read': [
    subscribes(PUBLIC, (symbol) => ({ channel: 'l3orderbook', symbol })),
    subscribes(OWN_ORDERS, () => ({ channel: 'orders' })),
  ],
  'resumed private streams': [resumes],
  logins: [login],
};

const { once } = program(import.meta, {
  /** Returns how many turns there were. */
  async run(kind: string, plan: Plan): Promise<number> {
    await Promise.all(FLOODS[kind].map((one) => flood(plan, one)));
    return sent;
  },
});

export const floodCases = (size: number): readonly Case[] =>
  Object.keys(FLOODS).map((name) => ({
    name,
    setUp: levels(size, Side.sell),
    async attack({ url, pair, keys, seconds }) {
      const { symbol, holder } = pair;
      // The whole history, and only the commands of the load.
      const resumeFrom = [0, await journalSeq(url)];
      const own = { key: keys[holder - 1], keys: keys.slice(-KEYS_OF_ONE) };
      const plan = { url, symbol, ...own, seconds, resumeFrom };
      return `${many(await once.run(name, plan))} requests, messages or connections`;
    },
  }));
