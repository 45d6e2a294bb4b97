// The way of a trading command, wherever it came from: a request of HTTP, or a message of a
// websocket. A batch has the answer of its own call for each entry, or its rejection.

import { type JsonOut, JsonText } from '../../../contract/json.ts';
import {
  type SingleCommand,
  TRADING_COMMANDS,
  type TradingCommand,
} from '../../../contract/trading/commands.ts';
import { asListedBefore, FaultyEntry } from '../../../contract/trading/order-batch.ts';
import { asNamed, namesSymbol, type TradingCaller } from '../../../contract/trading/orders.ts';
import type { OrderBatch } from '../../../core/command.ts';
import type { AnyResult } from '../../../core/outcome.ts';
import type { State } from '../../../core/state.ts';
import { hasNewOrder, writesOf } from '../../../engine/backlog.ts';
import type { Access, Receipt, Receiver } from '../../../engine/command-port.ts';
import type { LiveKey } from '../../../identity/live-key.ts';
import { enter } from '../../door.ts';
import { problemReply, type Reply, replyTo } from '../../http/reply.ts';
import type { Services } from '../../services.ts';
import { closedOrderProblem, namesNoOpenOrder } from './closed-orders.ts';

/** A call as its command needs it. */
export interface OrderRequest extends Omit<TradingCaller, 'strictClOrdId'> {
  readonly key: LiveKey | null;
  readonly access: Access;
  readonly body: unknown;
}

/** Throws Problem. */
export type Make = (state: State, body: unknown, caller: TradingCaller) => TradingCommand;

export const callerOf = (request: OrderRequest): TradingCaller => ({
  uid: request.uid,
  signature: request.signature,
  idempotency: request.idempotency,
  strictClOrdId: request.key?.strictClOrdId ?? false,
});

/** The facts of a request that its answer needs, beside the command. */
interface AnswerTerms {
  readonly requestId: string;
  /** It named its instruments by symbols, so a rejection of one names that field. */
  readonly bySymbol: boolean;
  /** The command again, as this state reads the request. */
  reread(state: State): TradingCommand;
}

/** A promise only where the views have to be asked. */
type Answer = Reply<never> | Promise<Reply<never>>;

/** Answers those that are done together, after the sequencer's work. */
let done: PendingAnswer[] = [];
function answerSoon(one: PendingAnswer): void {
  if (done.push(one) > 1) return;
  queueMicrotask(() => {
    const all = done;
    done = [];
    for (const each of all) each.answer();
  });
}

/** A trading command on its way to its answer. */
export abstract class PendingAnswer implements Receiver, AnswerTerms {
  protected readonly services: Services;
  readonly requestId: string;
  bySymbol = false;
  #command: TradingCommand | null = null;
  #make: Make | null = null;
  #request: OrderRequest | null = null;
  #end: Receipt<TradingCommand> | Error | null = null;

  constructor(services: Services, requestId: string) {
    this.services = services;
    this.requestId = requestId;
  }

  protected abstract reply(reply: Reply<never>): void;
  /** Answers an error; an EngineError if the command was not executed. */
  protected abstract fail(error: unknown): void;
  /** Changes of the command may come before its answer. */
  sequenced(): void {}

  /**
   * Enters the command of a request, which has passed the limits as one write: a batch counts as
   * more, and is shed by its entries. Throws Problem: of `make`, overloaded, rateLimited.
   */
  enter(make: Make, request: OrderRequest): void {
    const { engine, limits, load } = this.services;
    const command = make(engine.exchange.state, request.body, callerOf(request));
    if (load.level > 0 && hasNewOrder(command)) load.admit('order');
    const more = writesOf(command) - 1;
    if (more > 0) limits.privateCall(request, true, more);
    this.bySymbol = namesSymbol(request.body);
    this.#command = command;
    this.#make = make;
    this.#request = request;
    enter(this.services, command, request.access, this);
  }

  reread(state: State): TradingCommand {
    const request = this.#request!;
    return this.#make!(state, request.body, callerOf(request));
  }

  resolve(receipt: Receipt): void {
    this.#end = receipt as Receipt<TradingCommand>;
    answerSoon(this);
  }

  reject(error: Error): void {
    this.#end = error;
    answerSoon(this);
  }

  answer(): void {
    const end = this.#end!;
    if (end instanceof Error) {
      this.fail(end);
      return;
    }
    try {
      const reply = answerTo(this.services, this.#command!, end, this);
      if (!(reply instanceof Promise)) {
        this.reply(reply);
        return;
      }
      if (end.outcome.ok) this.sequenced();
      reply.then(
        (late) => this.reply(late),
        (error) => this.fail(error),
      );
    } catch (error) {
      this.fail(error);
    }
  }
}

const answerTo = (
  services: Services,
  command: TradingCommand,
  receipt: Receipt<TradingCommand>,
  terms: AnswerTerms,
): Answer =>
  command.type === 'orderBatch'
    ? answerBatch(services, command, receipt as Receipt<OrderBatch>, terms)
    : answerOne(services, command, receipt as Receipt<SingleCommand>, terms);

type Write = (state: State, command: SingleCommand, result: AnyResult) => JsonOut;

function answerOne(
  services: Services,
  command: SingleCommand,
  receipt: Receipt<SingleCommand>,
  terms: AnswerTerms,
  nextOrderId?: number,
): Answer {
  const write = TRADING_COMMANDS[command.type].write as Write;
  const { state } = services.engine.exchange;
  const reply = replyTo(services, named(receipt, terms), (result) =>
    write(state, command, result),
  ) as Reply<never>;
  const { outcome, seq } = receipt;
  if (!namesNoOpenOrder(command, outcome)) return reply;
  return closedOrderProblem(services, terms.requestId, command.uid, command, seq, nextOrderId).then(
    (problem) => {
      if (problem === null) return reply;
      const { status, body, headers } = problemReply(problem);
      return { ...reply, status, body, headers: { ...reply.headers, ...headers } };
    },
  );
}

/** The receipt, where a rejection of the instrument names the field that the caller used. */
function named(receipt: Receipt<SingleCommand>, { bySymbol }: AnswerTerms): Receipt<SingleCommand> {
  const { outcome } = receipt;
  if (outcome.ok) return receipt;
  return { ...receipt, outcome: { ...outcome, reject: asNamed(outcome.reject, bySymbol) } };
}

/** The same bytes for a repeated batch, whatever has been listed, placed or closed since. */
function answerBatch(
  services: Services,
  command: OrderBatch,
  receipt: Receipt<OrderBatch>,
  terms: AnswerTerms,
): Answer {
  const { outcome } = receipt;
  const replyWith = (answers: readonly Reply<never>[]): Reply<never> => {
    const orders = answers.map(({ body }) => new JsonText(body as string));
    return replyTo(services, receipt, () => ({ orders }) as never);
  };
  if (!outcome.ok) return replyWith([]);
  const { outcomes, nextOrderId, nextSecurityId } = outcome.result;
  const { state } = services.engine.exchange;
  const { uid, entries } = outcome.replayed
    ? (terms.reread(asListedBefore(state, nextSecurityId)) as OrderBatch)
    : command;
  const answers = outcomes.map((one, place) => {
    const entry = entries[place]!;
    if (entry instanceof FaultyEntry && !one.ok) return problemReply(entry.faultAfter(command));
    const single = { ...entry, uid, signature: null, idempotency: null };
    return answerOne(services, single, { ...receipt, outcome: one }, terms, nextOrderId);
  });
  return answers.some((answer) => answer instanceof Promise)
    ? Promise.all(answers).then(replyWith)
    : replyWith(answers as Reply<never>[]);
}
