// An order that meets many icebergs. A server with small records (SLICED) matches it in as many
// slices, so that its end falls between two of them; afterwards the order is whole.

import { MASS_CANCEL } from '../support/node.ts';
import { until } from '../support/waiting.ts';
import type { Call, OrderRow } from './history.ts';
import { httpWorld, type Server, SignedClient } from './http.ts';
import { CREDIT, Sender, type Write } from './sender.ts';
import type { SandboxFile } from './server-process.ts';

/** Two batches of icebergs with 100 parts each, at three prices. */
const BATCHES = 2;
const BATCH = 50;
const PARTS = 100;
const PRICES = 3;
const SHOWN = 0.001;
/** More commands than a load sends in the meantime. */
const SLICES = 40;
const MIDDLE = 3_000;
/** The quantity of all icebergs together. */
const LARGE_QUANTITY = BATCHES * BATCH * PARTS * SHOWN;
/** Its price is above that of every iceberg. */
const LARGE_TERMS = {
  symbol: 'ETH-USDT',
  side: 1,
  price: MIDDLE + PRICES,
  orderQty: LARGE_QUANTITY,
} as const;

const V2 = '/spot-api/api/private/v2/order';

interface NamedRow extends OrderRow {
  readonly clOrdId: string;
}

const FILLED = 2;

export class LargeOrder {
  readonly clOrdId: string;
  readonly #maker: SignedClient;
  readonly #taker: SignedClient;
  /** null: no answer came. */
  #orderId: number | null = null;
  #isOver = false;

  constructor(url: string, { market, enterprise }: SandboxFile, name: string) {
    this.clOrdId = name;
    this.#maker = new SignedClient(url, enterprise.members[0]!);
    this.#taker = new SignedClient(url, market[1]!);
  }

