// Entries of the audit log: which ones are changes, and an entry or a head as one line.
import type { AuditEntry, AuditHead } from '../../../src/sdk/index.ts';

/** The actions that change nothing, by their last word. */
const READS = /\.(list|read|head|balances|trialBalance)$/;

/** The result of the entry before an act. */
export const BEGUN = 'begun';

const isRead = ({ action }: AuditEntry): boolean => READS.test(action);

/** Without reads, and without the beginnings of calls that have ended. */
export function changesOnly(entries: readonly AuditEntry[]): readonly AuditEntry[] {
  const ended = new Set(
    entries.filter(({ result }) => result !== BEGUN).map(({ requestId }) => requestId),
  );
  return entries.filter(
    (entry) => !isRead(entry) && !(entry.result === BEGUN && ended.has(entry.requestId)),
  );
}

/** The details of an entry as one line: amount=100 asset=USDT. */
export const detailsText = (details: AuditEntry['details']): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');

/** The head in the form that `agio verify --audit-head` takes. */
export const headText = ({ id, hash }: AuditHead): string => `${id}:${hash}`;
