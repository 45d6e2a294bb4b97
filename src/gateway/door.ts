// The door: every write of a customer enters here, whether it is a request or a message of a
// websocket. A repeated write gets its first answer; any other gets its place in the journal, and
// its work is charged. On a node that does not lead, the engine sends it over the link.
import type { CustomerWrite } from '../core/once.ts';
import type { Access, Receipt, Receiver } from '../engine/command-port.ts';
import type { Engine } from '../engine/engine.ts';
import type { Limits } from './limits/limits.ts';

interface Inside {
  readonly engine: Engine;
  readonly limits: Limits;
}

/** The receiver is called once, perhaps before this returns; its errors are EngineErrors. */
export function enter(
  { engine, limits }: Inside,
  command: CustomerWrite,
  access: Access,
  receiver: Receiver,
): void {
  // A used signature or Idempotency-Key costs no place in the journal; apply() has the last word.
  const outcome = engine.exchange.outcomeOfUsed(command);
  if (outcome === null) {
    engine.enqueue(command, new ChargingReceiver(limits, command, receiver), undefined, access);
  } else {
    receiver.resolve({ seq: engine.seq, time: engine.now, work: 0, outcome } as Receipt);
  }
}

/** `enter` with a promise, which rejects with an EngineError. */
export function submit<C extends CustomerWrite>(
  inside: Inside,
  command: C,
  access: Access,
): Promise<Receipt<C>> {
  return new Promise((resolve, reject) => {
    const receiver = { resolve: resolve as (receipt: Receipt) => void, reject };
    enter(inside, command, access, receiver);
  });
}

/** Charges the user for the work of a command before its answer. */
class ChargingReceiver implements Receiver {
  readonly #limits: Limits;
  readonly #command: CustomerWrite;
  readonly #receiver: Receiver;

  constructor(limits: Limits, command: CustomerWrite, receiver: Receiver) {
    this.#limits = limits;
    this.#command = command;
    this.#receiver = receiver;
  }

  resolve(receipt: Receipt): void {
    this.#limits.chargeWork(this.#command, receipt.work);
    this.#receiver.resolve(receipt);
  }

  sequenced(seq: number): void {
    this.#receiver.sequenced?.(seq);
  }

  reject(error: Error): void {
    this.#receiver.reject(error);
  }
}
