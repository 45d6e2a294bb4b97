// The parts of a node that only a cluster has: the shared store with its clock, and the membership.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { fillFiles, newlySetAside } from './cluster/catch-up.ts';
import { ClusterClock } from './cluster/cluster-clock.ts';
import { linkCredentials } from './cluster/link/credentials.ts';
import { TlsTransport } from './cluster/link/tls-transport.ts';
import type { Transport } from './cluster/link/transport.ts';
import { Member, type MemberOptions } from './cluster/member.ts';
import { THIS_RELEASE } from './cluster/members.ts';
import { OwnMembership } from './cluster/own-membership.ts';
import { KnownDatabase } from './cluster/postgres/known-database.ts';
import { PostgresStore } from './cluster/postgres/postgres-store.ts';
import { type ClusterStore, StoreError } from './cluster/store.ts';
import { tokenFingerprint } from './cluster/token-fingerprint.ts';
import type { Config } from './config.ts';
import { DivergenceError } from './engine/follower.ts';
import { snapshotDirectory, snapshotPath, snapshotSeqs } from './engine/snapshot-store.ts';
import type { Gateway } from './gateway/http/server.ts';
import { BoundedEntries } from './gateway/limits/bounded-entries.ts';
import type { MasterKey } from './identity/master-key.ts';
import { emptyCopy, IdentityCopy } from './identity/storage/image.ts';
import type { FileJournal } from './journal/file-journal.ts';
import { ViewStore, viewsPath } from './views/view-store.ts';

interface StoreOptions extends Pick<Config, 'node'> {
  readonly url: string;
  /** The data directory of the node. */
  readonly dataDir: string;
  readonly warn: (sentence: string) => void;
}

/** The connections of a node to its cluster. A simulation replaces them. */
export interface ClusterWorld {
  openStore(options: StoreOptions): ClusterStore;
  openTransport(masterKeys: readonly MasterKey[], log: Logger): Transport;
}

export const REAL_CLUSTER: ClusterWorld = {
  openStore: ({ url, node, ...rest }) =>
    new PostgresStore({ url, node, known: new KnownDatabase(rest) }),
  openTransport: (masterKeys, log) => {
    // Anybody who reaches the port can cause one.
    const entries = new BoundedEntries();
    return new TlsTransport({
      credentials: linkCredentials(masterKeys),
      onRejected(peer, reason) {
        const omitted = entries.next();
        if (omitted === null) return;
        const facts = { peer, reason, ...(omitted === 0 ? {} : { omitted }) };
        log.warn(facts, 'a connection to the link was rejected');
      },
    });
  },
};

/** The store of a cluster, as a start needs it. */
export interface Cluster {
  readonly store: ClusterStore;
  readonly clock: ClusterClock;
  readonly transport: Transport;
  readonly membership: OwnMembership;
  /** Returns a copy of the identity in the store, and brings the files to the same moment. */
  fill(files: FileJournal): Promise<IdentityCopy>;
  /** Ends the membership and the connections. */
  leave(): Promise<void>;
}

/** Between two attempts of a start to reach the store. */
const REACH_MS = 500;

/**
 * null on a single machine. A store that cannot be reached is tried again, also by `fill`: after a
 * power cut everything starts in any order. `onWaiting` learns of it. Throws a StoreError where
 * waiting does not help.
 */
export async function openCluster(
  { config, operatorToken, log }: Pick<Options, 'config' | 'log' | 'operatorToken'>,
  masterKeys: readonly MasterKey[],
  world: ClusterWorld,
  onWaiting: (isWaiting: boolean) => void,
): Promise<Cluster | null> {
  const { databaseUrl, node, data } = config;
  if (databaseUrl === null) return null;
  const warn = (sentence: string) => log.warn(sentence);
  const store = world.openStore({ url: databaseUrl, node, dataDir: data, warn });
  const reached = <T>(act: () => Promise<T>) => repeated(act, warn, onWaiting);
  const clock = new ClusterClock();
  const membership = new OwnMembership({
    own: {
      node,
      address: config.link!,
      instance: crypto.randomUUID(),
      release: packageJson.version,
      ...THIS_RELEASE,
      token: tokenFingerprint(masterKeys, operatorToken),
    },
    store,
    warn,
  });
  try {
    await reached(() => clock.ask(() => store.readLease()));
    await reached(() => membership.register());
  } catch (error) {
    membership.close();
    await store.close();
    throw error;
  }
  return {
    store,
    clock,
    membership,
    transport: world.openTransport(masterKeys, log),
    async leave() {
      await membership.leave();
      await store.close();
    },
    fill: (files) => reached(() => fillFrom(store, files, data)),
  };
}

