// A node: one process of agio. It opens its parts in the order of their dependencies and closes
// them in the reverse order. Only this file knows all parts.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Member } from './cluster/member.ts';
import type { Config } from './config.ts';
import { planReserves } from './contract/operator/plan-reserve.ts';
import { BinanceDialect } from './dialects/binance/binance.ts';
import {
  requirePlausibleClock,
  systemClock,
  timeText,
  type WallClock,
  watchedClock,
} from './engine/clock.ts';
import { Engine } from './engine/engine.ts';
import { checkpointOf } from './engine/follower.ts';
import {
  type FollowerHandle,
  type FollowerStart,
  startFollower,
} from './engine/follower-handle.ts';
import { KeyMemory } from './engine/key-memory.ts';
import { durabilityEvidence, type RecoveredState, recover } from './engine/recovery.ts';
import { ReplayMark } from './engine/replay-mark.ts';
import {
  renewSnapshots,
  type SnapshotKey,
  snapshotDirectory,
  snapshotSeqs,
  snapshotsOf,
} from './engine/snapshot-store.ts';
import { truncateArchived } from './engine/truncation.ts';
import { OperatorToken } from './gateway/auth/authenticate.ts';
import { RejectedLogins } from './gateway/auth/rejected-logins.ts';
import { closeRevoked, openStreams } from './gateway/auth/stream-gate.ts';
import { ApiDocuments } from './gateway/http/api-documents.ts';
import { readAssetIcons } from './gateway/http/asset-icons.ts';
import { HttpListener } from './gateway/http/listener.ts';
import { Gateway } from './gateway/http/server.ts';
import { SharedAnswers } from './gateway/http/shared-answers.ts';
import { linksOf, WebPages } from './gateway/http/web-pages.ts';
import { Limits } from './gateway/limits/limits.ts';
import { type Availability, Load } from './gateway/limits/load.ts';
import { Metrics } from './gateway/operations/metrics.ts';
import type { StartReason } from './gateway/operations/readiness.ts';
import { ReserveWatch } from './gateway/operations/reserve-watch.ts';
import { auditSkips } from './gateway/operations/skip-audit.ts';
import { routes } from './gateway/routes/routes.ts';
import type { Services } from './gateway/services.ts';
import type { Accounts } from './identity/accounts/accounts.ts';
import type { Identity } from './identity/identity.ts';
import { derivedKeys, loadMasterKeys, type MasterKey, SNAPSHOTS } from './identity/master-key.ts';
import type { PasswordCost } from './identity/proofs/passwords.ts';
import type { FileJournal } from './journal/file-journal.ts';
import type { JournalError } from './journal/journal.ts';
import { type OpenJournalOptions, openFileJournal } from './journal/open-journal.ts';
import { requireSigned } from './journal/set-aside.ts';
import { requireNotMoved } from './moved-venue.ts';
import { type ClusterWorld, memberOf, openCluster, REAL_CLUSTER } from './node-cluster.ts';
import { openIdentityFor } from './node-identity.ts';
import type { Streams } from './streams/streams.ts';
import { diskTroubleOf } from './views/disk-trouble.ts';

/** The output of `npm run build`: the user interface. */
const WEB_BUILD = join(import.meta.dir, '../dist/web');
/** The documents of the checkout; the node serves those of the API. */
const DOCUMENTS = join(import.meta.dir, '../docs');

/** Time servers regularly correct clocks by less than this. */
const CLOCK_BEHIND_MS = 10_000;

export interface Node {
  /** Where it listens, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly services: Services;
  /**
   * Rejects new requests after the stop delay, answers accepted ones, takes a snapshot and closes
   * every part.
   */
  stop(): Promise<void>;
}

/** The node's connections to the outside. A simulation replaces them and nothing else. */
export interface World extends ClusterWorld {
  /** See openFileJournal. */
  openJournal(dataDir: string, options: OpenJournalOptions): Promise<FileJournal>;
  /** See startFollower. */
  startFollower(options: FollowerStart): FollowerHandle;
  /** Throws where the address is taken or not of this machine; called before anything exists. */
  openAddress(config: Config, log: Logger): Address;
}

