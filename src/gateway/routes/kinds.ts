// The kinds that most routes are of: a read, whose answer shows the state of one moment, and a
// command of the operator. A handler returns the described value, or a rejection of the core.
import type { ApiCall } from '../../contract/call.ts';
import { success } from '../../contract/earn/writers.ts';
import type { JsonOut } from '../../contract/json.ts';
import type { Command } from '../../core/command.ts';
import type { ResultOf } from '../../core/outcome.ts';
import { type Reject, type RejectName, rejection } from '../../core/reject.ts';
import type { State } from '../../core/state.ts';
import { ok, type Reply, rejectReply, replyTo } from '../http/reply.ts';
import { type AuditTerms, type Call, type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';

/** A rejection of the core, in place of a value. */
export class Rejected {
  constructor(readonly reject: Reject) {}
}

export const rejected = (name: RejectName, field: string | null = null): Rejected =>
  new Rejected(rejection(name, field));

/** `T` is a value, or a command. */
type OrRejected<T> = T | Rejected;

type Handler<Q, B, T> = (
  state: State,
  call: Call<NoInfer<Q>, NoInfer<B>>,
  services: Services,
) => OrRejected<T>;

/** In the envelope of the earn area, where the call has it. */
export const enveloped = ({ envelope }: Pick<ApiCall, 'envelope'>, data: JsonOut): JsonOut =>
  envelope === undefined ? data : success(data, envelope === 'withSucc');

/** A call that changes nothing. Its answer has the position at which it began. */
export const reads = <Q, B, W>(
  call: ApiCall<Q, B, W>,
  find: Handler<Q, B, NoInfer<W> | Promise<OrRejected<NoInfer<W>>>>,
  audit?: AuditTerms<NoInfer<B>>,
): Route =>
  route(call, {
    ...(audit === undefined ? {} : { audit }),
    handle(services, given) {
      const { state } = services.engine.exchange;
      const { seq } = state;
      const reply = (found: OrRejected<W>): Reply<never> =>
        found instanceof Rejected
          ? rejectReply(services, found.reject, seq)
          : (ok(enveloped(call, found as JsonOut), seq) as Reply<never>);
      const found = find(state, given, services);
      return found instanceof Promise ? found.then(reply) : reply(found);
    },
  });

/** A command of the operator; `write` makes the answer of its result. */
export const operates = <Q, B, W, C extends Command>(
  call: ApiCall<Q, B, W>,
  audit: AuditTerms<NoInfer<B>>,
  make: Handler<Q, B, C>,
  write: (
    result: ResultOf<NoInfer<C>>,
    state: State,
    call: Call<NoInfer<Q>, NoInfer<B>>,
  ) => NoInfer<W>,
  /** Called once a command was carried out, and not for its repetition. */
  onDone?: (services: Services, command: C) => void,
): Route =>
  route(call, {
    audit,
    async handle(services, given) {
      const { state } = services.engine.exchange;
      const command = make(state, given, services);
      if (command instanceof Rejected) return rejectReply(services, command.reject);
      const receipt = await services.engine.submit(command);
      const { outcome } = receipt;
      if (outcome.ok && !outcome.replayed) onDone?.(services, command);
      const answer = (result: ResultOf<C>) => write(result, state, given) as JsonOut;
      return replyTo(services, receipt, answer) as Reply<never>;
    },
  });
