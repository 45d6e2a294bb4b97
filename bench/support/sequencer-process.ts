// The sequencer's thread alone: an engine with a file journal, which gets its commands over a ring
// and writes each outcome back. No HTTP, no limits, no follower, and no text of answers.
import { BinaryReader } from '../../src/core/binary.ts';
import { decodeCommand } from '../../src/core/command-form.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { systemClock } from '../../src/engine/clock.ts';
import type { Receipt } from '../../src/engine/command-port.ts';
import { Engine } from '../../src/engine/engine.ts';
import { beginFrame } from '../../src/gateway/relay/frames.ts';
import { WAKE } from '../../src/gateway/threads/control.ts';
import { Down } from '../../src/gateway/threads/frames.ts';
import { Link } from '../../src/gateway/threads/link.ts';
import { Ring, ringMemory } from '../../src/gateway/threads/ring.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { argumentOf, report } from './processes.ts';
import type { FromFeeder, ToFeeder } from './sequencer-commands.ts';
import { venueCommands } from './venue.ts';

export interface SequencerRun {
  readonly dataDir: string;
  /** Commands before the clock starts. */
  readonly warmUp: number;
  readonly commands: number;
  readonly inFlight: number;
}

export interface SequencerSpeed {
  readonly perSecond: number;
  /** Processor time of the thread for a command, µs. */
  readonly cpu: number;
  readonly commandsPerSync: number;
}

const USERS = 64;
const MAX_OPEN_ORDERS = 100_000;
const RING_BYTES = 1 << 21;

const fail = (error: unknown): never => {
  throw error;
};

const { dataDir, warmUp, commands, inFlight } = argumentOf<SequencerRun>();
const engine = new Engine({
  exchange: new Exchange(undefined, EventFilter.none()),
  wall: systemClock,
  queueLimit: 2 * inFlight,
  onApplied: () => {},
  onFailure: fail,
});
engine.lead({ journal: await openFileJournal(dataDir), epoch: 1 });
const listing = [...venueCommands(USERS, MAX_OPEN_ORDERS)];
await Promise.all(listing.map((command) => engine.submit(command)));

const [incoming, outgoing] = [ringMemory(RING_BYTES), ringMemory(RING_BYTES)];
const worker = new Worker(new URL('./sequencer-commands.ts', import.meta.url).href);
const post = (message: ToFeeder): void => worker.postMessage(message);
const link = new Link({
  incoming: new Ring(incoming),
  outgoing: new Ring(outgoing),
  wakeOther: () => post(WAKE),
  receive,
  onFault: fail,
});

function receive(bytes: Uint8Array): void {
  const frame = new BinaryReader(bytes);
  frame.byte();
  const id = frame.integer();
  const encoded = frame.rest();
  const command = decodeCommand(new BinaryReader(encoded));
  engine.enqueue(command, { resolve: (receipt) => answer(id, receipt), reject: fail }, encoded);
}

function answer(id: number, { seq, outcome }: Receipt): void {
  if (!outcome.ok) throw new Error(`a command was refused: ${outcome.reject.name}`);
  const frame = beginFrame(Down.outcome, id);
  frame.integer(seq);
  frame.integer((outcome.result as { orderId: number }).orderId);
  link.send(frame.view());
}

let arrived: (message: FromFeeder) => void = () => {};
worker.onerror = ({ message }) => fail(new Error(message));
worker.onmessage = ({ data }: MessageEvent<FromFeeder>) => {
  if (data === WAKE) link.wake();
  else arrived(data);
};

/** Sends a message that is answered when its work is done. */
function ask(message: ToFeeder): Promise<FromFeeder> {
  const answered = new Promise<FromFeeder>((resolve) => {
    arrived = resolve;
  });
  post(message);
  return answered;
}

async function run(count: number): Promise<SequencerSpeed> {
  await ask({ type: 'prepare', commands: count });
  Bun.gc(true);
  const { seq } = engine;
  const syncs = engine.stages.journal.count;
  const cpu = process.threadCpuUsage();
  const start = performance.now();
  await ask({ type: 'send' });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.threadCpuUsage();
  if (engine.seq - seq !== count) throw new Error(`the journal gained ${engine.seq - seq}`);
  return {
    perSecond: count / seconds,
    cpu: (user - cpu.user + system - cpu.system) / count,
    commandsPerSync: count / (engine.stages.journal.count - syncs),
  };
}

link.wake();
post({ type: 'start', incoming: outgoing, outgoing: incoming, users: USERS, inFlight });
await run(warmUp);
report(await run(commands));
worker.terminate();
process.exit();
