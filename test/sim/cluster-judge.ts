// The verdict about a simulated cluster: its journal, the files and the identity of every node, and
// what callers were told, all tell the same story.
import { expect } from 'bun:test';
import { writeBalances } from '../../src/contract/trading/account.ts';
import type { Command } from '../../src/core/command.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { IN_PROGRESS, type Outcome, type Results } from '../../src/core/outcome.ts';
import { rowsOf } from '../../src/identity/storage/change.ts';
import { decodeBatch } from '../../src/journal/codec.ts';
import { FileJournalReader } from '../../src/journal/file-journal-reader.ts';
import type { JournalRecord } from '../../src/journal/journal.ts';
import { sorted } from '../support/memory-store.ts';
import { requireAudited } from './audited.ts';
import type { ClusterCallers, Reading } from './cluster-callers.ts';
import type { ClusterNode } from './cluster-node.ts';
import { batchIdOf, idsOf } from './order-calls.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/** The column of the audit log. */
const AUDIT_DETAILS = 9;

/** A replay of the shared journal. */
interface Story {
  readonly commands: readonly Command[];
  /** The ids that each named command has made. */
  readonly done: ReadonlyMap<string, readonly number[]>;
  /** By seq: the commands that it ended, which had begun before. */
  readonly endedBy: ReadonlyMap<number, readonly Command[]>;
  readonly stateHash: string;
}

/** Returns how many commands were done in slices. */
export async function judge(cluster: SimulatedCluster, callers: ClusterCallers): Promise<number> {
  expect(callers.complaints).toEqual([]);
  requireRisingTerms(cluster.shared.records);
  const story = replay(cluster, callers.readings);
  for (const node of cluster.nodes) {
    expect(node.failures).toEqual([]);
    expect(node.node!.services.engine.exchange.state.stateHash()).toBe(story.stateHash);
    requireSameIdentity(node, cluster);
    await requireSameFiles(node, cluster.shared.records);
  }
  judgeCallers(callers, story);
  requireAudited(callers.wishes, story.done, auditDetails(cluster));
  return [...story.endedBy.values()].flat().length;
}

/** The details of all audit entries of the operator that the store has. */
const auditDetails = ({ shared }: SimulatedCluster): string[] =>
  rowsOf('audit_log', shared.identity.rows).map((row) =>
    Buffer.from(JSON.parse(row)[AUDIT_DETAILS], 'hex').toString(),
  );

/** No record of an old term comes after one of a newer term. */
function requireRisingTerms(records: readonly JournalRecord[]): void {
  const terms = records.map(({ epoch }) => epoch);
  expect(terms).toEqual(terms.toSorted((one, other) => one - other));
}

async function requireSameFiles(
  { disk }: ClusterNode,
  records: readonly JournalRecord[],
): Promise<void> {
  const reader = new FileJournalReader(disk.mount());
  const own: JournalRecord[] = [];
  for await (const group of reader.read(1)) {
    own.push(...group.map((record) => ({ ...record, payload: record.payload.slice() })));
  }
  await reader.close();
  expect(own.map(plain)).toEqual(records.map(plain));
}

const plain = ({ firstSeq, count, epoch, payload, chainHash }: JournalRecord) => ({
  firstSeq,
  count,
  epoch,
  payload: Buffer.from(payload).toString('hex'),
  chainHash: Buffer.from(chainHash).toString('hex'),
});

/** The node's tables are those of the store. */
function requireSameIdentity({ node }: ClusterNode, { shared }: SimulatedCluster): void {
  const { store, replication } = node!.services.identity;
  expect(sorted(store.image(replication!.version))).toEqual(sorted(shared.identity));
}

/** Replays the journal in a fresh exchange, through known states and balances that were read. */
function replay({ shared, hashes }: SimulatedCluster, readings: readonly Reading[]): Story {
  const exchange = new Exchange();
  const commands: Command[] = [];
  const done = new Map<string, number[]>();
  const endedBy = new Map<number, Command[]>();
  const read = Map.groupBy(readings, ({ seq }) => seq);
  for (const { payload } of shared.records) {
    const { rules, time, commands: batch } = decodeBatch(payload);
    const header = { firstSeq: commands.length + 1, rules, time };
    exchange.applyRecord(header, batch, (seq, command, outcome) => {
      commands.push(command);
      expect(hashes.get(seq) ?? exchange.state.stateHash()).toBe(exchange.state.stateHash());
      if (outcome !== IN_PROGRESS) note(done, command, outcome);
      for (const ended of exchange.completed) {
        const one = commands[ended.seq - 1]!;
        endedBy.set(seq, [...(endedBy.get(seq) ?? []), one]);
        note(done, one, ended.outcome);
      }
      for (const { uid, text } of read.get(seq) ?? []) {
        expect(balancesIn(text)).toEqual(balancesOf(exchange, uid));
      }
    });
  }
  checkInvariants(exchange.state);
  return { commands, done, endedBy, stateHash: exchange.state.stateHash() };
}

/** The rows of an answer, with the text of each number. */
const balancesIn = (text: string): unknown =>
  JSON.parse(text, (_name, value, context?: { readonly source: string }) =>
    typeof value === 'number' ? { source: context!.source } : value,
  );
const balancesOf = ({ state }: Exchange, uid: number): unknown =>
  JSON.parse(JSON.stringify(writeBalances(state, uid)));

/** Notes what a command made by its caller's name. A repeated transfer names the first one. */
function note(done: Map<string, number[]>, command: Command, outcome: Outcome): void {
  if (!outcome.ok || outcome.replayed) return;
  const made = outcome.result as unknown as Record<string, number>;
  const add = (name: string, id: number) => {
    const ids = done.get(name) ?? [];
    if (command.type !== 'transferFunds' || !ids.includes(id)) done.set(name, [...ids, id]);
  };
  if (command.type === 'placeOrder' || command.type === 'placeOco') {
    add(command.clOrdId, made.orderId!);
  }
  if (command.type === 'orderBatch') {
    const id = batchIdOf(outcome.result as Results['orderBatch']);
    if (id !== 0) add(command.idempotency!.key, id);
  }
  if (command.type === 'transferFunds') add(command.reference, made.transferId!);
}

/** Each answered write happened once, as it was answered; a rejected one never. */
function judgeCallers({ acknowledged, wishes }: ClusterCallers, story: Story): void {
  const { commands, done, endedBy } = story;
  for (const { seq, type, uid } of acknowledged) {
    const ended = endedBy.get(seq) ?? [commands[seq - 1]!];
    const isIt = (command: Command) => 'uid' in command && command.uid === uid;
    const isThere = ended.some((command) => command.type === type && isIt(command));
    expect({ seq, type, isThere }).toEqual({ seq, type, isThere: true });
  }
  for (const wish of wishes) {
    const { name, fate } = wish;
    const ids = done.get(name) ?? [];
    if (fate === 'done') expect([name, ids]).toEqual([name, idsOf(wish)]);
    else if (fate === 'rejected') expect([name, ids]).toEqual([name, []]);
    else expect(ids.length).toBeLessThanOrEqual(1);
  }
}
