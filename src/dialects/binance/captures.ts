// Captures the execution reports and trades of a command for its answer. The core emits the events
// of an account only for subscribers, so a capture subscribes while its command is on its way.
import type { Command } from '../../core/command.ts';
import type { CoreEvent, ExecutionReport, Trade } from '../../core/event.ts';
import type { CustomerWrite } from '../../core/once.ts';
import type { Outcome, ResultOf } from '../../core/outcome.ts';
import type { Access, Receipt, Receiver } from '../../engine/command-port.ts';
import type { Engine, EngineObserver } from '../../engine/engine.ts';
import { enter } from '../../gateway/door.ts';
import type { Services } from '../../gateway/services.ts';

/** The end of a command. */
export interface Done<C extends Command = Command> {
  readonly seq: number;
  /** Business time, ms. */
  readonly time: number;
  readonly outcome: Outcome<ResultOf<C>>;
  /** The caller's, in order. Empty where an earlier command with this signature did it. */
  readonly reports: readonly ExecutionReport[];
  readonly trades: readonly Trade[];
}

/** More than one command reports about an account at a time; a mass cancel has as many. */
const MAX_CAPTURED = 2_000;

export class Captures implements EngineObserver {
  readonly #engine: Engine;
  /** The events of the last command, and its seq. */
  #last: readonly CoreEvent[] = [];
  #lastSeq = -1;
  /** Commands in progress, which later commands continue. */
  readonly #open = new Set<Capture>();

  constructor(engine: Engine) {
    this.#engine = engine;
    engine.observe(this);
  }

  receiveEvents(events: readonly CoreEvent[]): void {
    this.#last = events;
    this.#lastSeq = this.#engine.exchange.state.seq;
    for (const capture of this.#open) capture.add(events);
  }

  receiveApplied(): void {}

  /** It only keeps what it is given, so a later answer does not depend on this. */
  failed(): void {}

  /** Enters a command and resolves to what it did. Rejects with an EngineError. */
  submit<C extends CustomerWrite>(services: Services, command: C, access: Access) {
    const { uid } = command;
    const { eventFilter } = this.#engine.exchange.state;
    const capture = new Capture(uid);
    const { promise, resolve, reject } = Promise.withResolvers<Done<C>>();
    const end = () => {
      this.#open.delete(capture);
      eventFilter.removeOwner(uid);
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const receiver: Receiver = {
      sequenced: (seq) => {
        capture.add(this.#eventsOf(seq));
        this.#open.add(capture);
      },
      resolve: ({ seq, time, outcome }: Receipt) => {
        if (!this.#open.has(capture)) capture.add(this.#eventsOf(seq));
        end();
        const { reports, trades } = capture;
        resolve({ seq, time, outcome: outcome as Done<C>['outcome'], reports, trades });
      },
      reject: fail,
    };
    eventFilter.addOwner(uid);
    try {
      enter(services, command, access, receiver);
    } catch (error) {
      fail(error);
    }
    return promise;
  }

  /** The events of a command that is being answered. */
  #eventsOf(seq: number): readonly CoreEvent[] {
    return seq === this.#lastSeq ? this.#last : [];
  }
}

class Capture {
  readonly uid: number;
  readonly reports: ExecutionReport[] = [];
  readonly trades: Trade[] = [];

  constructor(uid: number) {
    this.uid = uid;
  }

  add(events: readonly CoreEvent[]): void {
    for (const event of events) {
      if (this.reports.length + this.trades.length >= MAX_CAPTURED) return;
      if (event.type === 'executionReport') {
        if (event.uid === this.uid) this.reports.push(event);
      } else if (event.type === 'trade' && event.takerUid === this.uid) {
        this.trades.push(event);
      }
    }
  }
}
