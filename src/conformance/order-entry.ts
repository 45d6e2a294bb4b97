// Checks of orders over the websocket: answers and rejections are those of the calls, old messages
// do nothing, a batch has an answer for each entry.
import { faultsOf } from '../contract/answer-faults.ts';
import { CODES } from '../contract/codes.ts';
import { orderCalls } from '../contract/trading/calls.ts';
import { type Check, section } from './check.ts';
import { expect, expectSame } from './expect.ts';
import type { Kit } from './kit.ts';
import { type Message, ORDERS, Socket } from './socket.ts';
import type { Fields } from './wire.ts';

const entry = section('agio', 'Websockets: order entry');

interface Answer extends Message {
  readonly status: unknown;
  readonly seq?: unknown;
  readonly data?: Fields;
  readonly error?: Fields;
}

/** Opens the websocket, and logs in. */
async function trading(kit: Kit, work: (socket: Socket) => Promise<void>): Promise<void> {
  using socket = await Socket.open(kit, ORDERS);
  await socket.logIn(kit, ORDERS);
  await work(socket);
}

/** Sends a message and returns its answer. Notes the orders that it entered. */
async function ask(kit: Kit, socket: Socket, op: string, fields: Fields): Promise<Answer> {
  const timestamp = Number(kit.wire.timestamp());
  socket.send({ op, id: op, timestamp, ...fields });
  const answer = (await socket.reply(op)) as Answer;
  if (op === 'order.place') kit.noteEntered(answer.data?.orderId);
  expectSame('id', answer.id, op);
  return answer;
}

const expectStatus = ({ status, ...rest }: Answer, wanted: number): void =>
  expect(Number(status) === wanted, `status ${wanted}`, { status, ...rest });

export const orderEntryChecks: readonly Check[] = [
  entry('STR-11', 'An order and its cancel have the answers of the calls, and a seq.', (kit) =>
    trading(kit, async (socket) => {
      const placed = await ask(kit, socket, 'order.place', await kit.bid());
      expectStatus(placed, 200);
      const [fault] = faultsOf(orderCalls.createOrder.answer, placed.data, 'sdk');
      expect(fault === undefined, 'the answer as it is described', fault);
      expect(Number(placed.seq) > 0, 'a seq', placed);
      const orderId = placed.data?.orderId;
      expectSame('the order', (await kit.row(Number(orderId))).ordStatus, 0);
      const canceled = await ask(kit, socket, 'order.cancel', { orderId });
      expectStatus(canceled, 200);
      expect(Number(canceled.seq) > Number(placed.seq), 'a later seq', canceled);
      expectSame('the order', (await kit.row(Number(orderId))).ordStatus, 4);
    }),
  ),
  entry('STR-12', 'A rejected order has the rejection of the call.', (kit) =>
    trading(kit, async (socket) => {
      for (const more of [{ price: 'many' }, { symbol: 'NO-SUCH' }, { unknown: 1 }]) {
        const fields = await kit.bid(more);
        const http = await kit.wire.send(orderCalls.testOrderV2, fields);
        const answer = await ask(kit, socket, 'order.place', fields);
        expectStatus(answer, http.status);
        expectSame('the rejection', answer.error, http.json);
      }
    }),
  ),
  entry('STR-13', 'A message outside of its window is rejected and does nothing.', (kit) =>
    trading(kit, async (socket) => {
      const orderId = await kit.rest();
      const old = { timestamp: Number(kit.wire.timestamp()) - 10_000 };
      const answer = await ask(kit, socket, 'order.cancelAll', old);
      expectStatus(answer, CODES.timestampOutside.http);
      expectSame('code', answer.error?.code, String(CODES.timestampOutside.code));
      expectSame('the order', (await kit.row(orderId)).ordStatus, 0);
    }),
  ),
  entry('STR-14', 'A batch has the answer of the call.', (kit) =>
    trading(kit, async (socket) => {
      const bid = await kit.bid();
      const orders = [
        { op: 'place', ...bid },
        { op: 'place', ...bid, price: 'many' },
        { op: 'cancel', orderId: 1, account: 2 },
      ];
      const answer = await ask(kit, socket, 'order.batch', { orders });
      expectStatus(answer, 200);
      expectSame('faults', faultsOf(orderCalls.createOrders.answer, answer.data), []);
      const [placed, ...rejected] = answer.data!.orders as readonly Fields[];
      kit.noteEntered(placed?.orderId);
      const codes = rejected.map(({ code }) => code);
      expectSame('the codes of the rejected entries', codes, ['100200', '100210']);
      const empty = { orders: [] };
      const http = await kit.wire.send(orderCalls.createOrders, empty);
      expectSame('the rejection', (await ask(kit, socket, 'order.batch', empty)).error, http.json);
    }),
  ),
  entry('STR-15', 'An idempotencyKey repeats the first answer of an order.', (kit) =>
    trading(kit, async (socket) => {
      const keyed = { ...(await kit.bid()), idempotencyKey: `kit-${kit.wire.timestamp()}` };
      const first = await ask(kit, socket, 'order.place', keyed);
      const again = await ask(kit, socket, 'order.place', keyed);
      expectStatus(again, 200);
      expectSame('replayed', again.replayed, true);
      expectSame('the answer', again.data, first.data);
    }),
  ),
];
