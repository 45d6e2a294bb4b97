// A venue in a simulation: one node after the other, built as in a real process, on a disk that
// fails and a clock that steps. Views, snapshots and users are real files, which a loss of power
// leaves as they are: SQLite and renames have their own proofs.
import { Database } from 'bun:sqlite';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Config, loadConfig } from '../../src/config.ts';
import type { CreatePlan } from '../../src/core/command.ts';
import { PlanType } from '../../src/core/earn/plan.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import type { State } from '../../src/core/state.ts';
import { amount } from '../../src/core/units.ts';
import { snapshotDirectory } from '../../src/engine/snapshot-store.ts';
import type { Gateway } from '../../src/gateway/http/server.ts';
import { identityPath } from '../../src/identity/identity.ts';
import { parseMasterKeys } from '../../src/identity/master-key.ts';
import { IdentityStore } from '../../src/identity/storage/identity-store.ts';
import { type KeyTermsRow, keyPlace } from '../../src/identity/storage/sealed-secrets.ts';
import { FileJournal } from '../../src/journal/file-journal.ts';
import { type Node, startNode, type World } from '../../src/node.ts';
import { REAL_CLUSTER } from '../../src/node-cluster.ts';
import { viewsPath } from '../../src/views/view-store.ts';
import type { Answer, Key } from '../harness/sender.ts';
import { EARN } from '../support/earn.ts';
import { TRADING } from '../support/node.ts';
import { FLEXIBLE_PLAN } from '../support/plan-terms.ts';
import type { Prng } from '../support/prng.ts';
import { answerOf, OPERATOR_TOKEN, ORIGIN } from './cluster-node.ts';
import { FollowerInProcess } from './follower-in-process.ts';
import { foundOn, PLANS, submitterOf } from './foundation.ts';
import { simulatedAddress } from './simulated-address.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** Fixed, so that signatures, and with them the bytes of the journal, are those of the seed. */
const MASTER_KEY = '5a'.repeat(32);
const CUSTOMERS = 4;

const USDT = 1;
const RESERVE = 10n ** 13n;
const FLEXIBLE: CreatePlan = {
  ...FLEXIBLE_PLAN,
  assetId: USDT,
  planName: 'USDT savings',
  userAmountMin: amount(10n ** 8n),
  userAmountMax: amount(10n ** 14n),
  redeemLockHours: 2,
};
const NEW_PLANS: readonly CreatePlan[] = [
  FLEXIBLE,
  {
    ...FLEXIBLE,
    planType: PlanType.fixed,
    minLockDay: PLANS.lockDay,
    maxLockDay: PLANS.lockDay,
    supportAutoRenew: true,
  },
];

/** The start of every simulation: a journal, and a directory with the users. */
export interface Foundation {
  readonly image: ReadonlyMap<string, Uint8Array>;
  readonly directory: string;
  readonly keys: readonly Key[];
  /** The last command. */
  readonly seq: number;
}

export class SimulatedVenue {
  readonly disk: SimulatedDisk;
  readonly dataDir: string;
  /** The state hash after each command that any node has applied. */
  readonly hashes = new Map<number, string>();
  /** Called after each command that leaves another one in progress. */
  onSlice: (() => void) | null = null;
  /** The reasons to end that nodes have reported. */
  readonly failures: unknown[] = [];
  readonly #time: SimulatedTime;
  /** Smaller than an operator may choose, so that a life goes through many. */
  readonly #segmentBytes: number;
  #running: { node: Node; gateway: Gateway; follower: FollowerInProcess } | null = null;
  /** Counts the nodes so far. */
  #lives = 0;

  constructor(time: SimulatedTime, random: Prng, foundation?: Foundation) {
    this.#time = time;
    this.#segmentBytes = random.pick([4096, 16_384, 65_536]);
    this.disk = new SimulatedDisk({
      seed: random.next(),
      latency: (disk) => time.sleep(disk.oneIn(30) ? disk.below(60) : disk.below(4000) / 1000),
      ...(foundation === undefined ? {} : { image: foundation.image }),
    });
    this.dataDir = mkdtempSync(join(tmpdir(), 'agio-sim-'));
    if (foundation !== undefined) cpSync(foundation.directory, this.dataDir, { recursive: true });
  }

  /** The running node; throws when there is none. */
  get node(): Node {
    if (this.#running === null) throw new Error('no node is running');
    return this.#running.node;
  }

  /** True if a node is there that has not lost its disk. */
  get alive(): boolean {
    return this.#running !== null && !this.disk.gone && this.failures.length === 0;
  }

  /** Starts a node. Rejects as startNode does. */
  async start(): Promise<void> {
    let gateway: Gateway | undefined;
    let follower: FollowerInProcess | undefined;
    const world: World = {
      ...REAL_CLUSTER,
      openJournal: (_dataDir, options) =>
        FileJournal.open(this.disk.mount(), {
          evidence: options.evidence,
          segmentBytes: this.#segmentBytes,
        }),
      startFollower: (options) => {
        follower = new FollowerInProcess(options, this.disk);
        return follower;
      },
      openAddress: () =>
        simulatedAddress((given) => {
          gateway = given;
        }),
    };
    this.failures.length = 0;
    this.#lives++;
    try {
      const node = await startNode({
        config: this.#config(),
        operatorToken: OPERATOR_TOKEN,
        log: pino({ level: 'silent' }),
        onFailure: (error) => this.failures.push(error),
        world,
      });
      this.#running = { node, gateway: gateway!, follower: follower! };
      this.#watch(node);
    } catch (error) {
      await follower?.abandon();
      this.#time.endTimers();
      throw error;
    }
  }

  #config(): Config {
    return loadConfig({
      argv: ['--data', this.dataDir, '--no-demo', '--snapshot-every', '40'],
      env: { AGIO_MASTER_KEY: MASTER_KEY },
    });
  }

