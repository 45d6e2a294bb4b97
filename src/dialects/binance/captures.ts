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
  submit<C extends CustomerWrite>(
    services: Services,
    command: C,
    access: Access,
  ): Promise<Done<C>> {
    return new Promise((resolve, reject) => {
      const capture = new Capture(this, command.uid, resolve as (done: Done) => void, reject);
      this.#engine.exchange.state.eventFilter.addOwner(command.uid);
      try {
        enter(services, command, access, capture);
      } catch (error) {
        this.end(capture);
        reject(error);
      }
    });
  }

  /** The events of a command that is being answered. */
  eventsOf(seq: number): readonly CoreEvent[] {
    return seq === this.#lastSeq ? this.#last : [];
  }

  keepOpen(capture: Capture): void {
    this.#open.add(capture);
  }

  end(capture: Capture): void {
    this.#open.delete(capture);
    this.#engine.exchange.state.eventFilter.removeOwner(capture.uid);
  }
}

class Capture implements Receiver {
  readonly uid: number;
  readonly #captures: Captures;
  readonly #resolve: (done: Done) => void;
  readonly #reject: (error: Error) => void;
  readonly #reports: ExecutionReport[] = [];
  readonly #trades: Trade[] = [];
  #isOpen = false;

  constructor(
    captures: Captures,
    uid: number,
    resolve: (done: Done) => void,
    reject: (error: Error) => void,
  ) {
    this.#captures = captures;
    this.uid = uid;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  add(events: readonly CoreEvent[]): void {
    for (const event of events) {
      if (this.#reports.length + this.#trades.length >= MAX_CAPTURED) return;
      if (event.type === 'executionReport') {
        if (event.uid === this.uid) this.#reports.push(event);
      } else if (event.type === 'trade' && event.takerUid === this.uid) {
        this.#trades.push(event);
      }
    }
  }

  sequenced(seq: number): void {
    this.#isOpen = true;
    this.add(this.#captures.eventsOf(seq));
    this.#captures.keepOpen(this);
  }

  resolve({ seq, time, outcome }: Receipt): void {
    if (!this.#isOpen) this.add(this.#captures.eventsOf(seq));
    this.#captures.end(this);
    this.#resolve({ seq, time, outcome, reports: this.#reports, trades: this.#trades });
  }

  reject(error: Error): void {
    this.#captures.end(this);
    this.#reject(error);
  }
}
