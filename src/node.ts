// A node: one process of agio, put together from its parts in the order in which they depend on
// each other, and taken apart in the reverse order. Nothing else knows all parts.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { planReserves } from './contract/operator/plan-reserve.ts';
import type { State } from './core/state.ts';
import { requirePlausibleClock, systemClock, timeText, watchedClock } from './engine/clock.ts';
import { durabilityEvidence } from './engine/durability-evidence.ts';
import { Engine } from './engine/engine.ts';
import { checkpointOf } from './engine/follower.ts';
import {
  type FollowerHandle,
  type FollowerStart,
  startFollower,
} from './engine/follower-handle.ts';
import { type JournalFacts, journalFacts, unownedUids } from './engine/identity-facts.ts';
import { KeyMemory } from './engine/key-memory.ts';
import { recover } from './engine/recovery.ts';
import {
  renewSnapshots,
  type SnapshotKey,
  snapshotDirectory,
  snapshotSeqs,
  snapshotsOf,
} from './engine/snapshot-store.ts';
import { truncateArchived } from './engine/truncation.ts';
import { LoginSignatures } from './gateway/auth/login-signatures.ts';
import { closeRevoked, openStreams } from './gateway/auth/stream-gate.ts';
import { ApiDocuments } from './gateway/http/api-documents.ts';
import { Gateway } from './gateway/http/server.ts';
import { SharedAnswers } from './gateway/http/shared-answers.ts';
import { WebPages } from './gateway/http/web-pages.ts';
import { Limits } from './gateway/limits/limits.ts';
import { Load } from './gateway/limits/load.ts';
import { StatementsUnderWay } from './gateway/limits/statements-under-way.ts';
import { Metrics } from './gateway/operations/metrics.ts';
import { ReserveWatch } from './gateway/operations/reserve-watch.ts';
import { routes } from './gateway/routes/routes.ts';
import type { Services } from './gateway/services.ts';
import type { Accounts } from './identity/accounts/accounts.ts';
import { IdentityError } from './identity/errors.ts';
import { type Identity, identityPath, openIdentity } from './identity/identity.ts';
import type { MailOptions } from './identity/mail/mailer.ts';
import { derivedKeys, loadMasterKeys, SNAPSHOTS } from './identity/master-key.ts';
import { OperatorToken } from './identity/operator-token.ts';
import { unownedText } from './identity/users.ts';
import type { FileJournal } from './journal/file-journal.ts';
import { type OpenJournalOptions, openFileJournal } from './journal/open-journal.ts';
import type { Streams } from './streams/streams.ts';
import { diskTroubleOf } from './views/disk-trouble.ts';

/** Where `npm run build` leaves the user interface. */
const WEB_BUILD = join(import.meta.dir, '../dist/web');
/** The documents of the checkout; those of the API are served. */
const DOCUMENTS = join(import.meta.dir, '../docs');

/** Before the streams are open. */
const NO_USAGE = { buffered: 0, snapshotBytes: 0, refused: 0 };

/** Time servers correct clocks by less than this all the time. */
const CLOCK_BEHIND_MS = 10_000;

export interface Node {
  /** Where it listens, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly services: Services;
  /** Refuses what comes now, answers what was accepted, snapshots, and lets go of everything. */
  stop(): Promise<void>;
}

/**
 * What connects a node with the world. A simulation connects it with one of its own; all else stays
 * as it is.
 */
export interface World {
  /** As openFileJournal. */
  openJournal(dataDir: string, options: OpenJournalOptions): Promise<FileJournal>;
  /** As startFollower. */
  startFollower(options: FollowerStart): FollowerHandle;
  /** Throws when the address is taken or not of this machine; looked at before anything is made. */
  requireAddress(config: Config): void;
  /** Lets requests come to the gateway, and returns the URL. Throws when the address is taken. */
  listen(gateway: Gateway, config: Config): string;
}

/** Files, threads and sockets of this machine. */
export const REAL_WORLD: World = {
  openJournal: openFileJournal,
  startFollower,
  requireAddress: ({ host, port }) =>
    Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true),
  listen: (gateway, { host, port }) => gateway.listen(host, port),
};

export interface NodeOptions {
  readonly config: Config;
  readonly operatorToken: string;
  readonly log: Logger;
  /** Something is broken that only a restart may mend; the process must end. */
  readonly onFailure: (error: unknown) => void;
  readonly world?: World;
}

