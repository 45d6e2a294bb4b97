// The answer to a trading command, wherever it came from: a request of HTTP, or a message of a
// websocket. A batch has the answer of its own call for each entry, or its rejection.

import { type JsonOut, JsonText } from '../../../contract/json.ts';
import type { Problem } from '../../../contract/problem.ts';
import {
  type SingleCommand,
  TRADING_COMMANDS,
  type TradingCommand,
} from '../../../contract/trading/commands.ts';
import { asNamed } from '../../../contract/trading/orders.ts';
import type { OrderBatch } from '../../../core/command.ts';
import type { AnyResult } from '../../../core/outcome.ts';
import type { State } from '../../../core/state.ts';
import type { Access, Receipt, Receiver } from '../../../engine/command-port.ts';
import { enter } from '../../door.ts';
import { problemReply, type Reply, replyTo } from '../../http/reply.ts';
import type { Services } from '../../services.ts';
import { closedOrderProblem, namesNoOpenOrder } from './closed-orders.ts';

/** The facts of a request that its answer needs, beside the command. */
export interface AnswerTerms {
  readonly requestId: string;
  /** It named its instruments by symbols, so a rejection of one names that field. */
  readonly bySymbol: boolean;
  /** By place: why an entry could not be read. */
  readonly faults?: ReadonlyMap<number, Problem>;
}

/** A promise only where the views have to be asked. */
type Answer = Reply<never> | Promise<Reply<never>>;

/** Enters a command and answers it. Rejects with an EngineError where it was not executed. */
export function execute(
  services: Services,
  command: TradingCommand,
  access: Access,
  terms: AnswerTerms,
): Promise<Reply<never>> {
  return new Promise((resolve, reject) => {
    const answer = (receipt: Receipt<TradingCommand>) =>
      answerTo(services, command, receipt, terms);
    enter(services, command, access, new PendingReply(answer, resolve, reject));
  });
}

/** An order over HTTP. One promise for its request: each further one costs another turn. */
class PendingReply implements Receiver {
  readonly #answer: (receipt: Receipt<TradingCommand>) => Answer;
  readonly #resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  #receipt: Receipt<TradingCommand> | null = null;

  constructor(
    answer: (receipt: Receipt<TradingCommand>) => Answer,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#answer = answer;
    this.#resolve = resolve;
    this.reject = reject;
  }

  resolve(receipt: Receipt): void {
    this.#receipt = receipt as Receipt<TradingCommand>;
    replySoon(this);
  }

  reply(): void {
    try {
      this.#resolve(this.#answer(this.#receipt!));
    } catch (error) {
      this.reject(error);
    }
  }
}

/** Returns a function that gathers what is done, for `answer` after the sequencer's work. */
export function gathered<T>(answer: (one: T) => void): (one: T) => void {
  let done: T[] = [];
  return (one) => {
    if (done.push(one) > 1) return;
    queueMicrotask(() => {
      const all = done;
      done = [];
      for (const each of all) answer(each);
    });
  };
}

const replySoon = gathered((pending: PendingReply) => pending.reply());

export const answerTo = (
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
): Answer {
  const write = TRADING_COMMANDS[command.type].write as Write;
  const { state } = services.engine.exchange;
  const reply = replyTo(services, named(receipt, terms), (result) =>
    write(state, command, result),
  ) as Reply<never>;
  const { outcome, seq } = receipt;
  if (!namesNoOpenOrder(command, outcome)) return reply;
  return closedOrderProblem(services, terms.requestId, command.uid, command, seq).then(
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

function answerBatch(
  services: Services,
  { uid, entries }: OrderBatch,
  receipt: Receipt<OrderBatch>,
  terms: AnswerTerms,
): Answer {
  const { outcome } = receipt;
  const replyWith = (answers: readonly Reply<never>[]): Reply<never> => {
    const orders = answers.map(({ body }) => new JsonText(body as string));
    return replyTo(services, receipt, () => ({ orders }) as never);
  };
  if (!outcome.ok) return replyWith([]);
  const answers = outcome.result.outcomes.map((one, place) => {
    const fault = terms.faults?.get(place);
    if (fault !== undefined && !one.ok) return problemReply(fault);
    const command = { ...entries[place]!, uid, signature: null, idempotency: null };
    return answerOne(services, command, { ...receipt, outcome: one }, terms);
  });
  return answers.some((answer) => answer instanceof Promise)
    ? Promise.all(answers).then(replyWith)
    : replyWith(answers as Reply<never>[]);
}
