// The feeder of the sequencer: a thread that prepares commands and sends them over a ring, as a
// gateway thread does with those of its clients. It sends the next one when one is answered.
import { BinaryReader } from '../../src/core/binary.ts';
import type { Command } from '../../src/core/command.ts';
import { encodeCommand } from '../../src/core/command-form.ts';
import { beginFrame } from '../../src/gateway/relay/frames.ts';
import { WAKE } from '../../src/gateway/threads/control.ts';
import { Up } from '../../src/gateway/threads/frames.ts';
import { Link } from '../../src/gateway/threads/link.ts';
import { Ring } from '../../src/gateway/threads/ring.ts';
import { cancelCommand, orderCommand, placeOf } from './venue.ts';

export type ToFeeder =
  | typeof WAKE
  | {
      readonly type: 'start';
      readonly incoming: SharedArrayBuffer;
      readonly outgoing: SharedArrayBuffer;
      readonly users: number;
      /** Commands without an answer yet. */
      readonly inFlight: number;
    }
  /** Writes so many frames, to be sent later. */
  | { readonly type: 'prepare'; readonly commands: number }
  | { readonly type: 'send' };

export type FromFeeder = typeof WAKE | 'prepared' | 'done';

/** As the customers of part `http` keep together. */
const KEPT_OPEN = 10_000;
const PRICES = 5000;

declare const self: Worker;

const post = (message: FromFeeder): void => self.postMessage(message);

class Feeder {
  readonly #link: Link;
  readonly #users: number;
  readonly #inFlight: number;
  #frames: Uint8Array[] = [];
  #sent = 0;
  #answered = 0;
  /** Counts over all phases. */
  #made = 0;
  #created = 0;
  #canceled = 0;

  constructor({ incoming, outgoing, users, inFlight }: Extract<ToFeeder, { type: 'start' }>) {
    this.#users = users;
    this.#inFlight = inFlight;
    this.#link = new Link({
      incoming: new Ring(incoming),
      outgoing: new Ring(outgoing),
      wakeOther: () => post(WAKE),
      receive: (frame) => this.#receive(frame),
      onFault: (error) => {
        throw error;
      },
    });
    this.#link.wake();
  }

  wake(): void {
    this.#link.wake();
  }

  prepare(commands: number): void {
    this.#sent = 0;
    this.#answered = 0;
    this.#frames = Array.from({ length: commands }, (_, id) => {
      const frame = beginFrame(Up.command, id);
      encodeCommand(frame, this.#next());
      return frame.view().slice();
    });
    Bun.gc(true);
  }

  /** Half new orders and half cancels of the oldest, once enough orders are open. */
  #next(): Command {
    const isCancel = this.#created - this.#canceled >= KEPT_OPEN;
    const number = isCancel ? this.#canceled++ : this.#created++;
    const uid = 1 + (number % this.#users);
    const signature = {
      keyId: uid,
      timestamp: Date.now(),
      digestHigh: this.#made++,
      digestLow: Math.imul(number, 0x9e3779b1) >>> 0,
    };
    // One link keeps the order of commands, so the n-th order has the orderId n.
    if (isCancel) return cancelCommand(uid, number + 1, signature);
    return orderCommand({
      ...placeOf(number, PRICES),
      uid,
      quantity: 1000,
      clOrdId: `b${uid}-${number}`,
      signature,
    });
  }

  send(): void {
    while (this.#sent < Math.min(this.#inFlight, this.#frames.length)) this.#sendNext();
  }

  #sendNext(): void {
    this.#link.send(this.#frames[this.#sent++]!);
  }

  #receive(bytes: Uint8Array): void {
    const frame = new BinaryReader(bytes);
    frame.byte();
    if (frame.integer() !== this.#answered) throw new Error('an answer is out of order');
    if (++this.#answered === this.#frames.length) post('done');
    else if (this.#sent < this.#frames.length) this.#sendNext();
  }
}

let feeder: Feeder | null = null;

self.onmessage = ({ data }: MessageEvent<ToFeeder>) => {
  if (data === WAKE) {
    feeder?.wake();
  } else if (data.type === 'start') {
    feeder = new Feeder(data);
  } else if (data.type === 'send') {
    feeder?.send();
  } else {
    feeder?.prepare(data.commands);
    post('prepared');
  }
};
