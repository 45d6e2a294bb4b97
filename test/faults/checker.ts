// The history checker: what clients saw against the journal of the cluster and the copies that the
// nodes keep of it. Each function returns the broken promises as sentences.
import { sameBytes } from '../../src/journal/record.ts';
import { type Call, type History, isWrite, type Revocation } from './history.ts';
import type { Applied, JournalAudit } from './journal-audit.ts';

/** The copy of a node: the end of its journal files, and the state that it made of them. */
export interface NodeCopy {
  readonly node: string;
  readonly seq: number;
  readonly chainHash: Uint8Array;
  readonly stateHash: string;
}

export function historyFaults({ calls, revocations }: History, audit: JournalAudit): string[] {
  const writes = calls.filter(isWrite);
  return [
    ...writes.flatMap((call) => writeFaults(call, audit.writesNamed(call.name))),
    ...orderFaults(writes),
    ...sessionFaults(calls),
    ...calls.flatMap((call) => lookupFaults(call, audit)),
    ...revocations.flatMap((revocation) => revokedFaults(revocation, writes, audit)),
  ];
}

/** An acknowledged write is there once as answered; a rejected one has done nothing. */
function writeFaults(call: Call, applied: readonly Applied[]): string[] {
  const { kind, name, node, outcome, seq, id } = call;
  const which = `the ${outcome} ${kind} ${name} of ${node}`;
  if (applied.length > 1) {
    const seqs = applied.map((each) => each.seq).join(' and ');
    return [`${which} is in the journal ${applied.length} times, at ${seqs}`];
  }
  const found = applied[0];
  if (outcome === 'unknown') return [];
  if (outcome === 'rejected') {
    if (found?.accepted === true) return [`${which} was done at ${found.seq}: ${call.detail}`];
    if (found === undefined || seq !== null) return [];
    return [`${which} was answered as not carried out, and is at ${found.seq}: ${call.detail}`];
  }
  if (found === undefined) return [`${which} is lost: it was answered with seq ${seq}`];
  if (!found.accepted) return [`${which} was rejected by the core at ${found.seq}`];
  const same = found.kind === kind && found.seq === seq && (id === null || found.id === id);
  if (same) return [];
  return [`${which} was answered with ${id} at ${seq}, and is ${found.id} at ${found.seq}`];
}

/** Every write in the journal after `seq` is among these calls. */
export function inventedFaults(calls: readonly Call[], audit: JournalAudit, seq: number): string[] {
  const sent = new Set(calls.filter(isWrite).map(({ name }) => name));
  return [...audit.writes]
    .filter(([name, [first]]) => first!.seq > seq && !sent.has(name))
    .map(([name, [first]]) => `nobody sent the ${first!.kind} ${name} at ${first!.seq}`);
}

/** A write that was sent after the answer of another comes after it in the journal. */
function orderFaults(writes: readonly Call[]): string[] {
  const done = writes.filter(({ outcome }) => outcome === 'acknowledged');
  const byAnswer = done.toSorted((a, b) => a.answeredAt - b.answeredAt);
  const faults: string[] = [];
  let last: Call | undefined;
  let next = 0;
  for (const call of done.toSorted((a, b) => a.sentAt - b.sentAt)) {
    for (; byAnswer[next] !== undefined && byAnswer[next]!.answeredAt < call.sentAt; next++) {
      if (last === undefined || byAnswer[next]!.seq! > last.seq!) last = byAnswer[next];
    }
    if (last === undefined || last.seq! < call.seq!) continue;
    const before = `${last.name}, which was answered before it was sent`;
    faults.push(`${call.name} is at seq ${call.seq}, and ${before}, is at ${last.seq}`);
  }
  return faults;
}

/** No answer is older than one that the session had before, or than it asked for. */
function sessionFaults(calls: readonly Call[]): string[] {
  const seen = new Map<string, number>();
  const faults: string[] = [];
  for (const { session, node, seq, minSeq, outcome, kind } of calls) {
    if (outcome !== 'acknowledged' || seq === null) continue;
    const before = Math.max(seen.get(session) ?? 0, minSeq);
    if (seq < before) faults.push(`${session} had seq ${before}, then ${seq} (${kind}, ${node})`);
    seen.set(session, Math.max(before, seq));
  }
  return faults;
}

/** A session finds its own order, whichever node it asks. */
function lookupFaults({ kind, name, node, outcome, id }: Call, audit: JournalAudit): string[] {
  if (kind !== 'order' || outcome !== 'acknowledged') return [];
  const [placed] = audit.writesNamed(name);
  return placed?.id === id ? [] : [`${node} knows ${name} as ${id}, and it is ${placed?.id}`];
}

/**
 * After the answer that its key is revoked, no write with it gets a place in the journal. A write
 * that somebody sends after that answer shows which places are later.
 */
function revokedFaults(
  { apiKey, answeredAt }: Revocation,
  writes: readonly Call[],
  audit: JournalAudit,
): string[] {
  const later = writes.filter((call) => call.sentAt > answeredAt);
  const firstLater = later.reduce((seq, { name }) => {
    return Math.min(seq, ...audit.writesNamed(name).map((applied) => applied.seq));
  }, Number.POSITIVE_INFINITY);
  return writes
    .filter((call) => call.apiKey === apiKey)
    .filter((call) =>
      audit.writesNamed(call.name).some(({ accepted, seq }) => accepted && seq >= firstLater),
    )
    .map(({ name, node }) => `${node} accepted ${name} after its key had been revoked`);
}

/** Every node has the journal and the state of the shared store. */
export function copyFaults(copies: readonly NodeCopy[], audit: JournalAudit): string[] {
  const stateHash = audit.stateHash();
  return copies.flatMap((copy) => {
    if (copy.seq !== audit.seq) return [`${copy.node} ends at ${copy.seq}, not at ${audit.seq}`];
    return [
      ...(sameBytes(copy.chainHash, audit.chainHash) ? [] : [`${copy.node} has another journal`]),
      ...(copy.stateHash === stateHash
        ? []
        : [`${copy.node} has the state ${copy.stateHash}, and the journal comes to ${stateHash}`]),
    ];
  });
}
