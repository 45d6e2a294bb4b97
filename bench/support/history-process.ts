// Writes a data directory with a history for part `replay`: the commands of part `core`, signed, in
// an ordinary journal. Then, on request, the views and a snapshot of all of it, and more commands
// after that.
import { readFileSync } from 'node:fs';
import type { WriteSignature } from '../../src/core/command.ts';
import type { Side } from '../../src/core/fix.ts';
import { createKeys, followHistory, HistoryWriter } from './data-directory.ts';
import { Kind, OPERATION_WORDS } from './order-stream.ts';
import { argumentOf, report } from './processes.ts';
import { cancelCommand, orderCommand, venueCommands } from './venue.ts';

export interface HistoryPlan {
  readonly dataDir: string;
  /** The file of a stream's operations. */
  readonly stream: string;
  /** Operations before the snapshot, or all of them. */
  readonly operations: number;
  /** Operations after it; null for no snapshot. */
  readonly behindSnapshot: number | null;
}

export interface History {
  /** The last seq. */
  readonly commands: number;
}

const USERS = 1000;

class StreamWriter {
  readonly #words: Int32Array;
  #next = 0;

  constructor({ stream }: HistoryPlan) {
    const bytes = readFileSync(stream);
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  }

  async write(history: HistoryWriter, operations: number): Promise<void> {
    const end = this.#next + operations;
    for (; this.#next < end; this.#next++) {
      this.#send(history, this.#next);
      await history.flushFull();
    }
  }

  #send(history: HistoryWriter, operation: number): void {
    const at = operation * OPERATION_WORDS;
    const words = this.#words;
    const order = words[at + 3];
    const uid = 1 + (order % USERS);
    const signature = signatureOf(uid, operation, history.time);
    if (words[at] >> 2 === Kind.cancel) {
      history.send(cancelCommand(uid, order, signature));
      return;
    }
    const [price, quantity] = [words[at + 1], words[at + 2]];
    const side = (words[at] & 3) as Side;
    const { orderId } = history.send(
      orderCommand({ uid, side, quantity, price, clOrdId: '', signature }),
    );
    if (orderId !== order) throw new Error(`order ${order} was given the orderId ${orderId}`);
  }
}

/** As a real one: unlike all others of its key, and with the time of its request. */
const signatureOf = (keyId: number, number: number, timestamp: number): WriteSignature => ({
  keyId,
  timestamp,
  digestHigh: Math.imul(number + 1, 0x9e3779b1) >>> 0,
  digestLow: Math.imul(number + 1, 0x85ebca6b) >>> 0,
});

async function write(plan: HistoryPlan): Promise<History> {
  const { dataDir, operations, behindSnapshot } = plan;
  const stream = new StreamWriter(plan);
  const history = await HistoryWriter.open(dataDir);
  const { exchange } = history;
  await history.sendAll(venueCommands(USERS));
  await stream.write(history, operations);
  await history.close();
  if (behindSnapshot !== null) {
    await followHistory(dataDir, exchange);
    const more = await HistoryWriter.open(dataDir, exchange);
    await stream.write(more, behindSnapshot);
    await more.close();
    createKeys(dataDir, 1);
  }
  return { commands: exchange.state.seq };
}

report(await write(argumentOf<HistoryPlan>()));
