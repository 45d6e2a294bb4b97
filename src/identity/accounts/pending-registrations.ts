// Registrations between their two calls: the hash of the chosen password, by ticket, in a bounded
// memory. Nothing that a stranger chose goes to disk before they have shown that the email address
// is theirs. A restart forgets them.
import { BoundedMap } from '../bounded-map.ts';
import { EMAIL_CODE_MS } from '../proofs/email-codes.ts';
import type { PasswordHash } from '../proofs/passwords.ts';

interface Pending {
  readonly email: string;
  readonly hash: PasswordHash;
  /** The address of the first call. */
  readonly ip: string;
  readonly since: number;
}

/** People never have more at a time. */
const MAX_PENDING = 10_000;

export class PendingRegistrations {
  readonly #byTicket = new BoundedMap<string, Pending>(MAX_PENDING);

  add(ticket: string, pending: Pending): void {
    this.#byTicket.deleteOldestWhile(({ since }) => pending.since - since >= EMAIL_CODE_MS);
    this.#byTicket.set(ticket, pending);
  }

  /** The registration that began under this ticket for this email address. */
  find(ticket: string, email: string): Pending | undefined {
    const pending = this.#byTicket.get(ticket);
    return pending?.email.toLowerCase() === email.toLowerCase() ? pending : undefined;
  }

  delete(ticket: string): void {
    this.#byTicket.delete(ticket);
  }
}
