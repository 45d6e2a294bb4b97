// Orders over the websocket: the checks of an HTTP call, its command, and its answer as a message.
// There is no promise for an order, and one message for a batch.
import type { JsonObject } from '../../../contract/json.ts';
import { Problem } from '../../../contract/problem.ts';
import {
  answerText,
  batchAnswer,
  bodyText,
  type OrderAnswer,
  type OrderMessage,
  type OrderOp,
  opOf,
  orderAnswer,
  readEntry,
  readOrderMessage,
  requireRecent,
} from '../../../contract/streams/orders.ts';
import { BATCH_OP, idOf, ORDER_OPS, type RequestId } from '../../../contract/streams/requests.ts';
import { TRADING_COMMANDS, type TradingCommand } from '../../../contract/trading/commands.ts';
import { namesSymbol, type TradingCaller } from '../../../contract/trading/orders.ts';
import type { State } from '../../../core/state.ts';
import type { EngineError, Receipt, Receiver } from '../../../engine/command-port.ts';
import { Module } from '../../../identity/live-key.ts';
import { requireFirstUse } from '../../../streams/admission.ts';
import type { Connection, Login } from '../../../streams/connection.ts';
import type { OrderDesk } from '../../../streams/order-desk.ts';
import { enter } from '../../door.ts';
import { requestDigest } from '../../http/call.ts';
import { problemOf } from '../../http/problem-of.ts';
import { problemReply, type Reply } from '../../http/reply.ts';
import { requireAvailable, shedCallsOf } from '../../limits/load.ts';
import type { Services } from '../../services.ts';
import { type AnswerTerms, answerTo, gathered } from './answers.ts';

type Make = (state: State, body: unknown, caller: TradingCaller) => TradingCommand;

