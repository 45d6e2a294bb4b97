// The parts of a node that only a cluster has: the shared store with its clock, and the membership.
import type { Logger } from 'pino';
import { fillFiles } from './cluster/catch-up.ts';
import { ClusterClock } from './cluster/cluster-clock.ts';
import { linkCredentials } from './cluster/link/credentials.ts';
import { TlsTransport } from './cluster/link/tls-transport.ts';
import type { Transport } from './cluster/link/transport.ts';
import { Member } from './cluster/member.ts';
import { PostgresStore } from './cluster/postgres/postgres-store.ts';
import type { ClusterStore } from './cluster/store.ts';
import type { Config } from './config.ts';
import type { Engine } from './engine/engine.ts';
import type { Gateway } from './gateway/http/server.ts';
import type { Limits } from './gateway/limits/limits.ts';
import type { Identity } from './identity/identity.ts';
import type { MasterKey } from './identity/master-key.ts';
import type { IdentityImage } from './identity/storage/change.ts';
import type { FileJournal } from './journal/file-journal.ts';

/** The connections of a node to its cluster. A simulation replaces them. */
export interface ClusterWorld {
  openStore(databaseUrl: string, node: string): ClusterStore;
  openTransport(masterKeys: readonly MasterKey[], log: Logger): Transport;
}

export const REAL_CLUSTER: ClusterWorld = {
  openStore: (url, node) => new PostgresStore({ url, node }),
  openTransport: (masterKeys, log) =>
    new TlsTransport({
      credentials: linkCredentials(masterKeys),
      onRefused: (peer, reason) =>
        log.warn({ peer, reason }, 'a connection to the link was refused'),
    }),
};

/** The store of a cluster, as a start needs it. */
export interface Cluster {
  readonly store: ClusterStore;
  readonly clock: ClusterClock;
  readonly transport: Transport;
  /** Brings the files to the end of the store; returns its identity. */
  fill(files: FileJournal): Promise<IdentityImage>;
}

/** null on a single machine. Throws a StoreError where the store refuses this node. */
export async function openCluster(
  { config: { databaseUrl, node }, log }: Pick<Options, 'config' | 'log'>,
  masterKeys: readonly MasterKey[],
  world: ClusterWorld,
): Promise<Cluster | null> {
  if (databaseUrl === null) return null;
  const store = world.openStore(databaseUrl, node);
  const clock = new ClusterClock();
  try {
    await clock.ask(() => store.readLease());
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    store,
    clock,
    transport: world.openTransport(masterKeys, log),
    async fill(files) {
      // Identity first: it must not know a user whose command these files lack.
      const image = await store.readIdentity();
      await fillFiles(store, files);
      return image;
    },
  };
}

/** The part of NodeOptions that a cluster needs. */
interface Options {
  readonly config: Config;
  readonly log: Logger;
  readonly onFailure: (error: unknown) => void;
}

interface MemberParts {
  readonly options: Options;
  readonly journal: FileJournal;
  readonly engine: Engine;
  readonly identity: Identity;
  readonly limits: Limits;
  readonly live: { readonly gateway: Gateway | null };
}

export function memberOf(
  { store, clock, transport }: Cluster,
  { options, journal, engine, identity, limits, live }: MemberParts,
): Member {
  const { config, log, onFailure } = options;
  return new Member({
    node: config.node,
    address: config.link!,
    store,
    clock,
    transport,
    local: journal,
    engine,
    identity,
    limits,
    queueLimit: config.queueLimit,
    serve: (request, server) => live.gateway!.serve(request, server),
    log: (sentence) => log.info(sentence),
    warn: (sentence) => log.warn(sentence),
    onFailure,
  });
}
