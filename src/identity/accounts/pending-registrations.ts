// Registrations between the sending of the code and its coming back: the hash of the password that
// was chosen, by ticket, in a bounded memory. Nothing of a stranger's is written to disk before
// they have shown that the address is theirs; what a restart loses is asked for again.
import { EMAIL_CODE_MS } from '../proofs/email-codes.ts';
import type { PasswordHash } from '../proofs/passwords.ts';

interface Pending {
  readonly email: string;
  readonly hash: PasswordHash;
  /** Where it was begun. */
  readonly ip: string;
  readonly since: number;
}

/** More at once is no traffic of people; the oldest gives way. */
const MAX_PENDING = 10_000;

export class PendingRegistrations {
  readonly #byTicket = new Map<string, Pending>();

  add(ticket: string, pending: Pending): void {
    for (const [old, { since }] of this.#byTicket) {
      const isOver = pending.since - since >= EMAIL_CODE_MS;
      if (!isOver && this.#byTicket.size < MAX_PENDING) break;
      this.#byTicket.delete(old);
    }
    this.#byTicket.set(ticket, pending);
  }

  /** What was begun for this address under this ticket. */
  find(ticket: string, email: string): Pending | undefined {
    const pending = this.#byTicket.get(ticket);
    return pending?.email.toLowerCase() === email.toLowerCase() ? pending : undefined;
  }

  delete(ticket: string): void {
    this.#byTicket.delete(ticket);
  }
}
