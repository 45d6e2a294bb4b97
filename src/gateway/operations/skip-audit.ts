// The audit entries of commands that an operator has set aside while the server was stopped.
import { timeText } from '../../engine/clock.ts';
import type { Identity } from '../../identity/identity.ts';
import type { FileJournal } from '../../journal/file-journal.ts';

const ACTION = 'journal.skip';

/** Gives each command that was set aside its entry in the audit log, once. */
export async function auditSkips({ audit }: Identity, journal: FileJournal): Promise<void> {
  for (const { seq, command, reason, time } of await journal.setAside()) {
    const object = `seq:${seq}`;
    if (audit.has(ACTION, object)) continue;
    const details = { command, reason, at: timeText(time) };
    const facts = { actor: 'operator', ip: null, requestId: null } as const;
    audit.record({ ...facts, action: ACTION, object, result: 'ok', details });
  }
}
