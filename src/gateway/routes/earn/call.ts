// Shared by the earn routes: answers to commands, queries of the history, and the subscriptions
// that the caller may see.
import type { ApiCall } from '../../../contract/call.ts';
import type { JsonOut } from '../../../contract/json.ts';
import { Problem } from '../../../contract/problem.ts';
import { REJECTIONS } from '../../../contract/rejections.ts';
import { dayOf } from '../../../core/calendar.ts';
import type { Command } from '../../../core/command.ts';
import type { Subscription } from '../../../core/earn/subscription.ts';
import type { ResultOf } from '../../../core/outcome.ts';
import type { Receipt } from '../../../engine/command-port.ts';
import type { SubscriptionFacts } from '../../../views/subscriptions.ts';
import { type AnswerTo, type ViewQuery, ViewsUnavailable } from '../../../views/views.ts';
import { type Reply, replyTo } from '../../http/reply.ts';
import type { Call } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { enveloped, type Rejected, rejected } from '../kinds.ts';

/** The answer to a command of the call, in its envelope. */
export const replyToEarn = <C extends Command, W extends JsonOut>(
  services: Services,
  call: Pick<ApiCall, 'envelope'>,
  receipt: Receipt<C>,
  write: (result: ResultOf<C>) => W,
): Reply<W> =>
  replyTo(services, receipt, (result) => enveloped(call, write(result))) as Reply<never>;

/** The UTC day of business time now. */
export const todayOf = ({ engine }: Services): number => dayOf(engine.now);

/**
 * The views' answer at `seq`. Throws ViewsUnavailable, and dependencyFailed where a fault keeps
 * them from it.
 */
export async function askViews<Q extends ViewQuery>(
  { views, log }: Services,
  { requestId }: Pick<Call<unknown, unknown>, 'requestId'>,
  query: Q,
  seq: number,
): Promise<AnswerTo<Q>> {
  try {
    return await views.query(query, seq);
  } catch (error) {
    if (error instanceof ViewsUnavailable) throw error;
    log.error({ requestId, err: error }, 'the views did not answer');
    throw new Problem('dependencyFailed');
  }
}

/** A subscription of the caller: live from the core, closed from the views. */
export type OwnSubscription =
  | { readonly live: Subscription; readonly closed: null }
  | { readonly live: null; readonly closed: SubscriptionFacts };

/** Rejects: planUnknown, notOwnSubscription. Throws dependencyFailed. */
export async function findOwned(
  services: Services,
  call: Pick<Call<unknown, unknown>, 'requestId' | 'uid'>,
  applyId: number,
  seq: number,
): Promise<OwnSubscription | Rejected> {
  const live = services.engine.exchange.state.earn.subscriptions.find(applyId);
  if (live !== undefined) return live.uid === call.uid ? { live, closed: null } : notOwn();
  const closed =
    applyId < 1 ? null : await askViews(services, call, { type: 'subscription', applyId }, seq);
  if (closed === null) return rejected('planUnknown', 'applyId');
  return closed.uid === call.uid ? { live: null, closed } : notOwn();
}

/**
 * Throws subscriptionEnded for a closed subscription of the caller. `seq`: of the command that the
 * core rejected, if there was one.
 */
export function requireLive({ closed }: OwnSubscription, seq?: number): void {
  if (closed === null) return;
  throw new Problem('subscriptionEnded', {
    ...(seq === undefined ? {} : { headers: { 'X-Agio-Seq': String(seq) } }),
    userMsg: `Invalid field: applyId. ${REJECTIONS.subscriptionEnded.text}`,
    details: { field: 'applyId', rule: 'live' },
  });
}

const notOwn = (): Rejected => rejected('notOwnSubscription', 'applyId');
