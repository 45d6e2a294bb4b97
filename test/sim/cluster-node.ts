// A node of a simulated cluster, from its start to its end: built as in a real process, on a disk
// that is not synced, a network and a store that others cut, and with a wall clock that is wrong.
// A supervisor starts it again, as systemd does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { LinkError, type Transport } from '../../src/cluster/link/transport.ts';
import { StoreError } from '../../src/cluster/store.ts';
import { loadConfig } from '../../src/config.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import type { State } from '../../src/core/state.ts';
import type { ServerHandle } from '../../src/gateway/http/incoming.ts';
import type { Gateway } from '../../src/gateway/http/server.ts';
import { openCopy } from '../../src/journal/open-copy.ts';
import { type Node, startNode } from '../../src/node.ts';
import type { Answer } from '../harness/sender.ts';
import type { MemoryNetwork } from '../support/memory-transport.ts';
import type { Prng } from '../support/prng.ts';
import { FollowerInProcess } from './follower-in-process.ts';
import { simulatedAddress } from './simulated-address.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { requestOf } from './simulated-network.ts';
import { SimulatedProcess, type SimulatedTime } from './simulated-time.ts';
import type { StoreWeather } from './store-weather.ts';

export const OPERATOR_TOKEN = 'token-of-the-simulated-operator';
const ENV = {
  AGIO_MASTER_KEY: '5a'.repeat(32),
  AGIO_OPERATOR_TOKEN: OPERATOR_TOKEN,
  AGIO_DATABASE_URL: 'postgres://simulated/agio',
};
/** Between the end of a process that nobody asked for and the next start. */
const RESTART_MS = 1000;
/** A stop that takes longer ends by a kill. */
const STOP_MS = 30_000;

/** Requests come from here. */
export const ORIGIN: ServerHandle = {
  requestIP: () => ({ address: '127.0.0.1', family: 'IPv4', port: 1 }),
  upgrade: () => false,
};

export const answerOf = ({ status, headers }: Response, text: string): Answer => ({
  ...{ status, text, seq: Number(headers.get('x-agio-seq') ?? 0) },
  isReplay: headers.get('idempotency-replayed') === 'true',
});

/** The world that all nodes of a simulated cluster share. */
export interface Surroundings {
  readonly time: SimulatedTime;
  readonly random: Prng;
  readonly network: MemoryNetwork;
  readonly weather: StoreWeather;
  /** The state hash after each command that any node has applied. */
  readonly hashes: Map<number, string>;
}

interface Life {
  readonly process: SimulatedProcess;
  follower: FollowerInProcess | null;
  gateway: Gateway | null;
  node: Node | null;
}

