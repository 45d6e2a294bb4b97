// Crash rounds: load the real server with signed writes, kill it with SIGKILL at a random moment
// and start it again. An acknowledged write is there exactly once, any other entirely or not at
// all, and all sums hold.

import { Prng } from '../support/prng.ts';
import { OperatorClient } from './operator-client.ts';
import { type SandboxFile, ServerProcess, sandboxFile, verifyDirectory } from './server-process.ts';
import { isConnectionError, SignedClient } from './signed-client.ts';

export interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly dataDir: string;
  readonly progress: (line: string) => void;
}

export interface LoadResult {
  readonly acknowledged: number;
  /** Writes whose answer was cut off by the kill, and how many of them were executed. */
  readonly unknown: number;
  readonly unknownDone: number;
}

export interface CrashReport extends LoadResult {
  readonly rounds: number;
  /** From the start of the process to its first answer, ms. */
  readonly recoveryMs: readonly number[];
}

/** A write as its sender remembers it. */
interface Sent {
  readonly clOrdId: string;
  readonly client: SignedClient;
  readonly request: Record<string, unknown>;
  /** null: the answer never came. */
  orderId: number | null;
  /** The quantities that the order may have: more than one after an amendment without an answer. */
  quantities: readonly number[];
  /** Whether its cancel was acknowledged. */
  cancelAcknowledged: boolean;
}

interface Credit {
  readonly reference: string;
  readonly uid: number;
  readonly amount: string;
  transferId: number | null;
}

const WORKERS = 16;
const MIDDLE = 60_000;
const QUANTITY = 0.0002;
/** The market has reached a price of the order, or its time has passed. */
const TOO_LATE = ['100216', '100217', '100218', '100200'];
/** A round kills the server after a random time between these. */
export const LOAD_MS = { least: 40, most: 450 };

/** Throws Error with the seed and the round at the first broken promise. */
export async function runCrashRounds(options: CrashOptions): Promise<CrashReport> {
  const prng = new Prng(options.seed);
  const random = (): number => prng.below(1_000_000) / 1_000_000;
  const totals = { rounds: options.rounds, acknowledged: 0, unknown: 0, unknownDone: 0 };
  const recoveryMs: number[] = [];
  let server = await ServerProcess.start(options.dataDir);
  const access = sandboxFile(options.dataDir);
  try {
    for (let round = 1; round <= options.rounds; round++) {
      const load = new Load(server.url, access, round, random);
      const running = load.run();
      await Bun.sleep(LOAD_MS.least + random() * (LOAD_MS.most - LOAD_MS.least));
      await server.kill();
      await running;
      const started = performance.now();
      server = await ServerProcess.start(options.dataDir);
      recoveryMs.push(performance.now() - started);
      try {
        const result = await load.verify(server.url);
        totals.acknowledged += result.acknowledged;
        totals.unknown += result.unknown;
        totals.unknownDone += result.unknownDone;
      } catch (error) {
        throw new Error(`seed ${options.seed}, round ${round}: ${(error as Error).message}`);
      }
      options.progress(`round ${round}/${options.rounds}: ${load.summary()}`);
    }
    if ((await server.stop()) !== 0) throw new Error('the server did not stop cleanly');
  } finally {
    await server.kill();
  }
  await verifyDirectory(options.dataDir);
  return { ...totals, recoveryMs };
}

/** The writes of one round, and their answers. */
export class Load {
  readonly #access: SandboxFile;
  readonly #clients: SignedClient[];
  readonly #operatorUrl: string;
  readonly #round: number;
  readonly #random: () => number;
  readonly #orders: Sent[] = [];
  readonly #credits: Credit[] = [];

  constructor(url: string, access: SandboxFile, round: number, random: () => number) {
    this.#access = access;
    this.#operatorUrl = url;
    this.#round = round;
    this.#random = random;
    // The second account of the market takes large orders (slice-rounds.ts).
    this.#clients = [access.demo, access.market[0]!].map((user) => new SignedClient(url, user));
  }

  summary(): string {
    const acknowledged = this.#orders.filter(({ orderId }) => orderId !== null).length;
    const orders = `${acknowledged} of ${this.#orders.length} orders`;
    return `${orders} acknowledged, ${this.#credits.length} credits`;
  }

