// Entries of the audit log in words.
import type { OwnAuditEntry } from '../../src/sdk/index.ts';
import { security } from '../messages/security.ts';

const t = security.activity;

/** invalidField → invalid field, for names without a text. */
export const spaced = (name: string): string =>
  name.replace(/[._]/g, ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

/** Why an act was not completed. */
export const reasonText = (result: string): string => t.reasons[result] ?? spaced(result);

export interface AuditWords {
  readonly what: string;
  /** `asked`: the server asked for a code first, which is not a failure. */
  readonly outcome: 'done' | 'asked' | 'rejected';
  readonly result: string;
  readonly who: string;
}

const ASKED: ReadonlySet<string> = new Set(['totpNeeded', 'emailCodeNeeded', 'stepUpNeeded']);

export function auditWords({ action, object, result, actor }: OwnAuditEntry): AuditWords {
  const done = result === 'ok';
  return {
    what: (t.actions[action] ?? spaced(action)) + keyOf(object),
    outcome: done ? 'done' : ASKED.has(result) ? 'asked' : 'rejected',
    result: done ? t.done : t.notCompleted(reasonText(result)),
    who: t.actors[actor],
  };
}

/** The start of the API key in an object such as uid:7/key:ab12…. */
function keyOf(object: string | null): string {
  const key = /\/key:([0-9a-f]{8})/.exec(object ?? '')?.[1];
  return key === undefined ? '' : ` (${key}…)`;
}