  /** Credits a seller and places the icebergs; adds these calls to `calls`. */
  async rest(node: Server, access: SandboxFile, calls: Call[]): Promise<void> {
    const send = this.#seller(node, access, calls);
    const { uid } = access.enterprise.members[0]!;
    const reference = `${this.clOrdId}-credit`;
    const body = { uid, asset: 'ETH', amount: `${LARGE_QUANTITY}`, reference };
    await send({ kind: 'transferFunds', name: reference, path: CREDIT, body });
    for (let batch = 0; batch < BATCHES; batch++) {
      const orders = Array.from({ length: BATCH }, (_, i) => ({
        op: 'place',
        ...{ symbol: LARGE_TERMS.symbol, side: 2, ordType: 2, price: MIDDLE + (i % PRICES) },
        ...{ orderQty: SHOWN * PARTS, displayQty: SHOWN, clOrdId: this.#nameOf(batch, i) },
      }));
      const name = `${this.clOrdId}-${batch}`;
      await send({ kind: 'orderBatch', name, path: `${V2}s`, body: { orders } });
    }
  }

  /** Cancels the icebergs of an order that never came, which the next order would meet. */
  async clear(node: Server, access: SandboxFile, calls: Call[]): Promise<void> {
    const name = `${this.clOrdId}-clear`;
    const body = { symbol: LARGE_TERMS.symbol, clOrdId: name };
    await this.#seller(node, access, calls)({ kind: 'massCancel', name, path: MASS_CANCEL, body });
    const open = `type=OPEN&symbol=${LARGE_TERMS.symbol}&size=1`;
    await until(async () => (await rowsOf(this.#maker.at(node.url), open)).length === 0);
  }

  #seller(node: Server, { enterprise, operatorToken }: SandboxFile, calls: Call[]) {
    const world = httpWorld([node], operatorToken);
    const name = `${this.clOrdId}-seller`;
    const seller = new Sender(name, enterprise.members[0]!, world, calls);
    return async (write: Pick<Write<Server>, 'kind' | 'name' | 'path' | 'body'>) => {
      const { detail } = await seller.write({ ...write, isKeyed: true, to: () => node });
      if (detail !== '') throw new Error(`${write.name} was not carried out: ${detail}`);
    };
  }

  /** `leader`: resolves once many of its slices are in the journal, or it is over. */
  async begun({ url }: Server): Promise<void> {
    const seq = async (): Promise<number> => {
      const metrics = await (await fetch(`${url}/metrics`, { keepalive: false })).text();
      return Number(/^agio_journal_seq (\d+)$/m.exec(metrics)![1]);
    };
    const from = await seq();
    await until(async () => this.#isOver || (await seq()) > from + SLICES);
  }

  async send(sender: Sender<Server>, node: Server): Promise<void> {
    const write = { kind: 'placeOrder', name: this.clOrdId, path: V2, body: this.#body } as const;
    const call = await sender.write({ ...write, isKeyed: true, to: () => node });
    this.#isOver = true;
    this.#orderId = call.id;
  }

  /** Throws unless the order becomes whole, once; `isKnown`: the journal has it already. */
  async verify(url: string, isKnown: boolean): Promise<void> {
    const taker = this.#taker.at(url);
    // It goes on without its sender.
    if (isKnown) await this.requireWhole(url);
    const orderId = await this.#post(taker);
    if (this.#orderId !== null && orderId !== this.#orderId) {
      throw new Error(`${this.clOrdId} was answered as ${this.#orderId}, and is ${orderId}`);
    }
    if ((await this.requireWhole(url)) !== orderId) {
      throw new Error(`${this.clOrdId} is there twice`);
    }
  }

  /** Throws unless the order and all icebergs are filled soon, each once; returns its orderId. */
  async requireWhole(url: string): Promise<number> {
    const orderId = await this.#filled(this.#taker.at(url));
    await this.#icebergsFilled(url);
    return orderId;
  }

  /** Its orderId, once the order and no other of its name is filled. */
  async #filled(client: SignedClient): Promise<number> {
    let row: OrderRow | undefined;
    await until(async () => {
      const rows = await rowsOf(client, `type=SINGLE&clOrdId=${this.clOrdId}`);
      if (rows.length > 1) throw new Error(`${this.clOrdId} is there ${rows.length} times`);
      row = rows[0];
      return row?.ordStatus === FILLED && row.cumQty === LARGE_QUANTITY;
    });
    return row!.orderId;
  }

  async #icebergsFilled(url: string): Promise<void> {
    const count = BATCHES * BATCH;
    const newest = `type=COMPLETED&symbol=${LARGE_TERMS.symbol}&size=${count + 1}`;
    const rows = await rowsOf(this.#maker.at(url), newest);
    const own = rows.filter(({ clOrdId }) => clOrdId.startsWith(`${this.clOrdId}-`));
    const filled = own.filter(({ ordStatus }) => ordStatus === FILLED);
    const names = new Set(filled.map(({ clOrdId }) => clOrdId));
    if (own.length === count && names.size === count) return;
    throw new Error(`of ${own.length} icebergs ${names.size} are filled, not ${count}`);
  }

  async #post(client: SignedClient): Promise<number> {
    const { status, text } = await client.post(V2, this.#body, this.clOrdId);
    if (status !== 200) throw new Error(`${this.clOrdId} was rejected: ${text}`);
    return (JSON.parse(text) as OrderRow).orderId;
  }

  get #body() {
    return { ...LARGE_TERMS, ordType: 2, clOrdId: this.clOrdId };
  }

  #nameOf(batch: number, i: number): string {
    return `${this.clOrdId}-${batch}-${i}`;
  }
}

async function rowsOf(client: SignedClient, query: string): Promise<NamedRow[]> {
  const { status, text } = await client.get(`/spot-api/api/private/v1/orders?${query}`);
  if (status !== 200) throw new Error(`orders cannot be read: ${text}`);
  return (JSON.parse(text) as { data: NamedRow[] }).data;
}