  /** Writes until the server is gone. */
  async run(): Promise<void> {
    const workers = Array.from({ length: WORKERS }, (_, worker) => this.#work(worker));
    await Promise.all(workers);
  }

  async #work(worker: number): Promise<void> {
    try {
      // Orders that earlier rounds left open would exceed the limit of an account.
      if (worker < this.#clients.length) await this.#cancelAll(this.#clients[worker]!);
      for (let n = 0; ; n++) {
        if (n % 10 === 9) await this.#credit(`r${this.#round}-w${worker}-${n}`);
        else await this.#order(`r${this.#round}-w${worker}-${n}`, worker);
        if (n % 3 === 2) await this.#cancelOne(worker);
        if (n % 5 === 4) await this.#amendOne(worker);
      }
    } catch (error) {
      // The connection broke: that is the kill. Anything else is a finding.
      if (!(error instanceof TypeError) && !isConnectionError(error)) throw error;
    }
  }

  async #order(clOrdId: string, worker: number): Promise<void> {
    const random = this.#random;
    const side = random() < 0.5 ? 1 : 2;
    // One in eight is far enough across to trade.
    const offset = Math.floor(random() * 900) * (random() < 0.125 ? -1 : 1);
    const price = MIDDLE + (side === 1 ? -offset : offset);
    const terms = { symbol: 'BTC-USDT', side, orderQty: QUANTITY, price, clOrdId };
    const { path, request } = orderOf(terms, random);
    const client = this.#clients[worker % this.#clients.length]!;
    const quantities = [QUANTITY];
    const sent: Sent = {
      ...{ clOrdId, client, request, quantities },
      orderId: null,
      cancelAcknowledged: false,
    };
    this.#orders.push(sent);
    const { status, body } = await client.post(path, request);
    if (status !== 200) {
      // Its time or its price came first.
      const { code } = body as { code: string };
      if (!TOO_LATE.includes(code))
        throw new Error(`an order was refused: ${JSON.stringify(body)}`);
      this.#orders.splice(this.#orders.indexOf(sent), 1);
      return;
    }
    sent.orderId = (body as { orderId: number }).orderId;
  }

  async #cancelAll(client: SignedClient): Promise<void> {
    const { status, body } = await client.post('/spot-api/api/private/v1/order/masscancel', {});
    if (status !== 200) throw new Error(`a mass cancel was refused: ${JSON.stringify(body)}`);
  }

  /** An order of the worker's customer that may be open. */
  #openOne(worker: number): Sent | undefined {
    const own = this.#orders.filter(
      (sent) =>
        sent.client === this.#clients[worker % this.#clients.length] &&
        sent.orderId !== null &&
        !sent.cancelAcknowledged,
    );
    return own[Math.floor(this.#random() * own.length)];
  }

  async #amendOne(worker: number): Promise<void> {
    const sent = this.#openOne(worker);
    if (sent === undefined) return;
    const orderQty = QUANTITY * (this.#random() < 0.5 ? 1 : 2);
    const before = sent.quantities;
    const either = [...before, orderQty];
    sent.quantities = either;
    const { status } = await sent.client.post('/spot-api/api/private/v2/order/amend', {
      symbol: 'BTC-USDT',
      orderId: sent.orderId,
      orderQty,
    });
    // Another worker may amend the same order meanwhile.
    if (sent.quantities !== either) return;
    sent.quantities = status === 200 ? [orderQty] : before;
  }

  async #cancelOne(worker: number): Promise<void> {
    const sent = this.#openOne(worker);
    if (sent === undefined) return;
    const { status } = await sent.client.post('/spot-api/api/private/v1/order/cancel', {
      orderId: sent.orderId,
    });
    // 400: filled, or canceled by another worker a moment ago.
    if (status === 200) sent.cancelAcknowledged = true;
  }

  async #credit(reference: string): Promise<void> {
    const credit: Credit = {
      reference,
      uid: this.#access.demo.uid,
      amount: `0.${String(1 + Math.floor(this.#random() * 99_999_999)).padStart(8, '0')}`,
      transferId: null,
    };
    this.#credits.push(credit);
    credit.transferId = await this.#sendCredit(this.#operatorUrl, credit);
  }

  async #sendCredit(url: string, { reference, uid, amount }: Credit): Promise<number> {
    const operator = new OperatorClient(url, this.#access);
    const body = { uid, asset: 'USDC', amount, reference };
    const { transferId } = (await operator.post('ledger/credit', body)) as { transferId: number };
    return transferId;
  }

  async verify(url: string): Promise<LoadResult> {
    const result = { acknowledged: 0, unknown: 0, unknownDone: 0 };
    for (const sent of this.#orders) {
      const rows = await ordersNamed(sent, url);
      if (rows.length > 1) throw new Error(`${sent.clOrdId} is there ${rows.length} times`);
      const row = rows[0];
      if (sent.orderId === null) {
        result.unknown++;
        if (row === undefined) continue;
        result.unknownDone++;
      } else {
        result.acknowledged++;
        if (row === undefined) throw new Error(`acknowledged order ${sent.clOrdId} is lost`);
        if (row.orderId !== sent.orderId) throw new Error(`${sent.clOrdId} has another orderId`);
      }
      checkWhole(sent, row);
    }
    for (const credit of this.#credits) {
      if (credit.transferId === null) continue;
      result.acknowledged++;
      const again = await this.#sendCredit(url, credit);
      if (again !== credit.transferId) throw new Error(`credit ${credit.reference} is lost`);
    }
    await new OperatorClient(url, this.#access).checkSums();
    return result;
  }
}