  /** Checks all invariants after every command, and compares the state with every other node's. */
  #watch({ services }: Node): void {
    const { exchange } = services.engine;
    const apply = exchange.applyNext.bind(exchange);
    exchange.applyNext = (seq, time, command) => {
      const outcome = apply(seq, time, command);
      checkInvariants(exchange.state);
      this.#compare(exchange.state);
      if (exchange.isBusy) this.onSlice?.();
      return outcome;
    };
  }

  /** Throws unless the state that the node has now is the one that was known at its seq. */
  checkHash(): void {
    this.#compare(this.node.services.engine.exchange.state);
  }

  #compare(state: State): void {
    const hash = state.stateHash();
    const known = this.hashes.get(state.seq) ?? hash;
    if (known !== hash) throw new Error(`another state at seq ${state.seq}: ${hash}, not ${known}`);
    this.hashes.set(state.seq, hash);
  }

  /** The node's answer; null when there is no node, or it ended before. */
  async serve(request: Request): Promise<Answer | null> {
    if (this.#running === null || !this.alive) return null;
    const { gateway } = this.#running;
    const life = this.#lives;
    const response = (await gateway.serve(request, ORIGIN))!;
    const text = await response.text();
    if (life !== this.#lives || !this.alive) return null;
    return answerOf(response, text);
  }

  /** The node stops as it does when it is asked to. */
  async stop(): Promise<void> {
    await this.node.stop();
    this.#running = null;
    this.#time.endTimers();
    this.disk.kill();
  }

  /** The process is killed, or the machine loses power. */
  async end(how: 'kill' | 'power'): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (how === 'kill') this.disk.kill();
    else this.disk.crash();
    this.#time.endTimers();
    if (running === null) return;
    await running.follower.abandon();
    running.node.services.identity.close();
  }

  /** The views, or the snapshots, are gone. */
  lose(what: 'views' | 'snapshots'): void {
    const path = what === 'views' ? viewsPath(this.dataDir) : snapshotDirectory(this.dataDir);
    for (const suffix of what === 'views' ? ['', '-wal', '-shm'] : ['']) {
      rmSync(path + suffix, { recursive: true, force: true });
    }
  }

  /** The details of all audit entries. */
  auditDetails(): string[] {
    using file = new Database(identityPath(this.dataDir), { readonly: true });
    return file.query<[string], []>('SELECT details FROM audit_log').values().flat() as string[];
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Founds a venue on a reliable disk: BTC-USDT, two plans, customers with money and a key. */
export async function found(time: SimulatedTime, random: Prng): Promise<Foundation> {
  const venue = new SimulatedVenue(time, random);
  await venue.start();
  const { node } = venue;
  const made = await foundOn(node, CUSTOMERS, [...TRADING, ...EARN]);
  const submit = submitterOf(node);
  for (const [index, plan] of NEW_PLANS.entries()) {
    const { planId } = await submit(plan);
    const reserve = { amount: amount(RESERVE), reference: `reserve-${index}` };
    await submit({ type: 'fundReserve', planId, ...reserve });
  }
  const keys = made.map(({ uid }) => ({
    ...{ uid, apiKey: `${uid}`.padStart(40, '0'), secretKey: `${uid}`.padStart(64, '1') },
  }));
  const { seq } = node.services.engine;
  await venue.stop();
  venue.lose('views');
  venue.lose('snapshots');
  fixKeys(venue.dataDir, keys);
  return { image: venue.disk.image(), directory: venue.dataDir, keys, seq };
}

/** Gives the keys, which were made at random, names and secrets that are the same in every run. */
function fixKeys(dataDir: string, keys: readonly Key[]): void {
  const store = IdentityStore.open(identityPath(dataDir), {
    masterKeys: parseMasterKeys(MASTER_KEY)!,
    now: Date.now,
  });
  store.write(() => {
    for (const [index, { apiKey, secretKey }] of keys.entries()) {
      const row = store
        .query<KeyTermsRow, [string, number]>(
          'UPDATE api_keys SET api_key = ? WHERE key_id = ? RETURNING *',
        )
        .get(apiKey, index + 1)!;
      const sealed = store.sealer.seal(keyPlace(row), Buffer.from(secretKey, 'ascii'));
      store.query('UPDATE api_keys SET sealed_secret = ? WHERE key_id = ?').run(sealed, row.key_id);
    }
  });
  store.close();
}