/** See Cluster.fill. */
async function fillFrom(
  store: ClusterStore,
  files: FileJournal,
  dataDir: string,
): Promise<IdentityCopy> {
  forgetDiverged(dataDir);
  // Customers sign up meanwhile, so the start compares both as of one moment.
  const copy = await store.readIdentity((head) => new IdentityCopy(head, emptyCopy(dataDir)));
  try {
    await fillJournal(store, files, { dataDir, endSeq: copy.head.journalSeq });
    return copy;
  } catch (error) {
    copy.close();
    throw error;
  }
}

async function fillJournal(
  store: ClusterStore,
  files: FileJournal,
  { dataDir, endSeq }: { readonly dataDir: string; readonly endSeq: number },
): Promise<void> {
  await fillFiles(store, files, endSeq);
  const added = await newlySetAside(store, files);
  // A snapshot of a node that had survived the command includes it.
  const directory = snapshotDirectory(dataDir);
  for (const seq of snapshotSeqs(directory)) {
    if (added.some((entry) => entry.seq <= seq)) rmSync(snapshotPath(directory, seq));
  }
  await files.addSetAside(added);
}

/** Tries `act` again as long as the store does not answer, or has no room. */
async function repeated<T>(
  act: () => Promise<T>,
  warn: (sentence: string) => void,
  onWaiting: (isWaiting: boolean) => void,
): Promise<T> {
  for (let reported: string | null = null; ; ) {
    try {
      const result = await act();
      onWaiting(false);
      return result;
    } catch (error) {
      const passes = error instanceof StoreError && /^(unreachable|full)$/.test(error.kind);
      if (!passes || error.isMistake) throw error;
      if (error.message !== reported) warn(`${error.message} The start waits for it.`);
      reported = error.message;
      onWaiting(true);
    }
    await new Promise((resolve) => setTimeout(resolve, REACH_MS));
  }
}

/** The part of NodeOptions that a cluster needs. */
interface Options {
  readonly config: Config;
  readonly operatorToken: string;
  readonly log: Logger;
  readonly onFailure: (error: unknown) => void;
}

interface MemberParts extends Pick<MemberOptions, 'engine' | 'identity' | 'limits' | 'onLead'> {
  readonly options: Options;
  readonly journal: FileJournal;
  readonly live: { readonly gateway: Gateway | null };
}

export function memberOf(
  { store, clock, transport, membership }: Cluster,
  { options, journal, live, ...parts }: MemberParts,
): Member {
  const { config, log, onFailure } = options;
  return new Member({
    ...parts,
    local: journal,
    membership,
    listenAddress: config.linkListen ?? config.link!,
    store,
    clock,
    transport,
    queueLimit: config.queueLimit,
    serve: (request, server) => live.gateway!.serve(request, server),
    log: (sentence) => log.info(sentence),
    warn: (sentence) => log.warn(sentence),
    onFailure(error) {
      if (error instanceof DivergenceError) markDiverged(config.data);
      onFailure(error);
    },
  });
}

/** A note that the state of this node has differed, so that the next start does not use it. */
const divergedPath = (dataDir: string): string => join(dataDir, 'diverged');

function markDiverged(dataDir: string): void {
  writeFileSync(divergedPath(dataDir), 'Views and snapshots are removed by the next start.\n', {
    flush: true,
  });
}

/** Removes everything that was made of a state that differed; the journal makes it again. */
function forgetDiverged(dataDir: string): void {
  const note = divergedPath(dataDir);
  if (!existsSync(note)) return;
  rmSync(snapshotDirectory(dataDir), { recursive: true, force: true });
  ViewStore.remove(viewsPath(dataDir));
  rmSync(note);
}
