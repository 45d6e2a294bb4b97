// Carries out a trading command and answers it, wherever it came from: a request of HTTP, or a
// message of a websocket.

import type { JsonOut } from '../../../contract/json.ts';
import type { TradingCommand } from '../../../contract/trading/commands.ts';
import { TRADING_COMMANDS } from '../../../contract/trading/commands.ts';
import { asNamed, type ListedInstruments } from '../../../contract/trading/orders.ts';
import type { OrderBatch } from '../../../core/command.ts';
import type { AnyResult } from '../../../core/outcome.ts';
import type { Receipt } from '../../../engine/command-port.ts';
import { type Once, type Reply, refuse, replyTo, submitOnce } from '../../http/reply.ts';
import type { Services } from '../../services.ts';
import { type AskedBatch, answerBatch } from './batch-answer.ts';
import { namesNoOpenOrder, whyNotOpen } from './closed-orders.ts';

/**
 * The facts of a request that its answer needs, beside the command. A refusal of the instrument
 * names the field that the request named it by.
 */
export interface Asked extends Once, AskedBatch {}

/** Rejects with an EngineError where the command was not carried out. */
export async function carryOut(
  services: Services,
  command: TradingCommand,
  asked: Asked,
): Promise<Reply<never>> {
  return answerTo(services, command, await submitOnce(services, asked, command), asked);
}

type Write = (listed: ListedInstruments, command: TradingCommand, result: AnyResult) => JsonOut;

/** The answer to a command; a promise only where the views have to be asked. */
export function answerTo(
  services: Services,
  command: TradingCommand,
  receipt: Receipt<TradingCommand>,
  asked: Asked,
): Reply<never> | Promise<Reply<never>> {
  if (command.type === 'orderBatch') {
    return answerBatch(services, command, receipt as Receipt<OrderBatch>, asked);
  }
  const write = TRADING_COMMANDS[command.type].write as Write;
  const { state } = services.engine.exchange;
  const reply = replyTo(services, named(receipt, asked), (result) =>
    write(state, command, result),
  ) as Reply<never>;
  const { outcome, seq } = receipt;
  if (!namesNoOpenOrder(command, outcome)) return reply;
  return whyNotOpen(services, asked.requestId, command.uid, command, seq).then((problem) => {
    if (problem === null) return reply;
    const { status, body, headers } = refuse(problem);
    return { ...reply, status, body, headers: { ...reply.headers, ...headers } };
  });
}

/** The receipt, where a refusal of the instrument names the field that the caller used. */
function named(receipt: Receipt<TradingCommand>, { bySymbol }: Asked): Receipt<TradingCommand> {
  const { outcome } = receipt;
  if (outcome.ok) return receipt;
  return { ...receipt, outcome: { ...outcome, reject: asNamed(outcome.reject, bySymbol) } };
}
