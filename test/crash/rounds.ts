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

export interface CrashReport {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Writes whose answer was cut off by the kill, and how many of them were carried out. */
  readonly unknown: number;
  readonly unknownDone: number;
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
/** Gateway threads of a server that has some. */
export const THREADS = 2;
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
      // Every other round has gateway threads.
      server = await ServerProcess.start(options.dataDir, {
        gateways: round % 2 === 0 ? 0 : THREADS,
      });
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
class Load {
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
    this.#clients = [access.demo, ...access.market].map((user) => new SignedClient(url, user));
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
    const price = 60_000 + (side === 1 ? -offset : offset);
    const request = { symbol: 'BTC-USDT', side, ordType: 2, orderQty: 0.0001, price, clOrdId };
    const client = this.#clients[worker % this.#clients.length]!;
    const sent: Sent = { clOrdId, client, request, orderId: null, cancelAcknowledged: false };
    this.#orders.push(sent);
    const { status, body } = await client.post('/spot-api/api/private/v1/order', request);
    if (status !== 200) throw new Error(`an order was refused: ${JSON.stringify(body)}`);
    sent.orderId = (body as { orderId: number }).orderId;
  }

  async #cancelAll(client: SignedClient): Promise<void> {
    const { status, body } = await client.post('/spot-api/api/private/v1/order/masscancel', {});
    if (status !== 200) throw new Error(`a mass cancel was refused: ${JSON.stringify(body)}`);
  }

  async #cancelOne(worker: number): Promise<void> {
    const own = this.#orders.filter(
      (sent) =>
        sent.client === this.#clients[worker % this.#clients.length] &&
        sent.orderId !== null &&
        !sent.cancelAcknowledged,
    );
    const sent = own[Math.floor(this.#random() * own.length)];
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

  async verify(
    url: string,
  ): Promise<Pick<CrashReport, 'acknowledged' | 'unknown' | 'unknownDone'>> {
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

/** An order that is there is there as it was sent, and is canceled where that was acknowledged. */
function checkWhole(sent: Sent, row: OrderRow): void {
  for (const field of ['orderQty', 'price', 'side'] as const) {
    if (row[field] !== sent.request[field]) throw new Error(`${sent.clOrdId} has another ${field}`);
  }
  if (sent.cancelAcknowledged && row.ordStatus !== 4) {
    throw new Error(
      `the cancel of ${sent.clOrdId} was acknowledged, but its status is ${row.ordStatus}`,
    );
  }
}
