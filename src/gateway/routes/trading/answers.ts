// The answer to a trading command, wherever it came from: a request of HTTP, or a message of a
// websocket.

import type { JsonOut } from '../../../contract/json.ts';
import type { TradingCommand } from '../../../contract/trading/commands.ts';
import { TRADING_COMMANDS } from '../../../contract/trading/commands.ts';
import { asNamed } from '../../../contract/trading/orders.ts';
import type { OrderBatch } from '../../../core/command.ts';
import type { AnyResult } from '../../../core/outcome.ts';
import type { State } from '../../../core/state.ts';
import type { Access, Receipt } from '../../../engine/command-port.ts';
import { submit } from '../../door.ts';
import { problemReply, type Reply, replyTo } from '../../http/reply.ts';
import type { Services } from '../../services.ts';
import { type AnswerTerms, answerBatch } from './batch-answer.ts';
import { closedOrderProblem, namesNoOpenOrder } from './closed-orders.ts';

/** Enters a command and answers it. Rejects with an EngineError where it was not carried out. */
export async function execute(
  services: Services,
  command: TradingCommand,
  access: Access,
  terms: AnswerTerms,
): Promise<Reply<never>> {
  return answerTo(services, command, await submit(services, command, access), terms);
}

type Write = (state: State, command: TradingCommand, result: AnyResult) => JsonOut;

/** The answer to a command; a promise only where the views have to be asked. */
export function answerTo(
  services: Services,
  command: TradingCommand,
  receipt: Receipt<TradingCommand>,
  terms: AnswerTerms,
): Reply<never> | Promise<Reply<never>> {
  if (command.type === 'orderBatch') {
    return answerBatch(services, command, receipt as Receipt<OrderBatch>, terms);
  }
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
function named(
  receipt: Receipt<TradingCommand>,
  { bySymbol }: AnswerTerms,
): Receipt<TradingCommand> {
  const { outcome } = receipt;
  if (outcome.ok) return receipt;
  return { ...receipt, outcome: { ...outcome, reject: asNamed(outcome.reject, bySymbol) } };
}
