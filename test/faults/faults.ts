// The faults that a cluster survives, as a table. Each breaks something and returns how it is
// healed; `effect` resolves when the cluster has taken notice, where nothing else is broken.
import type { Load } from '../harness/load.ts';
import type { Prng } from '../support/prng.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import type { ClusterNode } from './node-process.ts';
import { HAS_FAKETIME } from './node-process.ts';
import type { PostgresPair } from './postgres-pair.ts';
import type { RealCluster } from './real-cluster.ts';

export interface FaultWorld {
  readonly cluster: RealCluster;
  readonly database: PostgresPair;
  readonly load: Load;
  readonly random: Prng;
  /** How long PostgreSQL is down when it is down on purpose. */
  readonly outageMs: number;
  /** The leader when the round began. */
  readonly leader: ClusterNode;
  readonly epoch: number;
  readonly measured: FaultTimes;
}

/** Moments by the clock of the load. */
export interface FaultTimes {
  /** A leader of this term was killed. */
  readonly kills: { readonly at: number; readonly epoch: number }[];
  /** The lead was handed over between these. */
  readonly handovers: { readonly from: number; readonly to: number }[];
  /** Between these, nothing can have been made durable. */
  readonly outages: { readonly from: number; readonly to: number }[];
}

interface RunningFault {
  readonly heal: () => unknown;
  readonly effect?: () => Promise<unknown>;
}

export interface Fault {
  readonly name: string;
  readonly part: 'nodes' | 'PostgreSQL';
  readonly inflict: (world: FaultWorld) => RunningFault | Promise<RunningFault>;
}

/** Writes that nodes accept while something is broken, before that counts as working. */
const PROGRESS = 10;
/** Writes that fail in a row before the disk counts as full. */
const FULL_DISK_FAILURES = 100;

export const FAULTS: readonly Fault[] = [
  fault('leader killed', async (world) => {
    await killLeader(world);
    return { effect: () => nextLeader(world), heal: () => startAll(world) };
  }),
  fault('follower killed', async (world) => {
    const [node] = followers(world);
    await node!.kill();
    return { effect: () => progressWithout(world, [node!]), heal: () => startAll(world) };
  }),
  fault('leader and follower killed', async (world) => {
    const [node] = followers(world);
    await Promise.all([killLeader(world), node!.kill()]);
    return { effect: () => nextLeader(world), heal: () => startAll(world) };
  }),
  fault('all nodes killed', async (world) => {
    await Promise.all(world.cluster.nodes.map((node) => node.kill()));
    return { heal: () => startAll(world) };
  }),
  fault('leader suspended beyond its lease', (world) => {
    world.leader.signal('SIGSTOP');
    return { effect: () => nextLeader(world), heal: () => world.leader.signal('SIGCONT') };
  }),
  fault('leader cut off from PostgreSQL', (world) =>
    break_(world, world.leader.toPostgres, (proxy) => proxy.cut(), nextLeader),
  ),
  fault('nothing between leader and PostgreSQL arrives', (world) =>
    break_(world, world.leader.toPostgres, (proxy) => proxy.hold(), nextLeader),
  ),
  fault('answers of PostgreSQL to the leader do not arrive', (world) =>
    break_(world, world.leader.toPostgres, (proxy) => proxy.hold(['down']), nextLeader),
  ),
  fault('PostgreSQL far from the leader', (world) =>
    break_(world, world.leader.toPostgres, (proxy) => proxy.delay(50), progress),
  ),
  fault('link of the leader cut', (world) =>
    break_(world, [world.leader.link], (proxy) => proxy.cut(), leaderProgress),
  ),
  fault('nothing on the link of the leader arrives', (world) =>
    break_(world, [world.leader.link], (proxy) => proxy.hold(), leaderProgress),
  ),
  fault('nothing from the leader arrives on its link', (world) =>
    break_(world, [world.leader.link], (proxy) => proxy.hold(['down']), leaderProgress),
  ),
  fault('link of the leader slow', (world) =>
    break_(world, [world.leader.link], (proxy) => proxy.delay(80), progress),
  ),
  fault('connections of the link reset', (world) =>
    break_(world, [world.leader.link], (proxy) => proxy.reset(), progress),
  ),
  fault('clients of a node cut off', (world) => {
    const node = anyNode(world);
    const rest = () => progressWithout(world, [node]);
    return break_(world, [node.clients], (proxy) => proxy.cut(), rest);
  }),
  fault('answers of a node do not arrive', (world) => {
    const node = anyNode(world);
    const rest = () => progressWithout(world, [node]);
    return break_(world, [node.clients], (proxy) => proxy.hold(['down']), rest);
  }),
  fault('lead handed over', (world) => {
    const asked = askForHandover(world);
    // Where something else is broken as well, it may fail, also before anybody waits for it.
    const ended = asked.catch(() => undefined);
    return { effect: () => handedOver(world, asked), heal: () => ended };
  }),
  postgresFault('PostgreSQL killed', async ({ database: { primary } }) => {
    await primary.signal('SIGKILL');
    return { heal: () => primary.start() };
  }),
  postgresFault('PostgreSQL stopped', async (world) => {
    const { primary } = world.database;
    await primary.stop();
    return outage(world, () => primary.start());
  }),
  postgresFault('PostgreSQL suspended', async (world) => {
    const { primary } = world.database;
    await primary.signal('SIGSTOP');
    return outage(world, () => primary.signal('SIGCONT'));
  }),
  postgresFault('standby stopped', async (world) => {
    const { standby } = world.database;
    await standby.stop();
    return outage(world, () => standby.start());
  }),
  postgresFault('disk of PostgreSQL full', ({ database, load }) => {
    if (!database.hasOwnDisks) return { heal: () => undefined };
    database.fillDisk('data');
    const heal = () => database.freeDisk('data');
    return { effect: () => load.failures(FULL_DISK_FAILURES), heal };
  }),
  postgresFault('disk of the WAL full', async (world) => {
    const { database } = world;
    if (!database.hasOwnDisks) return { heal: () => undefined };
    await database.exhaustWal();
    return outage(world, () => database.freeDisk('wal'));
  }),
  ...(HAS_FAKETIME ? [wrongClock('+1h'), wrongClock('-1h')] : []),
];

