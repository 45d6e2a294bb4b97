// Entries of the audit log: which ones are changes, and an entry or a head as one line.
import { type AuditEntry, type AuditHead, Code } from '../../../src/sdk/index.ts';
import { operatorActions as t } from '../../messages/operator-actions.ts';
import { systemText as text } from '../../messages/operator-system.ts';
import { security } from '../../messages/security.ts';
import { reasonText, spaced } from '../../security/audit-words.ts';
import { duration } from '../overview/health.ts';

/** The actions that change nothing, by their last word. */
const READS = /\.(list|read|head|balances|trialBalance|income|venueStatement)$/;

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

export interface Run {
  /** The newest of the run. */
  readonly entry: AuditEntry;
  readonly times: number;
}

/** Neighbors that are the same act with the same outcome, such as the steps of a clock, as one. */
export function runsOf(entries: readonly AuditEntry[]): readonly Run[] {
  const nameOf = ({ action, object, result, actor }: AuditEntry) =>
    [action, object, result, actor].join('\n');
  const runs: { entry: AuditEntry; times: number }[] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last !== undefined && nameOf(last.entry) === nameOf(entry)) last.times += 1;
    else runs.push({ entry, times: 1 });
  }
  return runs;
}

/** The details of an entry as one line: amount 100, asset USDT, time 1 d. */
export const detailsText = (details: AuditEntry['details']): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) =>
      name === 'ms' ? duration(Number(value) / 1000) : `${spaced(name)} ${valueText(value)}`,
    )
    .join(', ');

const valueText = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `(${detailsText(value as AuditEntry['details'])})`
    : String(value);

/** An action as a reader says it. */
export const actionText = (action: string): string =>
  t.actions[action] ?? security.activity.actions[action] ?? spaced(action);

const NAMES = new Map(Object.entries(Code).map(([name, code]) => [String(code), name]));

/** A result: a word, or for a rejected call of an operator its code. */
export function resultText(result: string): string {
  if (result === 'ok') return text.done;
  if (result === BEGUN) return text.begun;
  const name = NAMES.get(result) ?? result;
  return t.reasons[name] ?? reasonText(name);
}

/** The head in the form that `agio verify --audit-head` takes. */
export const headText = ({ id, hash }: AuditHead): string => `${id}:${hash}`;
