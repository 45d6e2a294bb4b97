// Crash rounds: load the real server with signed calls, kill it with SIGKILL at a random moment
// and start it again. An acknowledged write is there exactly once, any other entirely or not at
// all, and all sums hold. With small records, a large order is matched in slices beside the load,
// and the kill falls between two of them.
import { openJournalReader } from '../../src/journal/open-journal.ts';
import { historyFaults, inventedFaults, requireNone } from '../harness/checker.ts';
import { type Call, isWrite } from '../harness/history.ts';
import { OperatorClient } from '../harness/http.ts';
import { JournalAudit } from '../harness/journal-audit.ts';
import { LargeOrder } from '../harness/large-order.ts';
import { Load } from '../harness/load.ts';
import {
  type SandboxFile,
  ServerProcess,
  SLICED,
  sandboxFile,
  verifyDirectory,
} from '../harness/server-process.ts';
import { viewsOf } from '../harness/views.ts';
import { Prng } from '../support/prng.ts';
import { smallRecords } from '../support/small-records.ts';
import { until } from '../support/waiting.ts';

export interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly directory: string;
  readonly progress: (line: string) => void;
}

export interface CrashReport {
  readonly acknowledged: number;
  /** Writes whose answer was cut off by the kill, and how many of them were executed. */
  readonly unknown: number;
  readonly unknownDone: number;
  /** From the start of the process to its first answer, ms. */
  readonly recoveryMs: readonly number[];
  /** Kills that left the large order half matched. */
  readonly betweenSlices: number;
  /** Large orders, of which each is there once and whole. */
  readonly whole: number;
}

const SESSIONS = 16;
/** A round kills the server after a random time between these, ms. */
export const LOAD_MS = { least: 40, most: 450 };
/** The same after a large order was sent. */
const SLICED_MS = { least: 0, most: 120 };

/** Throws Error with the seed and the round at the first broken promise. */
export async function runCrashRounds(options: CrashOptions, isSliced = false) {
  using _ = isSliced ? smallRecords() : null;
  const main = isSliced ? SLICED : undefined;
  const server = new ServerProcess(options.directory, {}, main);
  try {
    await server.start();
    const rounds = new Rounds(options, server, isSliced);
    for (let round = 1; round <= options.rounds; round++) {
      try {
        options.progress(`round ${round}/${options.rounds}: ${await rounds.round(round)}`);
      } catch (error) {
        const message = `seed ${options.seed}, round ${round}: ${(error as Error).message}`;
        throw new Error(message, { cause: error });
      }
    }
    return await rounds.end();
  } finally {
    await server.kill();
  }
}

class Rounds {
  readonly #options: CrashOptions;
  readonly #server: ServerProcess;
  readonly #isSliced: boolean;
  readonly #random: Prng;
  readonly #access: SandboxFile;
  readonly #audit = new JournalAudit();
  readonly #calls: Call[] = [];
  readonly #recoveryMs: number[] = [];
  #betweenSlices = 0;

  constructor(options: CrashOptions, server: ServerProcess, isSliced: boolean) {
    this.#options = options;
    this.#server = server;
    this.#isSliced = isSliced;
    this.#random = new Prng(options.seed);
    this.#access = sandboxFile(server.dataDir);
  }

  get #operator(): OperatorClient {
    return new OperatorClient(this.#server.url, this.#access);
  }

