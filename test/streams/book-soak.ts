// Books that are kept from the stream alone, against what REST says, while a market runs at random
// and connections break: at every lastUpdateId that both have told, and whenever the market rests,
// they are the same.
import type { Client, Json } from '../support/node.ts';
import { L3_ORDERBOOK, ORDERBOOK, TestNode } from '../support/node.ts';
import { Prng } from '../support/prng.ts';
import { StreamClient } from '../support/stream.ts';
import { StreamBook } from '../support/stream-book.ts';

const SYMBOL = 'BTC-USDT';
const SUBJECTS = [
  { channel: 'orderbook', depth: 1 },
  { channel: 'orderbook', depth: 5 },
  { channel: 'orderbook', depth: 20 },
  { channel: 'orderbook', depth: 100 },
  { channel: 'l3orderbook' },
] as const;
type Subject = { readonly channel: string; readonly depth?: number };

/** Longer than a book waits to be told. */
const REST_MS = 300;

export interface SoakReport {
  readonly commands: number;
  readonly messages: number;
  readonly reconnects: number;
  /** Gaps that the test made and the client found. */
  readonly gaps: number;
  /** Comparisons with a REST answer of the same lastUpdateId. */
  readonly compared: number;
}

/** One client with one book, which restarts when it finds a gap or loses its connection. */
class Listener {
  readonly subject: Subject;
  readonly #node: TestNode;
  readonly #seen: (listener: Listener) => void;
  #stream: StreamClient | null = null;
  book = new StreamBook();
  #taken = 0;
  #skips = 0;
  /** True if an update was lost that no later one has shown to be missing. */
  #lost = false;
  messages = 0;
  reconnects = -1;
  gaps = 0;

  constructor(node: TestNode, subject: Subject, seen: (listener: Listener) => void) {
    this.#node = node;
    this.subject = subject;
    this.#seen = seen;
  }

  async connect(): Promise<void> {
    await this.#stream?.cut();
    this.reconnects++;
    this.#taken = 0;
    this.#lost = false;
    this.book = new StreamBook();
    this.#stream = await StreamClient.open(this.#node);
    await this.#stream.subscribe({ ...this.subject, symbol: SYMBOL });
  }

  /** Loses the next update, as a careless network would. */
  skipOne(): void {
    this.#skips++;
  }

  /** Takes in what has come. Throws where a book is wrong in itself. */
  async read(): Promise<void> {
    const data = this.#stream!.of(this.subject.channel);
    for (; this.#taken < data.length; this.#taken++) {
      const message = data[this.#taken]!;
      const isUpdate = String(message.type) === 'update';
      if (isUpdate && this.#skips > 0) {
        this.#skips--;
        this.#lost = true;
        continue;
      }
      if (isUpdate && Number(message.prevSeq) !== this.book.seq) {
        this.gaps++;
        this.#lost = false;
        this.#taken = data.length;
        await this.#stream!.subscribe({ ...this.subject, symbol: SYMBOL });
        this.#taken = this.#stream!.of(this.subject.channel).findLastIndex(
          ({ type }) => String(type) === 'snapshot',
        );
        this.book = new StreamBook();
        return this.read();
      }
      this.book.take(message);
      this.messages++;
      this.#seen(this);
    }
  }

  async settle(): Promise<void> {
    await this.#stream!.settle();
    await this.read();
    // The next heartbeat would tell that the channel is further on than the client.
    if (this.#lost) await this.connect();
    await this.read();
  }

  async close(): Promise<void> {
    await this.#stream?.close();
  }
}

/** Throws where a book differs. */
function compare(listener: Listener, answer: Json): void {
  const { book, subject } = listener;
  for (const side of ['bids', 'asks'] as const) {
    const told = JSON.stringify(book.side(side));
    const asked = JSON.stringify(answer[side]);
    if (told === asked) continue;
    const name = `${subject.channel} ${subject.depth ?? ''} ${side} at ${book.lastUpdateId}`;
    throw new Error(`${name} differ:\nstream ${told}\nREST   ${asked}`);
  }
}

async function ask(node: TestNode, { channel, depth }: Subject): Promise<Json> {
  const { body } =
    channel === 'orderbook'
      ? await node.get(ORDERBOOK, { symbol: SYMBOL, depth: depth! })
      : await node.get(L3_ORDERBOOK, { symbol: SYMBOL });
  return body;
}

const idOf = (answer: Json): number => Number(answer.lastUpdateId ?? answer.version);

/** Orders and cancels of one round, in parallel. */
async function trade(clients: readonly Client[], random: Prng): Promise<number> {
  const count = 1 + random.below(40);
  await Promise.all(
    Array.from({ length: count }, async () => {
      const client = random.pick(clients);
      if (random.percent(12)) {
        await client.post('/spot-api/api/private/v1/order/masscancel', { symbol: SYMBOL });
        return;
      }
      const side = random.oneIn(2) ? 1 : 2;
      const price = side === 1 ? 905 + random.below(110) : 985 + random.below(110);
      const quantity = (2 + random.below(500)) / 1000;
      await client.limit(side, String(price / 10), String(quantity));
    }),
  );
  return count;
}

export async function soakBooks(seconds: number, seed: number): Promise<SoakReport> {
  const random = new Prng(seed);
  await using node = await TestNode.start({
    flags: ['--rate-limits', 'off'],
  });
  const clients = await Promise.all(Array.from({ length: 4 }, () => node.client()));
  const asked = new Map<string, Json>();
  let compared = 0;
  const keyOf = ({ channel, depth }: Subject, id: number) => `${channel}/${depth ?? ''}/${id}`;
  const seen = (listener: Listener): void => {
    const answer = asked.get(keyOf(listener.subject, listener.book.lastUpdateId));
    if (answer === undefined) return;
    compare(listener, answer);
    compared++;
  };
  const listeners = [...SUBJECTS, ...SUBJECTS].map((subject) => new Listener(node, subject, seen));
  for (const listener of listeners) await listener.connect();
  let commands = 0;
  const end = performance.now() + seconds * 1000;
  for (let round = 1; performance.now() < end; round++) {
    const trading = trade(clients, random);
    for (const subject of SUBJECTS) {
      const answer = await ask(node, subject);
      asked.set(keyOf(subject, idOf(answer)), answer);
    }
    commands += await trading;
    for (const listener of listeners) {
      const fate = random.below(40);
      if (fate === 0) await listener.connect();
      if (fate === 1) listener.skipOne();
      await listener.read();
    }
    if (round % 20 !== 0) continue;
    await Bun.sleep(REST_MS);
    for (const listener of listeners) {
      await listener.settle();
      compare(listener, await ask(node, listener.subject));
      compared++;
    }
    asked.clear();
  }
  for (const listener of listeners) await listener.close();
  const sum = (of: (listener: Listener) => number) => listeners.reduce((n, one) => n + of(one), 0);
  return {
    commands,
    messages: sum(({ messages }) => messages),
    reconnects: sum(({ reconnects }) => reconnects),
    gaps: sum(({ gaps }) => gaps),
    compared,
  };
}
