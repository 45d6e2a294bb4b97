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
import type { Receipt } from '../../../engine/command-port.ts';
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
import { type AnswerTerms, answerSoon, answerTo } from './answers.ts';

type Make = (state: State, body: unknown, caller: TradingCaller) => TradingCommand;

export class OrderEntry implements OrderDesk {
  readonly #services: Services;
  readonly #lapsed: (login: Login, now: number) => string | null;

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
      let known: OrderOp | 'error' = 'error';
      const answer = (reply: Reply<never>): void => {
        this.#services.metrics.countOrder(reply.status);
        answers.add(index, known, answerOf(reply));
      };
      const fail = (error: unknown) => answer(problemReply(this.#problemOf(error, requestId)));
      try {
        const op = opOf(value, index);
        known = op;
        this.#admit(op, login, now);
        admitted = true;
        const { command, bySymbol } = this.#commandOf(op, value as JsonObject, read, login);
        const terms = { requestId, bySymbol };
        enter(this.#services, command, login.key ?? { sessionId: login.sessionId! }, {
          resolve: (receipt) => {
            answers.applied();
            answerSoon(() => this.#answer(command, receipt, terms, answer, fail));
          },
          sequenced: () => answers.begun(),
          reject: (error) => answerSoon(() => fail(error)),
        });
      } catch (error) {
        fail(error);
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

  #commandOf(op: OrderOp, value: JsonObject, read: OrderMessage, { uid, key }: Login) {
    const { engine } = this.#services;
    const { body, idempotencyKey } = readEntry(op, value, read);
    const bySymbol = namesSymbol(body);
    const { call, make } = TRADING_COMMANDS[ORDER_OPS[op]];
    const command = (make as Make)(engine.exchange.state, body, {
      uid,
      // A connection proves each message, and its login works once.
      signature: null,
      idempotency: null,
      strictClOrdId: key?.strictClOrdId ?? false,
    });
    if (idempotencyKey === undefined) return { command, bySymbol };
    const digest = requestDigest(call.keyedAs ?? call.path, '', bodyText(value, read));
    return { command: { ...command, idempotency: { key: idempotencyKey, digest } }, bySymbol };
  }

  #answer(
    command: TradingCommand,
    receipt: Receipt,
    terms: AnswerTerms,
    answer: (reply: Reply<never>) => void,
    fail: (error: unknown) => void,
  ): void {
    try {
      const reply = answerTo(this.#services, command, receipt as Receipt<TradingCommand>, terms);
      if (reply instanceof Promise) reply.then(answer, fail);
      else answer(reply);
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
