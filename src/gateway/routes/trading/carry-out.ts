// Carries out a trading command and answers it, wherever it came from: a request of HTTP, or a
// message of a websocket.

import type { JsonOut } from '../../../contract/json.ts';
import { Problem } from '../../../contract/problem.ts';
import { REFUSALS } from '../../../contract/refusals.ts';
import type { TradingCommand } from '../../../contract/trading/commands.ts';
import { TRADING_COMMANDS } from '../../../contract/trading/commands.ts';
import { asNamed, type ListedInstruments } from '../../../contract/trading/orders.ts';
import type { CancelOrder } from '../../../core/command.ts';
import type { AnyResult } from '../../../core/outcome.ts';
import type { Receipt } from '../../../engine/command-port.ts';
import { ViewsUnavailable } from '../../../views/views.ts';
import { historyUnavailable } from '../../http/problem-of.ts';
import { type Once, type Reply, refuse, replyTo, submitOnce } from '../../http/reply.ts';
import type { Services } from '../../services.ts';

/** The facts of a request that its answer needs, beside the command. */
export interface Asked extends Once {
  readonly requestId: string;
  /** The request named its instrument by the symbol; a refusal names the same field. */
  readonly bySymbol: boolean;
}

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
  const write = TRADING_COMMANDS[command.type].write as Write;
  const { state } = services.engine.exchange;
  const reply = replyTo(services, named(receipt, asked), (result) =>
    write(state, command, result),
  ) as Reply<never>;
  const { outcome, seq } = receipt;
  if (command.type !== 'cancelOrder' || outcome.ok || outcome.reject.name !== 'orderUnknown') {
    return reply;
  }
  return whyNotOpen(services, asked, command, seq).then((problem) => {
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

/**
 * The refusal for an order that only the views have; null where there was none. The cancel is
 * already durable and refused, so this must not fail.
 */
async function whyNotOpen(
  services: Services,
  { requestId }: Asked,
  command: CancelOrder,
  seq: number,
): Promise<Problem | null> {
  try {
    return (await wasOpen(services, command, seq)) ? orderClosed(command) : null;
  } catch (error) {
    if (error instanceof ViewsUnavailable) {
      return historyUnavailable(
        error,
        'No open order of yours has this id, so nothing was canceled. ',
      );
    }
    services.log.error({ requestId, err: error }, 'the views did not answer');
    return null;
  }
}

/** The core forgets closed orders; the views know whether the caller had this one. */
async function wasOpen({ views }: Services, command: CancelOrder, seq: number): Promise<boolean> {
  const { uid, orderId, origClOrdId } = command;
  const found = await views.query(
    {
      type: 'orders',
      uid,
      size: 1,
      ...(orderId === 0 ? {} : { orderId }),
      ...(origClOrdId === '' ? {} : { filter: { clOrdId: origClOrdId } }),
    },
    seq,
  );
  return found.length > 0;
}

function orderClosed({ orderId }: CancelOrder): Problem {
  const field = orderId === 0 ? 'origClOrdId' : 'orderId';
  return new Problem('orderClosed', {
    userMsg: `Invalid field: ${field}. ${REFUSALS.orderClosed.text}`,
    details: { field, rule: 'open' },
  });
}
