// Orders over the websocket: the checks of an HTTP call, its command, and its answer as a message.
// There is no promise for an order.
import type { ApiCall } from '../../../contract/call.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { Problem } from '../../../contract/problem.ts';
import {
  bodyText,
  orderAnswer,
  orderFrame,
  requireRecent,
} from '../../../contract/streams/orders.ts';
import {
  idOf,
  ORDER_OPS,
  type OrderOp,
  type RequestId,
} from '../../../contract/streams/requests.ts';
import { TRADING_COMMANDS } from '../../../contract/trading/commands.ts';
import type { IdempotencyTag } from '../../../core/command.ts';
import { Module } from '../../../identity/live-key.ts';
import type { Connection, Login } from '../../../streams/connection.ts';
import type { OrderDesk } from '../../../streams/order-desk.ts';
import { requestDigest } from '../../http/call.ts';
import { problemOf } from '../../http/problem-of.ts';
import { problemReply, type Reply } from '../../http/reply.ts';
import { requireAvailable, shedCallsOf } from '../../limits/load.ts';
import type { Services } from '../../services.ts';
import { type Make, PendingAnswer } from './answers.ts';

/** The rejections by the limits of orders. */
const LIMITED: ReadonlySet<string> = new Set(['rateLimited', 'overloaded']);

export class OrderEntry implements OrderDesk {
  readonly #services: Services;
  readonly #lapsed: (login: Login, now: number) => string | null;

  /** `lapsed` says why a login is no longer valid; null while it is. */
  constructor(services: Services, lapsed: (login: Login, now: number) => string | null) {
    this.#services = services;
    this.#lapsed = lapsed;
  }

  receive(connection: Connection, message: JsonObject): boolean {
    const { engine, availability } = this.#services;
    const op = message.op as OrderOp;
    const { call, make } = TRADING_COMMANDS[ORDER_OPS[op]];
    const answer = new StreamAnswer(this.#services, connection, op, idOf(message));
    const now = engine.wall();
    let admitted = false;
    try {
      requireAvailable(availability());
      const frame = orderFrame.readWithEnvelope(message, null);
      const login = this.#requireLogin(connection, now);
      requireRecent(frame, now);
      this.#admit(call, login, now);
      admitted = true;
      const body = call.body!.readWithEnvelope(message, orderFrame);
      const { uid, key, sessionId } = login;
      answer.enter(make as Make, {
        uid,
        key,
        access: key ?? { sessionId: sessionId! },
        // A connection proves each message, and its login works once.
        signature: null,
        idempotency: idempotencyTag(call, frame.idempotencyKey, message),
        body,
      });
    } catch (error) {
      const { kind } = answer.fail(error);
      // A batch has passed as one write, and its entries are more.
      return admitted && !LIMITED.has(kind);
    }
    return true;
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
    return login;
  }

  /** Throws Problem overloaded, rateLimited. */
  #admit(call: ApiCall, login: Login, now: number): void {
    const { load, limits, identity } = this.#services;
    if (load.level > 0) load.admit(shedCallsOf(call));
    limits.privateCall(login, true);
    if (login.key !== null) identity.apiKeys.touch(login.key, now);
  }
}

function idempotencyTag(
  { path, keyedAs = path }: ApiCall,
  key: string | undefined,
  message: JsonObject,
): IdempotencyTag | null {
  if (key === undefined) return null;
  return { key, digest: requestDigest(keyedAs, '', bodyText(message)) };
}

class StreamAnswer extends PendingAnswer {
  readonly #connection: Connection;
  readonly #op: OrderOp;
  readonly #id: RequestId | undefined;

  constructor(services: Services, connection: Connection, op: OrderOp, id: RequestId | undefined) {
    super(services, `ws-${connection.id}-${id ?? ''}`);
    this.#connection = connection;
    this.#op = op;
    this.#id = id;
  }

  /** The changes of the command follow its answer. */
  override sequenced(): void {
    this.#connection.outbox.hold(this);
  }

  protected reply({ status, body, seq, headers }: Reply): void {
    this.services.metrics.countOrder(status);
    const retryAfter = headers?.['Retry-After'];
    const answer = {
      status,
      seq,
      replayed: headers?.['Idempotency-Replayed'] === 'true',
      retryAfterMs: retryAfter === undefined ? null : Number(retryAfter) * 1000,
      body: body as string,
    };
    this.#connection.answer(orderAnswer(this.#op, answer, this.#id), this);
  }

  /** Returns the rejection that it has answered. */
  fail(error: unknown): Problem {
    const { log } = this.services;
    const problem = problemOf(error, (err) =>
      log.error({ requestId: this.requestId, err }, 'an order over a websocket failed'),
    );
    this.reply(problemReply(problem));
    return problem;
  }
}