/** The address of a server that starts. */
export interface Address {
  readonly url: string;
  /** The reason why it does not serve yet. */
  reason: StartReason;
  /** Answers requests there with the gateway, which also closes it. */
  handTo(gateway: Gateway): void | Promise<void>;
  close(): void | Promise<void>;
}

/** Files, threads and sockets of this machine. */
export const REAL_WORLD: World = {
  openJournal: openFileJournal,
  startFollower,
  openAddress: (config, log) => new HttpListener(config, log),
  ...REAL_CLUSTER,
};

export interface NodeOptions {
  readonly config: Config;
  readonly operatorToken: string;
  readonly log: Logger;
  /** Called for a fault that only a restart can repair: the process must end. */
  readonly onFailure: (error: unknown) => void;
  readonly world?: World;
  /** Only tests hash passwords at a lower cost; no setting does. */
  readonly passwordCost?: PasswordCost;
}

/** The opened parts of a node, closed in the reverse order. */
class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];

  onClose(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}

/**
 * Recovers the state from the data directory and serves it. Throws the errors of its parts, and
 * then holds nothing.
 */
export async function startNode(options: NodeOptions): Promise<Node> {
  const opened = new Closers();
  try {
    return await assemble(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function assemble(options: NodeOptions, opened: Closers): Promise<Node> {
  const { config, log, world = REAL_WORLD } = options;
  // Checked before the directory exists, so that a rejected start leaves nothing behind.
  if (config.mode === 'production') masterKeysOf(config, false);
  const address = world.openAddress(config, log);
  opened.onClose(() => address.close());
  const journal = await openJournal(options, world, opened);
  const masterKeys = masterKeysOf(config, journal.head.seq === 0);
  const cluster = await openCluster(options, masterKeys, world, (isWaiting) => {
    address.reason = isWaiting ? 'waitingForDatabase' : 'starting';
  });
  opened.onClose(() => cluster?.leave());
  const copy = await cluster?.fill(journal);
  const wall = cluster?.clock.now ?? systemClock;
  const snapshotKeys = derivedKeys(masterKeys, SNAPSHOTS);
  const recovered = await recoverState(journal, { config, wall, snapshotKeys, log });
  const identity = openIdentityFor(
    recovered.exchange,
    { masterKeys, copy, wall },
    options,
    (close) => opened.onClose(close),
  );
  const live: Live = { availability: 'starting', streams: null, gateway: null, member: null };
  const parts = { journal, recovered, snapshotKeys, wall, live, opened };
  const { engine, follower } = startFollowed(options, parts);
  if (cluster === null) engine.lead({ journal, epoch: recovered.epoch + 1 });
  const limits = new Limits(config.rateLimits);
  const shared = { journal, engine, identity, limits };
  const onLead = () => auditSkips(identity, journal);
  if (cluster === null) await onLead();
  else live.member = memberOf(cluster, { options, ...shared, live, onLead });
  const services = servicesOf(options, { ...shared, snapshotKeys, follower }, live);
  const streams = openStreams(services);
  live.streams = streams;
  opened.onClose(() => streams.close());
  identity.revocations.subscribe((revocation) => closeRevoked(streams, revocation));
  const gateway = gatewayOf(services, options, streams);
  live.gateway = gateway;
  opened.onClose(() => gateway.close());
  if (live.member === null) engine.start();
  else await live.member.start();
  startWatches(services, opened);
  live.availability = 'ready';
  await address.handTo(gateway);
  return {
    url: address.url,
    services,
    async stop() {
      live.availability = 'draining';
      if (config.stopDelay > 0) await Bun.sleep(config.stopDelay * 1000);
      live.availability = 'stopping';
      await Promise.all([live.member?.stop(), streams.announceStop()]);
      await engine.stop();
      await opened.close();
    },
  };
}

/** Opens the journal with the lock on the data directory. */
async function openJournal(
  { config, log }: NodeOptions,
  world: World,
  opened: Closers,
): Promise<FileJournal> {
  const { data: dataDir, segmentBytes, archive, databaseUrl } = config;
  // The records of a cluster are durable in its store, so the files may be behind other files.
  const durable = databaseUrl === null;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const evidence = durable ? durabilityEvidence(dataDir) : [];
  const onDamaged = durable
    ? null
    : ({ message: why }: JournalError) =>
        log.warn({ why }, 'damaged journal files were set aside: the database has every record');
  const journal = await world.openJournal(dataDir, { segmentBytes, archive, evidence, onDamaged });
  opened.onClose(() => journal.close());
  if (durable) requireNotMoved(dataDir, config.acceptMoved);
  if (journal.cutBytes > 0) {
    const { cutBytes: bytes, head } = journal;
    log.warn({ bytes, afterSeq: head.seq }, 'a batch that a crash has torn was cut');
  }
  return journal;
}

/**
 * The master keys. Only an empty sandbox may create one: a journal with commands has had a master
 * key, and a new one would open nothing.
 */
const masterKeysOf = ({ masterKey, data, mode }: Config, isEmpty: boolean): MasterKey[] =>
  loadMasterKeys({
    configured: masterKey,
    dataDir: data,
    mayCreate: mode === 'sandbox' && isEmpty,
  });

interface RecoveryOptions extends Pick<NodeOptions, 'config' | 'log'> {
  readonly wall: WallClock;
  readonly snapshotKeys: readonly SnapshotKey[];
}

/** Recovers the state from the newest snapshot and the journal after it. */
async function recoverState(
  journal: FileJournal,
  { config, wall, snapshotKeys, log }: RecoveryOptions,
): Promise<RecoveredState> {
  const { data, mode, maxPauseDays } = config;
  const warn = (sentence: string) => log.warn(sentence);
  const snapshots = snapshotsOf(data, snapshotKeys);
  const setAside = await journal.setAside();
  requireSigned(setAside, snapshotKeys);
  const recovered = await recover(journal, snapshots, warn, {
    mark: new ReplayMark(data, 'start'),
    dataDir: data,
    setAside: setAside.map(({ seq }) => seq),
  });
  const { exchange, snapshotSeq, replayed } = recovered;
  try {
    renewSnapshots(snapshots);
  } catch (error) {
    if (diskTroubleOf(error) === null) throw error;
    warn(`Snapshots stay under an older master key, which is still needed: ${error}.`);
  }
  log.info({ seq: exchange.state.seq, snapshotSeq, replayed }, 'state recovered');
  if (mode === 'production') requirePlausibleClock(exchange.state, wall, maxPauseDays);
  return recovered;
}

interface EngineParts {
  readonly journal: FileJournal;
  readonly recovered: RecoveredState;
  readonly snapshotKeys: readonly SnapshotKey[];
  readonly wall: WallClock;
  readonly live: Live;
  readonly opened: Closers;
}

/** Creates the engine, which does nothing yet, and starts its follower. */
function startFollowed(
  { config, log, onFailure, world = REAL_WORLD }: NodeOptions,
  { journal, recovered, snapshotKeys, wall, live, opened }: EngineParts,
): { readonly engine: Engine; readonly follower: FollowerHandle } {
  const { exchange } = recovered;
  const { mode, maxPauseDays } = config;
  let follower: FollowerHandle | null = null;
  const engine = new Engine({
    exchange,
    wall:
      mode === 'production' ? watchedClock(wall, exchange.state, maxPauseDays, onFailure) : wall,
    queueLimit: config.queueLimit,
    onApplied(seq) {
      follower?.notifyDurable(seq);
      live.member?.applied(seq);
    },
    onStorageFull(error) {
      if (error === null) log.warn('there is room for the journal again: writes are accepted');
      else log.error(`${error.message} Writes are answered 503.`);
    },
    onFailure,
  });
  if (engine.ahead > CLOCK_BEHIND_MS) {
    const lastCommand = timeText(exchange.state.time);
    log.error({ lastCommand }, 'the clock is behind the last command: business time runs slower');
  }
  const started = world.startFollower({
    dataDir: config.data,
    archive: config.archive,
    snapshotKeys,
    snapshotEvery: config.snapshotEvery,
    leader: () => checkpointOf(exchange),
    orderId: () => exchange.state.next.orderId,
    queueLength: () => engine.queueLength,
    onFailure,
    warn: (sentence) => log.warn(sentence),
  });
  follower = started;
  started.notifyDurable(journal.head.seq);
  opened.onClose(() => started.stop());
  return { engine, follower: started };
}

/** Parts that exist only after the services, and that the services read. */
interface Live {
  availability: Availability;
  streams: Streams | null;
  gateway: Gateway | null;
  member: Member | null;
}

interface ServiceParts {
  readonly journal: FileJournal;
  readonly snapshotKeys: readonly SnapshotKey[];
  readonly engine: Engine;
  readonly follower: FollowerHandle;
  readonly identity: Identity;
  readonly limits: Limits;
}

function servicesOf(options: NodeOptions, parts: ServiceParts, live: Live): Services {
  const { config, log } = options;
  const { journal, snapshotKeys, engine, follower, identity, limits } = parts;
  const load = new Load(() => engine.queueLength / config.queueLimit);
  return {
    config,
    engine,
    views: follower,
    identity,
    accounts: accountsOf(identity, engine, log),
    rejectedLogins: new RejectedLogins(),
    sharedAnswers: new SharedAnswers(() => engine.seq),
    node: {
      snapshotKeys,
      snapshot: () => follower.snapshot(),
      journalHead: () => ({
        seq: journal.head.seq,
        chainHash: Buffer.from(journal.head.chainHash).toString('hex'),
      }),
      follower,
      truncateJournal: (archived) =>
        truncateArchived(journal, {
          archived,
          snapshots: snapshotSeqs(snapshotDirectory(config.data)),
          viewsSeq: follower.appliedSeq,
        }),
    },
    cluster: live.member,
    limits,
    load,
    metrics: new Metrics({
      engine,
      follower,
      identity,
      planReserves: () => planReserves(engine.exchange.state, config.reserveAlarmDays),
      load,
      streams: () => live.streams,
      connections: () => live.gateway?.connections ?? null,
    }),
    log,
    availability: () => live.availability,
  };
}

const gatewayOf = (
  services: Services,
  { config, operatorToken }: NodeOptions,
  streams: Streams,
): Gateway =>
  new Gateway({
    services,
    routes,
    operatorToken: new OperatorToken(operatorToken),
    pages: new WebPages({
      directory: WEB_BUILD,
      mode: config.mode,
      documents: new ApiDocuments(DOCUMENTS),
      links: linksOf(config),
      icons: readAssetIcons(config.assetIcons),
    }),
    streams,
    dialects: [new BinanceDialect(services, streams)],
  });

/** Starts the periodic tasks: the memory of keys, and the alarm of reserves. */
function startWatches({ engine, identity, cluster, config, log }: Services, opened: Closers): void {
  const { state } = engine.exchange;
  const keyMemory = new KeyMemory({
    engine,
    goneOf: (keyIds) => (cluster?.leads === false ? [] : identity.apiKeys.goneOf(keyIds)),
    warn: (sentence) => log.warn(sentence),
  });
  keyMemory.start();
  opened.onClose(() => keyMemory.stop());
  const reserves = () => planReserves(state, config.reserveAlarmDays);
  const watch = new ReserveWatch({ reserves, assets: state.assets, log });
  watch.start();
  opened.onClose(() => watch.stop());
}

/** The services that the use cases of identity need. */
const accountsOf = (identity: Identity, engine: Engine, log: Logger): Accounts => ({
  identity,
  coreUsers: {
    find: (uid) => engine.exchange.state.users[uid],
    async create() {
      const { outcome } = await engine.submit({ type: 'createUser', kyc: false });
      if (outcome.ok) return outcome.result.uid;
      throw new Error(`the core rejected a new user: ${outcome.reject.name}`);
    },
  },
  wall: () => engine.wall(),
  onMailFailure: (error) => log.error({ err: error }, 'a mail could not be written'),
});
