// Every write that takes an Idempotency-Key, repeated after everything around it has changed, and
// after a restart: the same bytes. The list of the writes is that of the contract.
import { expect, test } from 'bun:test';
import { allCalls } from '../../src/contract/calls.ts';
import { amount } from '../../src/core/units.ts';
import { assign, createPlan, EARN, fixedPlan, subscribe } from '../support/earn.ts';
import {
  type Answer,
  CANCEL,
  type Client,
  MASS_CANCEL,
  signedHeaders,
  TestNode,
} from '../support/node.ts';
import { pairTerms } from '../support/pair-terms.ts';
import { expectOk } from '../support/shape.ts';

const BID = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '10', orderQty: '1' } as const;
/** An order, a name and a pair that exist only after the first answer. */
const LATER = { orderId: 1000, clOrdId: 'later', symbol: 'MMX-BTC', securityId: 9 };

/** A write: its client, its query and its body. */
interface Write {
  readonly client: Client;
  readonly query?: string;
  readonly body: object;
}

class Stage {
  readonly node: TestNode;
  readonly trader: Client;
  readonly saver: Client;
  readonly admin: Client;
  flexible = '';
  fixed = '';

  private constructor(node: TestNode, clients: readonly [Client, Client, Client]) {
    this.node = node;
    [this.trader, this.saver, this.admin] = clients;
  }

  static async build(node: TestNode): Promise<Stage> {
    const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Savers' });
    const owns = { USDT: '100000' };
    const clients = [
      await node.client(),
      await node.client(owns, { moduleIds: EARN }),
      await node.client(owns, { moduleIds: EARN }),
    ] as const;
    await assign(node, clients[2].uid, enterpriseId, true);
    const stage = new Stage(node, clients);
    stage.flexible = await createPlan(node, { redeemLockHours: 0 });
    stage.fixed = await fixedPlan(node);
    return stage;
  }

  /** The writes by the names of their calls. Each is made here, before its first answer. */
  readonly writes: Readonly<Record<string, () => Promise<Write>>> = {
    createOrder: async () => ({ client: this.trader, body: BID }),
    createOrderV2: async () => ({ client: this.trader, body: { ...BID, ordType: 2 } }),
    amendOrder: async () => {
      const orderId = await this.trader.limit(1, '11', '1');
      return { client: this.trader, body: { orderId, price: '12' } };
    },
    createOco: async () => {
      const prices = { price: '200', stopPx: '5', stopLimitPx: '5' };
      return {
        client: this.trader,
        body: { symbol: 'BTC-USDT', side: 2, orderQty: '1', ...prices },
      };
    },
    createOrders: async () => ({ client: this.trader, body: { orders: await this.#entries() } }),
    cancelOrder: async () => {
      const orderId = await this.trader.limit(1, '11', '1');
      return { client: this.trader, body: { orderId } };
    },
    massCancel: async () => ({ client: this.trader, body: { symbol: 'BTC-USDT' } }),
    cancelAllAfter: async () => ({ client: this.trader, body: { timeout: 3_600_000 } }),
    applyPlan: async () => ({
      client: this.saver,
      body: { planId: this.flexible, amount: '100' },
    }),
    redeem: async () => {
      const applyId = await subscribe(this.saver, this.flexible, '100');
      return { client: this.saver, body: { applyId, amount: '100' } };
    },
    setAutoRenew: async () => {
      const applyId = await subscribe(this.saver, this.fixed, '100', { lockDay: 30 });
      return { client: this.saver, body: { applyId, autoRenew: true } };
    },
    setMargin: async () => ({
      client: this.admin,
      query: `planId=${this.flexible}&margin=0.001`,
      body: {},
    }),
  };

  /** Entries that are accepted, and rejections that depend on what is there. */
  async #entries(): Promise<object[]> {
    const { trader } = this;
    const closed = await trader.limit(1, '11', '1', { clOrdId: 'closed' });
    expectOk(await trader.post(CANCEL, { orderId: closed }));
    const { orderId, clOrdId, symbol, securityId } = LATER;
    const place = { ...BID, op: 'place' };
    return [
      { ...place, clOrdId: 'mine' },
      { op: 'cancel', orderId },
      { op: 'cancel', origClOrdId: clOrdId },
      { op: 'cancel', orderId: closed },
      { op: 'cancel', origClOrdId: 'closed' },
      { op: 'amend', symbol: 'BTC-USDT', orderId, price: '12' },
      { op: 'amend', symbol, origClOrdId: clOrdId, price: '12' },
      { ...place, symbol },
      { ...place, symbol: undefined, securityId },
      { ...place, symbol, price: '10.00001', orderQty: '0' },
      { ...place, symbol, securityId: 1 },
      { ...place, price: '10.00001' },
      { ...place, orderQty: '1000000' },
      { ...place, orderQty: '0.00001' },
      { op: 'cancel', origClOrdId: 'mine' },
    ];
  }

  /** Lists, places, closes, credits, suspends a plan: whatever an answer could look at. */
  async change(): Promise<void> {
    const { node, trader } = this;
    const { orderId, clOrdId, symbol, securityId } = LATER;
    const grid = {
      tick: '0.001',
      lot: '0.00001',
      minQuantity: '0.00001',
      minNotional: '0.001',
    };
    while (node.state.instruments.length <= securityId) {
      const isLast = node.state.instruments.length === securityId;
      const asset = `X${node.state.instruments.length}`;
      if (!isLast) await node.must({ type: 'createAsset', asset, scale: 8, fiat: false });
      await node.must(pairTerms(isLast ? symbol : `${asset}-USDT`, grid));
    }
    await node.credit(trader.uid, 'USDT', '1000000000');
    await node.amend('BTC-USDT', { minNotional: amount(1) });
    while (node.state.next.orderId <= orderId) await node.placeBids(trader.uid, 20);
    await trader.limit(1, '11', '1', { clOrdId });
    await trader.limit(1, '11', '1', { clOrdId: 'mine' });
    expectOk(await trader.post(MASS_CANCEL, {}));
  }
}

async function send(
  { client, query = '', body }: Write,
  path: string,
  key: string,
  node: TestNode,
) {
  const text = JSON.stringify(body);
  const terms = { method: 'POST', path, query, body: text, timestamp: client.timestamp() };
  const headers = { ...signedHeaders(client.credentials, terms), 'Idempotency-Key': key };
  return node.post(query === '' ? path : `${path}?${query}`, text, headers);
}

const shown = ({ status, text }: Answer) => ({ status, text });

test('each call that takes an Idempotency-Key repeats its first answer byte for byte', async () => {
  await using node = await TestNode.start();
  const stage = await Stage.build(node);
  const keyed = allCalls.filter(({ repeat }) => repeat === 'keyed');
  expect(Object.keys(stage.writes).sort()).toEqual(keyed.map(({ name }) => name).sort());
  const firsts: { name: string; path: string; write: Write; answer: Answer }[] = [];
  for (const { name, path } of keyed) {
    const write = await stage.writes[name]!();
    const answer = await send(write, path, name, node);
    expect([name, answer.text, answer.status]).toEqual([name, expect.anything(), 200]);
    firsts.push({ name, path, write, answer });
  }
  const repeat = async () => {
    for (const { name, path, write, answer } of firsts) {
      const again = await send(write, path, name, node);
      expect([name, again.headers.get('idempotency-replayed')]).toEqual([name, 'true']);
      expect({ name, ...shown(again) }).toEqual({ name, ...shown(answer) });
    }
  };
  await repeat();
  await stage.change();
  await repeat();
  await node.restart();
  await repeat();
});