interface OrderRow {
  readonly orderId: number;
  readonly orderQty: number;
  readonly price: number;
  readonly side: number;
  readonly ordStatus: number;
}

async function ordersNamed(sent: Sent, url: string): Promise<OrderRow[]> {
  const client = sent.client.at(url);
  const path = `/spot-api/api/private/v1/orders?type=SINGLE&clOrdId=${sent.clOrdId}`;
  const { status, body } = await client.get(path);
  if (status !== 200) throw new Error(`orders cannot be read: ${JSON.stringify(body)}`);
  return (body as { data: OrderRow[] }).data;
}

type PlainTerms = Readonly<Record<string, unknown>> & {
  readonly side: number;
  readonly price: number;
};

/** A limit order of v1, or an order of another type that has its side and quantity. */
function orderOf(
  terms: PlainTerms,
  random: () => number,
): { readonly path: string; readonly request: Record<string, unknown> } {
  const v2 = '/spot-api/api/private/v2/order';
  const limit = { ...terms, ordType: 2 };
  const { price, ...others } = terms;
  // Behind the market, where a stop waits.
  const stopPx = MIDDLE * 2 - price;
  const kind = Math.floor(random() * 10);
  if (kind === 0) return { path: v2, request: { ...limit, timeInForce: 3 } };
  if (kind === 1) {
    const expireTime = Date.now() + 200 + Math.floor(random() * 4_000);
    return { path: v2, request: { ...limit, timeInForce: 6, expireTime } };
  }
  if (kind === 2) return { path: v2, request: { ...limit, displayQty: QUANTITY / 2 } };
  if (kind === 3) return { path: v2, request: { ...others, ordType: 3, stopPx } };
  if (kind === 4) return { path: `${v2}/oco`, request: { ...terms, stopPx } };
  return { path: '/spot-api/api/private/v1/order', request: limit };
}

/** An order that is there is there as it was sent, and is canceled where that was acknowledged. */
function checkWhole(sent: Sent, row: OrderRow): void {
  for (const field of ['price', 'side'] as const) {
    const isSent = sent.request[field] !== undefined;
    if (isSent && row[field] !== sent.request[field]) {
      throw new Error(`${sent.clOrdId} has another ${field}`);
    }
  }
  if (!sent.quantities.includes(row.orderQty)) throw new Error(`${sent.clOrdId} has another size`);
  if (sent.cancelAcknowledged && row.ordStatus !== 4) {
    throw new Error(
      `the cancel of ${sent.clOrdId} was acknowledged, but its status is ${row.ordStatus}`,
    );
  }
}
