// The audit log in words: which entries are changes and which only readings, and what an entry says beyond its columns.
import type { AuditEntry } from '../../api/operator.ts';

/** Actions that change nothing, by how they end. */
const READINGS = /\.(list|read|head|balances|trialBalance)$/;

export const isReading = ({ action }: AuditEntry): boolean => READINGS.test(action);

export const changesOnly = (entries: readonly AuditEntry[]): readonly AuditEntry[] =>
  entries.filter((entry) => !isReading(entry));

/** The fields of an entry as one line: amount=100 asset=USDT. */
export function detailsText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');
}

/** The log of a head, as `agio verify --audit-head` takes it. */
export const notedHead = ({ id, hash }: { readonly id: string; readonly hash: string }): string =>
  `${id}:${hash}`;
