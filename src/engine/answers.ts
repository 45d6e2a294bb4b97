// The answers to this process's own commands. A command that later commands continue is answered
// when it is done, by whichever command that is.
import type { Exchange } from '../core/exchange.ts';
import { IN_PROGRESS, type Outcome } from '../core/outcome.ts';
import type { Receipt, Receiver } from './command-port.ts';

export class Answers {
  readonly #exchange: Exchange;
  /** The receivers of commands in progress, by seq. */
  readonly #open = new Map<number, Receiver>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** The command `seq` was applied; `receiver` if it is one of this process. */
  applied(seq: number, time: number, outcome: Outcome, receiver: Receiver | undefined): void {
    const { completed, work } = this.#exchange;
    if (outcome !== IN_PROGRESS) receiver?.resolve({ seq, time, outcome, work } as Receipt);
    else if (receiver !== undefined) {
      receiver.sequenced?.(seq);
      this.#open.set(seq, receiver);
    }
    for (const done of completed) {
      const open = this.#open.get(done.seq);
      this.#open.delete(done.seq);
      open?.resolve({ seq, time, outcome: done.outcome, work: done.work } as Receipt);
    }
  }

  /** Rejects all that are open: their outcomes are unknown. */
  fail(error: Error): void {
    for (const receiver of this.#open.values()) receiver.reject(error);
    this.#open.clear();
  }
}
