// The answer to a batch of orders: for each entry the answer of its own call, or its rejection.

import type { JsonOut } from '../../../contract/json.ts';
import type { Problem } from '../../../contract/problem.ts';
import { answerOfReject } from '../../../contract/reject-problem.ts';
import { type SingleCommand, TRADING_COMMANDS } from '../../../contract/trading/commands.ts';
import { asNamed } from '../../../contract/trading/orders.ts';
import type { OrderBatch } from '../../../core/command.ts';
import type { Outcome } from '../../../core/outcome.ts';
import type { State } from '../../../core/state.ts';
import type { Receipt } from '../../../engine/command-port.ts';
import { type Reply, replyTo } from '../../http/reply.ts';
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

type Write = (state: State, command: SingleCommand, result: unknown) => JsonOut;

/** A promise only where the views have to be asked. */
export function answerBatch(
  services: Services,
  command: OrderBatch,
  receipt: Receipt<OrderBatch>,
  terms: AnswerTerms,
): Reply<never> | Promise<Reply<never>> {
  const { outcome } = receipt;
  const bodies = outcome.ok
    ? outcome.result.outcomes.map((one, place) => bodyOf(services, command, place, one, terms))
    : [];
  const reply = (): Reply<never> => replyTo(services, receipt, () => ({ orders: bodies }) as never);
  const late = outcome.ok
    ? outcome.result.outcomes.flatMap((one, place) => {
        const entry = command.entries[place]!;
        if (terms.faults?.has(place) === true || !namesNoOpenOrder(entry, one)) return [];
        const { requestId } = terms;
        return closedOrderProblem(services, requestId, command.uid, entry, receipt.seq).then(
          (problem) => {
            if (problem !== null) bodies[place] = problem.body();
          },
        );
      })
    : [];
  return late.length === 0 ? reply() : Promise.all(late).then(reply);
}

function bodyOf(
  { engine }: Services,
  { uid, entries }: OrderBatch,
  place: number,
  outcome: Outcome,
  { bySymbol, faults }: AnswerTerms,
): JsonOut {
  const { state } = engine.exchange;
  if (!outcome.ok) {
    const fault = faults?.get(place);
    if (fault !== undefined) return fault.body();
    return answerOfReject(state, asNamed(outcome.reject, bySymbol)).body;
  }
  const entry = entries[place]!;
  const write = TRADING_COMMANDS[entry.type].write as Write;
  return write(state, { ...entry, uid, signature: null, idempotency: null }, outcome.result);
}