export class OrderEntry implements OrderDesk {
  readonly #services: Services;
  readonly #lapsed: (login: Login, now: number) => string | null;
  /** Answers an entry with all others of its batch of commands, after the sequencer's work. */
  readonly answerSoon = gathered((entry: Entry) => this.#answer(entry));

  /** `lapsed` says why a login is no longer valid; null while it is. */
  constructor(services: Services, lapsed: (login: Login, now: number) => string | null) {
    this.#services = services;
    this.#lapsed = lapsed;
  }

  receive(connection: Connection, message: JsonObject): boolean {
    const op = message.op as OrderOp | typeof BATCH_OP;
    const id = idOf(message);
    const requestId = `ws-${connection.id}-${id ?? ''}`;
    const now = this.#services.engine.wall();
    let read: OrderMessage;
    let login: Login;
    try {
      requireAvailable(this.#services.availability());
      read = readOrderMessage(message);
      login = this.#requireLogin(connection, now);
      requireRecent(read, now);
    } catch (error) {
      const rejected = answerOf(problemReply(this.#problemOf(error, requestId)));
      this.#services.metrics.countOrder(rejected.status);
      connection.answer(orderAnswer(op, rejected, id), message);
      return false;
    }
    const answers = new Answers(connection, op, id, read.entries.length);
    let admitted = false;
    for (const [index, value] of read.entries.entries()) {
      const entry = new Entry(this, answers, index, requestId);
      try {
        const op = opOf(value, index);
        entry.op = op;
        this.#admit(op, login, now);
        admitted = true;
        this.#enqueue(entry, op, value as JsonObject, read, login);
      } catch (error) {
        entry.answer(this.#services, problemReply(this.#problemOf(error, requestId)));
      }
    }
    return admitted;
  }

  /** Throws Problem streamLoginNeeded, privilegeMissing, signatureInvalid, sessionInvalid. */
  #requireLogin({ login }: Connection, now: number): Login {
    if (login === null) throw new Problem('streamLoginNeeded');
    if (login.key?.revoked === true || this.#lapsed(login, now) !== null) {
      throw new Problem(login.key === null ? 'sessionInvalid' : 'signatureInvalid');
    }
    if (!login.allows(Module.tradingWrite)) {
      throw new Problem('privilegeMissing', {
        userMsg: `The API key lacks the privilege for this call: module ${Module.tradingWrite}.`,
        details: { field: 'moduleIds', rule: 'privilege', limit: Module.tradingWrite },
      });
    }
    requireFirstUse(login, 'send orders', 'op');
    return login;
  }

  /** Throws Problem overloaded, rateLimited. */
  #admit(op: OrderOp, login: Login, now: number): void {
    const { load, limits, identity } = this.#services;
    if (load.level > 0) load.admit(shedCallsOf(TRADING_COMMANDS[ORDER_OPS[op]].call));
    limits.privateCall(login, true);
    if (login.key !== null) identity.apiKeys.touch(login.key, now);
  }

  #enqueue(
    entry: Entry,
    op: OrderOp,
    value: JsonObject,
    read: OrderMessage,
    { uid, key, sessionId }: Login,
  ): void {
    const { engine } = this.#services;
    const { body, idempotencyKey } = readEntry(op, value, read);
    entry.bySymbol = namesSymbol(body);
    const { call, make } = TRADING_COMMANDS[ORDER_OPS[op]];
    const command = (make as Make)(engine.exchange.state, body, {
      uid,
      // A connection proves each message, and its login works once.
      signature: null,
      idempotency: null,
      strictClOrdId: key?.strictClOrdId ?? false,
    });
    entry.command =
      idempotencyKey === undefined
        ? command
        : {
            ...command,
            idempotency: {
              key: idempotencyKey,
              digest: requestDigest(call.keyedAs ?? call.path, '', bodyText(value, read)),
            },
          };
    enter(this.#services, entry.command, key ?? { sessionId: sessionId! }, entry);
  }

  #answer(entry: Entry): void {
    const services = this.#services;
    const fail = (error: unknown): void =>
      entry.answer(services, problemReply(this.#problemOf(error, entry.requestId)));
    const { end } = entry;
    if (end instanceof Error) {
      fail(end);
      return;
    }
    try {
      const reply = answerTo(services, entry.command!, end!, entry);
      if (reply instanceof Promise) reply.then((late) => entry.answer(services, late), fail);
      else entry.answer(services, reply);
    } catch (error) {
      fail(error);
    }
  }

  #problemOf(error: unknown, requestId: string): Problem {
    return problemOf(error, (err) =>
      this.#services.log.error({ requestId, err }, 'an order over a websocket failed'),
    );
  }
}

/** One order, amendment, OCO pair, cancel or mass cancel. */
class Entry implements Receiver, AnswerTerms {
  readonly #desk: OrderEntry;
  readonly #answers: Answers;
  readonly #index: number;
  readonly requestId: string;
  op: OrderOp | 'error' = 'error';
  command: TradingCommand | null = null;
  bySymbol = false;
  end: Receipt<TradingCommand> | EngineError | null = null;

  constructor(desk: OrderEntry, answers: Answers, index: number, requestId: string) {
    this.#desk = desk;
    this.#answers = answers;
    this.#index = index;
    this.requestId = requestId;
  }

  resolve(receipt: Receipt): void {
    this.end = receipt as Receipt<TradingCommand>;
    this.#answers.applied();
    this.#desk.answerSoon(this);
  }

  sequenced(): void {
    this.#answers.begun();
  }

  reject(error: EngineError): void {
    this.end = error;
    this.#desk.answerSoon(this);
  }

  answer({ metrics }: Services, reply: Reply<never>): void {
    metrics.countOrder(reply.status);
    this.#answers.add(this.#index, this.op, answerOf(reply));
  }
}

/** The answers to the entries of one message, which is answered when all are there. */
class Answers {
  readonly #connection: Connection;
  readonly #op: string;
  readonly #id: RequestId | undefined;
  readonly #texts: string[];
  #missing: number;

  constructor(connection: Connection, op: string, id: RequestId | undefined, count: number) {
    this.#connection = connection;
    this.#op = op;
    this.#id = id;
    this.#texts = new Array(count).fill('');
    this.#missing = count;
  }

  /** The changes of an entry follow the answer, which may wait for the other entries. */
  applied(): void {
    if (this.#op === BATCH_OP) this.begun();
  }

  /** The changes of a command follow its answer, which later commands complete. */
  begun(): void {
    this.#connection.outbox.hold(this);
  }

  add(index: number, op: string, answer: OrderAnswer): void {
    if (this.#op !== BATCH_OP) {
      this.#connection.answer(orderAnswer(this.#op, answer, this.#id), this);
      return;
    }
    this.#texts[index] = `${answerText(op, answer)}}`;
    if (--this.#missing === 0) {
      this.#connection.answer(batchAnswer(this.#texts, this.#id), this);
    }
  }
}

function answerOf({ status, body, seq, headers }: Reply): OrderAnswer {
  const retryAfter = headers?.['Retry-After'];
  return {
    status,
    seq,
    replayed: headers?.['Idempotency-Replayed'] === 'true',
    retryAfterMs: retryAfter === undefined ? null : Number(retryAfter) * 1000,
    body: body as string,
  };
}