  /** Returns a summary of the round. */
  async round(round: number): Promise<string> {
    const server = this.#server;
    const { demo, market, operatorToken } = this.#access;
    const large = this.#isSliced ? await this.#largeOrder(`large-${round}`) : null;
    await this.#applyFiles([]);
    const startSeq = this.#audit.seq;
    // The second account of the market takes large orders.
    const keys = Array.from({ length: SESSIONS }, (_, i) => (i % 2 === 0 ? demo : market[0]!));
    const seed = this.#options.seed * 1000 + round;
    const load = new Load({
      ...{ nodes: [server], keys, operatorToken, seed },
      prefix: `r${round}`,
    });
    const sent = large?.send(load.sender(`${large.clOrdId}-taker`, market[1]!), server);
    if (large === null) await load.begun();
    const { least, most } = large === null ? LOAD_MS : SLICED_MS;
    // On a busy machine no fixed time falls into the match.
    if (large !== null && round % 2 === 1) await large.begun(server);
    else await Bun.sleep(this.#random.between(least, most));
    await server.kill();
    await Promise.all([load.stop(), sent]);
    const writes = load.calls.filter(isWrite);
    this.#calls.push(...writes);
    await this.#applyFiles(load.calls);
    const isHalf = large !== null && this.#audit.isInProgress(large.clOrdId);
    if (isHalf) this.#betweenSlices++;
    const started = performance.now();
    await server.start();
    this.#recoveryMs.push(performance.now() - started);
    if (large !== null) {
      await large.verify(server.url, isHalf || this.#audit.writesNamed(large.clOrdId).length > 0);
    }
    await this.#applyFiles([]);
    await this.#lookUp(load, keys);
    requireNone([
      ...historyFaults(load, this.#audit),
      ...inventedFaults(load.calls, this.#audit, startSeq),
    ]);
    await this.#operator.checkSums();
    const acknowledged = writes.filter(({ outcome }) => outcome === 'acknowledged').length;
    return `${acknowledged} of ${writes.length} writes acknowledged${isHalf ? ', in a match' : ''}`;
  }

  async #largeOrder(name: string): Promise<LargeOrder> {
    const order = new LargeOrder(this.#server.url, this.#access, name);
    await order.rest(this.#server, this.#access, this.#calls);
    return order;
  }

  /** Applies what the journal has more than at the last time. */
  async #applyFiles(calls: readonly Call[]): Promise<void> {
    requireNone(await this.#audit.applyAll(openJournalReader(this.#server.dataDir), calls));
  }

  /** Reads every order of the round, and repeats each credit, which has to change nothing. */
  async #lookUp(load: Load, keys: readonly SandboxFile['demo'][]): Promise<void> {
    const senders = new Map(
      keys.map((key) => [key.uid, load.sender(`${key.uid} after the start`, key)]),
    );
    for (const { kind, name, uid, outcome, request, id } of [...load.calls]) {
      const sender = senders.get(uid);
      const isOrder = kind === 'placeOrder' || kind === 'placeOco';
      if (isOrder && outcome !== 'rejected' && sender !== undefined) {
        sender.seen.seq = Math.max(sender.seen.seq, this.#audit.seq);
        await until(async () => (await sender.order(this.#server, name)).status === 200);
      }
      if (kind !== 'transferFunds' || outcome !== 'acknowledged') continue;
      const again = (await this.#operator.post('ledger/credit', request)) as { transferId: number };
      if (again.transferId !== id) throw new Error(`credit ${name} is lost`);
    }
  }

  /** Stops the server. The files, the views and the state are one story. */
  async end(): Promise<CrashReport> {
    const { dataDir, main } = this.#server;
    if ((await this.#server.stop()) !== 0) throw new Error('the server did not stop cleanly');
    await verifyDirectory(dataDir, main);
    await this.#applyFiles([]);
    const audit = this.#audit;
    audit.checkInvariants();
    const views = viewsOf(dataDir);
    if (views.seq !== audit.seq || views.stateHash !== audit.stateHash()) {
      throw new Error('the server and the journal come to different states');
    }
    const count = (calls: readonly Call[], outcome: Call['outcome']): number =>
      calls.filter((call) => call.outcome === outcome).length;
    const done = this.#calls.filter(({ name }) => audit.writesNamed(name).length > 0);
    return {
      acknowledged: count(this.#calls, 'acknowledged'),
      unknown: count(this.#calls, 'unknown'),
      unknownDone: count(done, 'unknown'),
      recoveryMs: this.#recoveryMs,
      betweenSlices: this.#betweenSlices,
      whole: this.#isSliced ? this.#options.rounds : 0,
    };
  }
}