export class ClusterNode {
  readonly disk: SimulatedDisk;
  /** Faults that only a restart repairs, and that no fault of the surroundings explains. */
  readonly failures: unknown[] = [];
  /** The longest that its disk makes an operation wait, ms. */
  diskSlowness = 0;
  /** How often a loss of power has damaged its files. */
  damages = 0;
  stopsThatHung = 0;
  readonly #around: Surroundings;
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'agio-sim-'));
  readonly #segmentBytes: number;
  #life: Life | null = null;

  /** `ahead`: how far its wall clock is ahead, ms. */
  constructor(
    readonly name: string,
    readonly ahead: number,
    around: Surroundings,
  ) {
    this.#around = around;
    const { random, time } = around;
    this.#segmentBytes = random.pick([4096, 16_384, 65_536]);
    this.disk = new SimulatedDisk({
      seed: random.next(),
      latency: (disk) => {
        const usual = disk.oneIn(30) ? disk.below(60) : disk.below(2000) / 1000;
        return time.sleep(usual + disk.below(this.diskSlowness + 1));
      },
    });
  }

  /** The process that runs; null between two. */
  get process(): SimulatedProcess | null {
    return this.#life?.process ?? null;
  }

  /** The running node; null while it starts or is away. */
  get node(): Node | null {
    return this.#life?.node ?? null;
  }

  get leads(): boolean {
    return this.node?.services.cluster?.leads === true;
  }

  /** The last term that it knows. */
  get term(): number {
    return this.node?.services.cluster?.status().epoch ?? 0;
  }

  get role(): string {
    return this.node?.services.cluster?.status().role ?? 'away';
  }

  /** Begins a process, and another one after each that fails to start. */
  start(): void {
    const { time } = this.#around;
    const process = new SimulatedProcess(this.ahead);
    const life: Life = { process, follower: null, gateway: null, node: null };
    this.#life = life;
    void time
      .as(process, () => this.#begin(life))
      .then(
        (node) => {
          if (this.#life !== life) return;
          life.node = node;
          this.#watch(node);
        },
        (error: unknown) => void this.#failed(life, error),
      );
  }

  #begin(life: Life): Promise<Node> {
    const { weather, network } = this.#around;
    const argv = ['--data', this.#dataDir, '--no-demo', '--snapshot-every', '200'];
    return startNode({
      config: loadConfig({
        argv: [...argv, '--node', this.name, '--link', `${this.name}:1`],
        env: ENV,
      }),
      operatorToken: OPERATOR_TOKEN,
      log: pino({ level: 'silent' }),
      onFailure: (error) => void this.#failed(life, error),
      world: {
        openJournal: (_dataDir, { onDamaged }) =>
          openCopy(this.disk.mount(false), { segmentBytes: this.#segmentBytes }, (error) => {
            this.damages++;
            onDamaged!(error);
          }),
        startFollower: (options) => {
          life.follower = new FollowerInProcess(options, this.disk);
          return life.follower;
        },
        openAddress: () =>
          simulatedAddress((gateway) => {
            life.gateway = gateway;
          }),
        openStore: () => weather.storeOf(this.name, life.process, () => this.#life === life),
        openTransport: () => this.#transport(network.of(this.name), life),
      },
    });
  }

  /** The network as a process has it that may have ended. */
  #transport({ dial, listen }: Transport, life: Life): Transport {
    const isOver = () => this.#life !== life;
    return {
      dial: (address) => (isOver() ? Promise.reject(new LinkError('the end')) : dial(address)),
      listen: (address, onChannel) => {
        if (isOver()) throw new LinkError('the end');
        return listen(address, onChannel);
      },
    };
  }

  async #failed(life: Life, error: unknown): Promise<void> {
    if (this.#life !== life) return;
    // A start needs the store.
    if (!(error instanceof StoreError && life.node === null)) this.failures.push(error);
    const { time } = this.#around;
    await time.as(null, async () => {
      await this.crash('kill');
      await time.sleep(RESTART_MS);
      if (this.#life === null) this.start();
    });
  }

  /** Checks the state after every command. */
  #watch({ services }: Node): void {
    const { exchange } = services.engine;
    this.#check(exchange.state);
    const apply = exchange.applyNext.bind(exchange);
    exchange.applyNext = (seq, time, command) => {
      const outcome = apply(seq, time, command);
      this.#check(exchange.state);
      return outcome;
    };
  }

  /** The first state at a seq has to hold all invariants, and every other one to be the same. */
  #check(state: State): void {
    const { hashes } = this.#around;
    const { seq } = state;
    const hash = state.stateHash();
    const known = hashes.get(seq);
    if (known === undefined) checkInvariants(state);
    else if (known !== hash) throw new Error(`another state at seq ${seq}: ${hash}, not ${known}`);
    hashes.set(seq, hash);
  }

  /** The node's answer; never, where its process ends before. */
  async serve(target: string, init: RequestInit): Promise<Answer> {
    const life = this.#life;
    const { time } = this.#around;
    const forever = new Promise<never>(() => {});
    if (life === null) return forever;
    return time.as(life.process, async () => {
      // A process that stands still reads it later.
      await time.sleep(0);
      if (life.gateway === null) return forever;
      const request = requestOf(target, init);
      const response = (await life.gateway.serve(request, ORIGIN))!;
      const text = await response.text();
      if (this.#life !== life) return forever;
      return answerOf(response, text);
    });
  }

  pause(isPaused: boolean): void {
    if (this.#life !== null) this.#life.process.isPaused = isPaused;
  }

  /** The node stops as it does when it is asked to. */
  async stop(): Promise<void> {
    const life = this.#life;
    if (life === null || life.node === null) return this.crash('kill');
    const { time, network } = this.#around;
    const stopping = time.as(life.process, () => life.node!.stop()).then(() => true);
    const isStopped = await Promise.race([stopping, time.sleep(STOP_MS).then(() => false)]);
    if (this.#life !== life) return;
    if (!isStopped) {
      this.stopsThatHung++;
      return this.crash('kill');
    }
    this.#life = null;
    network.crash(this.name);
    this.disk.kill();
    time.end(life.process);
  }

  /** The process is killed, or the machine loses power. */
  async crash(how: 'kill' | 'power'): Promise<void> {
    const life = this.#life;
    const { time, network } = this.#around;
    this.#life = null;
    network.crash(this.name);
    if (how === 'kill') this.disk.kill();
    else this.disk.crash();
    if (life === null) return;
    life.process.isPaused = false;
    await life.follower?.abandon();
    time.end(life.process);
    life.node?.services.identity.close();
  }

  remove(): void {
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}