/**
 * Recovers the state from the data directory and serves it. Throws what its parts throw; nothing
 * then remains held.
 */
export async function startNode(options: NodeOptions): Promise<Node> {
  const closers: (() => void | Promise<void>)[] = [];
  const release = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await assemble(options, closers, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function assemble(
  { config, operatorToken, log, onFailure, world = REAL_WORLD }: NodeOptions,
  closers: (() => void | Promise<void>)[],
  release: () => Promise<void>,
): Promise<Node> {
  const dataDir = config.data;
  // Refused before the directory is made, so that a refused start leaves nothing behind.
  const keySource = { configured: config.masterKey, dataDir };
  if (config.mode === 'production') loadMasterKeys({ ...keySource, mayCreate: false });
  world.requireAddress(config);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Takes the lock on the directory, and closing it gives the lock back.
  const { segmentBytes, archive } = config;
  const evidence = durabilityEvidence(dataDir);
  const journal = await world.openJournal(dataDir, { segmentBytes, archive, evidence });
  closers.push(() => journal.close());
  const warn = (sentence: string) => log.warn(sentence);
  if (journal.cutBytes > 0) {
    const { cutBytes: bytes, head } = journal;
    log.warn({ bytes, afterSeq: head.seq }, 'a batch that a crash has torn was cut');
  }
  const masterKeys = loadMasterKeys({
    ...keySource,
    // A journal with commands has had a master key: a fresh one would open nothing.
    mayCreate: config.mode === 'sandbox' && journal.head.seq === 0,
  });
  const snapshotKeys: readonly SnapshotKey[] = derivedKeys(masterKeys, SNAPSHOTS);
  const snapshots = snapshotsOf(dataDir, snapshotKeys);
  const recovered = await recover(journal, snapshots, warn);
  const { exchange, snapshotSeq, replayed } = recovered;
  try {
    renewSnapshots(snapshots);
  } catch (error) {
    if (diskTroubleOf(error) === null) throw error;
    warn(`Snapshots stay under an older master key, which is still needed: ${error}.`);
  }
  log.info({ seq: exchange.state.seq, snapshotSeq, replayed }, 'state recovered');

  if (config.mode === 'production') {
    requirePlausibleClock(exchange.state, systemClock, config.maxPauseDays);
  }
  const mail: MailOptions = {
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    onFailure: (failure) => log.warn({ ...failure }, 'a mail was not delivered'),
  };
  const journaled = journalFacts(exchange.state);
  requireIdentity(dataDir, journaled);
  const identity = openIdentity({
    dataDir,
    masterKeys,
    mail,
    journal: journaled,
    onAltered: onFailure,
    onAuditDeferred: ({ actor, action, object, result }, error) =>
      log.error(
        { actor, action, object, result, why: String(error) },
        'an audit entry could not be written: it is kept in memory and written later',
      ),
  });
  closers.push(() => identity.close());
  closers.push(() => identity.mailer.close());
  if (identity.upgraded) log.warn('identity.db had no MACs and was believed as it is, this once');
  requireSameHistory(identity, exchange.state, config, log);

  const wall =
    config.mode === 'production'
      ? watchedClock(systemClock, exchange.state, config.maxPauseDays, onFailure)
      : systemClock;
  let follower: FollowerHandle | null = null;
  let streams: Streams | null = null;
  let availability: 'ready' | 'starting' | 'stopping' = 'starting';
  const engine = new Engine({
    exchange,
    journal,
    wall,
    epoch: recovered.epoch + 1,
    queueLimit: config.queueLimit,
    onApplied: (seq) => follower?.notifyDurable(seq),
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
  follower = world.startFollower({
    dataDir,
    archive,
    snapshotKeys,
    snapshotEvery: config.snapshotEvery,
    leader: () => checkpointOf(exchange),
    onFailure,
    warn,
  });
  const views = follower;
  views.notifyDurable(journal.head.seq);
  closers.push(() => views.stop());

  const reserves = () => planReserves(exchange.state, config.reserveAlarmDays);
  const load = new Load(() => engine.queueLength / config.queueLimit);
  let gateway: Gateway | null = null;
  const services: Services = {
    config,
    engine,
    views,
    identity,
    accounts: accountsOf(identity, engine, log),
    sharedAnswers: new SharedAnswers(() => engine.seq),
    node: {
      snapshotKeys,
      snapshot: () => views.snapshot(),
      journalHead: () => ({
        seq: journal.head.seq,
        chainHash: Buffer.from(journal.head.chainHash).toString('hex'),
      }),
      follower: views,
      truncateJournal: (archived) =>
        truncateArchived(journal, {
          archived,
          snapshots: snapshotSeqs(snapshotDirectory(dataDir)),
          viewsSeq: views.appliedSeq,
        }),
    },
    limits: new Limits(config.rateLimits),
    load,
    logins: new LoginSignatures(),
    statements: new StatementsUnderWay(),
    metrics: new Metrics({
      seq: () => engine.seq,
      syncTimes: engine.syncTimes,
      follower: views,
      businessAhead: () => engine.ahead / 1000,
      queueLength: () => engine.queueLength,
      storageFull: () => engine.storageFull,
      openOrders: () => exchange.state.orders.size,
      streamConnections: () => streams?.connectionCount ?? 0,
      streamFailures: () => streams?.failures ?? 0,
      streamUsage: () => streams?.usage ?? NO_USAGE,
      mailsWaiting: () => identity.mailer.waiting,
      mailsLost: () => identity.mailer.lost,
      auditDeferred: () => identity.audit.deferred,
      planReserves: reserves,
      load,
      connections: () => gateway?.connections ?? null,
    }),
    log,
    availability: () => availability,
  };
  const opened = openStreams(services);
  streams = opened;
  closers.push(() => opened.close());
  identity.revocations.subscribe((revocation) => closeRevoked(opened, revocation));
  const opening = new Gateway({
    services,
    routes,
    operatorToken: new OperatorToken(operatorToken),
    pages: new WebPages({
      directory: WEB_BUILD,
      mode: config.mode,
      documents: new ApiDocuments(DOCUMENTS),
    }),
    streams: opened,
  });
  gateway = opening;
  const url = world.listen(opening, config);
  closers.push(() => opening.close());
  engine.start();
  const keyMemory = new KeyMemory({
    engine,
    goneOf: (keyIds) => identity.apiKeys.goneOf(keyIds),
    warn,
  });
  keyMemory.start();
  closers.push(() => keyMemory.stop());
  const watch = new ReserveWatch({ reserves, assets: exchange.state.assets, log });
  watch.start();
  closers.push(() => watch.stop());
  availability = 'ready';
  return {
    url,
    services,
    async stop() {
      availability = 'stopping';
      await Promise.all([engine.stop(), opened.announceStop()]);
      await release();
    },
  };
}

/** What the use cases of identity need of the core and of the log. */
const accountsOf = (identity: Identity, engine: Engine, log: Logger): Accounts => ({
  identity,
  coreUsers: {
    find: (uid) => engine.exchange.state.users[uid],
    async create() {
      const { outcome } = await engine.submit({ type: 'createUser', kyc: false });
      if (outcome.ok) return outcome.result.uid;
      throw new Error(`the core refused a new user: ${outcome.reject.name}`);
    },
  },
  wall: () => engine.wall(),
  onMailFailure: (error) => log.error({ err: error }, 'a mail could not be written'),
});

/** A new, empty identity beside a journal with people in it would take everybody's account away. */
function requireIdentity(dataDir: string, { users }: JournalFacts): void {
  const path = identityPath(dataDir);
  if (users === 0 || (existsSync(path) && statSync(path).size > 0)) return;
  throw new IdentityError(
    `${path} is missing or empty, but the journal has ${users} users: restore it from a backup.`,
  );
}

/**
 * Identity and journal belong together; one of them restored alone would give people other people's
 * money, or nobody's.
 */
function requireSameHistory(
  { users }: Identity,
  state: State,
  { acceptUnowned }: Config,
  log: Logger,
): void {
  const [highest, highestCore] = [users.highestUid(), state.users.length - 1];
  if (highest > highestCore) {
    throw new IdentityError(
      `identity.db knows uid ${highest}, but the journal only goes up to uid ${highestCore}: one of them was restored without the other. Restore both from the same backup.`,
    );
  }
  const unowned = unownedUids(state, users.uids());
  if (unowned.length === 0) return;
  if (!acceptUnowned) throw new IdentityError(unownedText(unowned));
  log.warn(
    { uids: unowned },
    'users of the journal are unknown to identity.db: nobody can use them until each is attached',
  );
}
