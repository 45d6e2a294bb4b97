// The history checker: what clients saw against the journal of the cluster and the copies that the
// nodes keep of it. Each function returns the broken promises as sentences.
import { sameBytes } from '../../src/journal/record.ts';
import { type Call, type History, isWrite, type OrderRow, type Revocation } from './history.ts';
import type { AppliedWrite, JournalAudit } from './journal-audit.ts';
import type { Body } from './order-calls.ts';

/** The ordStatus of a canceled order. */
const CANCELED = 4;

/** The copy of a node: the end of its journal files, and the state that it made of them. */
export interface NodeCopy {
  readonly node: string;
  readonly seq: number;
  readonly chainHash: Uint8Array;
  readonly stateHash: string;
}

export function historyFaults(history: History, audit: JournalAudit): string[] {
  const { calls, revocations } = history;
  const writes = calls.filter(isWrite);
  const acknowledged = calls.filter(({ outcome }) => outcome === 'acknowledged');
  return [
    ...writes.flatMap((call) => writeFaults(call, audit.writesNamed(call.name), history)),
    ...orderFaults(writes),
    ...sessionFaults(calls),
    ...lookupFaults(acknowledged, writes, audit),
    ...revocations.flatMap((revocation) => revokedFaults(revocation, writes, audit)),
    ...calls.flatMap((call) => statusFaults(call, revocations)),
  ];
}

/** An acknowledged write is there once as answered; a rejected one has done nothing. */
function writeFaults(
  call: Call,
  applied: readonly AppliedWrite[],
  { hasCopies = false }: History,
): string[] {
  const { kind, name, node, outcome, seq, id } = call;
  const which = `the ${outcome} ${kind} ${name} of ${node}`;
  const done = applied.filter(({ accepted }) => accepted);
  const counted = hasCopies ? done : applied;
  if (counted.length > 1) {
    const seqs = counted.map((each) => each.seq).join(' and ');
    return [`${which} is in the journal ${counted.length} times, at ${seqs}`];
  }
  const found = done[0] ?? applied[0];
  if (outcome === 'unknown') return [];
  if (outcome === 'rejected') {
    if (found?.accepted === true) return [`${which} was done at ${found.seq}: ${call.detail}`];
    if (found === undefined || seq !== null || hasCopies) return [];
    return [`${which} was answered as not carried out, and is at ${found.seq}: ${call.detail}`];
  }
  if (found === undefined) return [`${which} is lost: it was answered with seq ${seq}`];
  // A batch of rejections has done nothing.
  if (!found.accepted && kind === 'orderBatch' && id === 0) return [];
  if (!found.accepted) return [`${which} was rejected by the core at ${found.seq}`];
  // The first answer given again has no seq of its own.
  const isThere = found.kind === kind && found.uid === call.uid && (seq ?? found.seq) === found.seq;
  if (isThere && (id === null || found.id === id)) return [];
  return [`${which} was answered with ${id} at ${seq}, and is ${found.id} at ${found.seq}`];
}

/** The rejections with 401 of a write that was sent twice, and of one whose clock is wrong. */
const NOT_OF_THE_KEY = /"code":"10040[25]"/;

/** Only a server that is not ready answers 5xx, and no key is unknown before it is revoked. */
function statusFaults(call: Call, revocations: readonly Revocation[]): string[] {
  const { status, apiKey, name, node, detail } = call;
  const said = `${node} answered ${call.kind} ${name} with ${detail}`;
  if (status !== null && status >= 500 && status !== 503) return [said];
  const isRevoked = revocations.some(
    (revocation) => revocation.apiKey === apiKey && revocation.sentAt <= call.answeredAt,
  );
  const isOfKey = status === 401 && apiKey !== '' && !NOT_OF_THE_KEY.test(detail);
  return isOfKey && !isRevoked ? [said] : [];
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
  const done = writes.filter(({ outcome, seq }) => outcome === 'acknowledged' && seq !== null);
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

/** A session finds its own order as it was sent, amended or canceled, whichever node it asks. */
function lookupFaults(
  acknowledged: readonly Call[],
  writes: readonly Call[],
  audit: JournalAudit,
): string[] {
  const lookups = acknowledged.filter(({ kind }) => kind === 'order');
  const sent = new Map(writes.map((write) => [write.name, write]));
  return lookups.flatMap((lookup) => {
    const { name, node, id, rows } = lookup;
    const placed = audit.writesNamed(name).find(({ accepted }) => accepted);
    const known = placed?.id ?? null;
    if (known !== id) return [`${node} knows ${name} as ${id}, and it is ${known}`];
    if (id === null) return [];
    if (rows!.length > 1) return [`${node} has ${name} ${rows!.length} times`];
    const changes = writes.filter((write) => isChange(write, name, id));
    return rowFaults(sent.get(name)!, changes, lookup);
  });
}

/** True if a write changes this order. */
function isChange({ kind, request }: Call, name: string, id: number): boolean {
  const isIt = ({ orderId, origClOrdId }: Body) => orderId === id || origClOrdId === name;
  if (kind === 'orderBatch') return (request.orders as Body[]).some(isIt);
  return (kind === 'amendOrder' || kind === 'cancelOrder') && isIt(request);
}

function rowFaults(placed: Call, changes: readonly Call[], lookup: Call): string[] {
  const { name, node, seq, rows } = lookup;
  if (changes.some(({ kind }) => kind === 'orderBatch')) return [];
  const isBefore = (call: Call) => call.outcome === 'acknowledged' && call.seq! <= seq!;
  const before = changes.filter(isBefore).toSorted((a, b) => a.seq! - b.seq!);
  const open = changes.filter((call) => call.outcome !== 'rejected' && !isBefore(call));
  const fields = ['side', 'orderQty', 'price'] as const;
  const expected: [keyof OrderRow, unknown[]][] = fields.map((field) => {
    const isSaid = ({ request }: Call) => request[field] !== undefined;
    // A stop, for one, has no price.
    if (!isSaid(placed)) return [field, []];
    const known = [placed, ...before].findLast(isSaid);
    return [field, [known!, ...open.filter(isSaid)].map(({ request }) => request[field])];
  });
  if (before.some(({ kind }) => kind === 'cancelOrder')) expected.push(['ordStatus', [CANCELED]]);
  return expected
    .filter(([field, values]) => {
      return values.length > 0 && !values.some((value) => Number(value) === rows![0]![field]);
    })
    .map(([field, values]) => {
      return `${node} has ${name} with ${field} ${rows![0]![field]}, not ${values.join(' or ')}`;
    });
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

/** Throws Error with the first faults if there are any. */
export function requireNone(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new Error(`${faults.length} broken promises:\n${faults.slice(0, 20).join('\n')}`);
}