function fault(name: string, inflict: Fault['inflict']): Fault {
  return { name, part: 'nodes', inflict };
}

function postgresFault(name: string, inflict: Fault['inflict']): Fault {
  return { name, part: 'PostgreSQL', inflict };
}

/** A node, which may be the leader, starts again with a clock an hour off. */
function wrongClock(offset: string): Fault {
  return fault(`clock of a node at ${offset}`, async (world) => {
    const node = anyNode(world);
    await node.kill();
    // In a mix, the other fault may keep it from starting until it is healed.
    const started = node.startSupervised(offset);
    const effect = async () => {
      await started;
      await progress(world);
    };
    const heal = async () => {
      await started;
      await node.kill();
      await node.startSupervised();
    };
    return { effect, heal };
  });
}

function break_(
  world: FaultWorld,
  proxies: readonly TcpProxy[],
  how: (proxy: TcpProxy) => void,
  effect: (world: FaultWorld) => Promise<unknown>,
): RunningFault {
  for (const proxy of proxies) how(proxy);
  const heal = (): void => {
    for (const proxy of proxies) proxy.heal();
  };
  return { effect: () => effect(world), heal };
}

/** Nothing is durable until `end`. */
function outage(world: FaultWorld, end: () => Promise<void>): RunningFault {
  const from = performance.now();
  const heal = async (): Promise<void> => {
    world.measured.outages.push({ from, to: performance.now() });
    await end();
  };
  return { effect: () => Bun.sleep(world.outageMs), heal };
}

const followers = ({ cluster, leader }: FaultWorld): ClusterNode[] =>
  cluster.nodes.filter((node) => node !== leader);

const anyNode = ({ cluster, random }: FaultWorld): ClusterNode => random.pick(cluster.nodes);

async function killLeader({ leader, epoch, measured }: FaultWorld): Promise<void> {
  measured.kills.push({ at: performance.now(), epoch });
  await leader.kill();
}

async function startAll({ cluster }: FaultWorld): Promise<void> {
  const ended = cluster.nodes.filter((node) => !node.isRunning);
  await Promise.all(ended.map((node) => node.startSupervised()));
}

async function nextLeader(world: FaultWorld): Promise<void> {
  const { node } = await world.cluster.leader(world.epoch);
  await world.load.progress(PROGRESS, [node]);
}

const progress = ({ load }: FaultWorld): Promise<void> => load.progress(PROGRESS);

const leaderProgress = ({ load, leader }: FaultWorld): Promise<void> =>
  load.progress(PROGRESS, [leader]);

const progressWithout = ({ load, cluster }: FaultWorld, out: readonly ClusterNode[]) =>
  load.progress(
    PROGRESS,
    cluster.nodes.filter((node) => !out.includes(node)),
  );

interface Handover {
  readonly from: number;
  readonly to: ClusterNode;
}

/** Asks a node to hand the lead over to a follower. */
async function askForHandover(world: FaultWorld): Promise<Handover> {
  const { cluster, random } = world;
  const to = random.pick(followers(world));
  const from = performance.now();
  await cluster.operator(random.pick(cluster.nodes), 'cluster/lead', { node: to.name });
  return { from, to };
}

async function handedOver(
  { cluster, load, epoch, measured }: FaultWorld,
  asked: Promise<Handover>,
): Promise<void> {
  const { from, to } = await asked;
  const { node } = await cluster.leader(epoch);
  if (node !== to) throw new Error(`${node.name} leads after a handover to ${to.name}`);
  measured.handovers.push({ from, to: performance.now() });
  await load.progress(PROGRESS);
}
