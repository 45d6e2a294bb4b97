// Registration in two calls: the first emails a code, the second creates the account with it. No
// answer tells whether an address has an account: free and taken addresses are answered alike, in
// the same time.
import { codeMail, securityMail } from '../mail/messages.ts';
import { type CodeScope, emailCodeWrong, newTicket, Operation } from '../proofs/email-codes.ts';
import type { PasswordHash } from '../proofs/passwords.ts';
import { denyField, type Result, reject, unwrap } from '../result.ts';
import { EMAIL_FORM, isEmail } from '../users.ts';
import { type Accounts, audited, type Caller, circumstances, requireStrong } from './accounts.ts';

/** The code was counted although it was not sent; the next one is available after a minute. */
const NEXT_CODE_MS = 60_000;

const ONE_OF_TWO = [
  'password',
  'Send a password, or the ticket of a registration that needs another code; never both.',
  'exclusive',
] as const;
const BEGIN_AGAIN = [
  'ticket',
  'This registration has expired. Begin again with a password.',
] as const;

/** The reference of an emailed code for a caller who has no session. */
export interface Ticket {
  readonly ticket: string;
  /** Wall clock, ms. */
  readonly expiresAt: number;
}

interface Registration {
  readonly email: string;
  readonly password: string | undefined;
  /** In place of the password: the registration that needs another code. */
  readonly ticket: string | undefined;
}

/** Mails a code to the address. Rejections: invalidField, tooManyCodes, overloaded. */
export function register(
  accounts: Accounts,
  caller: Caller,
  { email, password, ticket: begun }: Registration,
): Promise<Result<Ticket>> {
  const { emailCodes, lockout, mailer, passwords, registrations, users } = accounts.identity;
  return audited(accounts, caller, { action: 'email.codeSent', email }, async () => {
    if (!isEmail(email)) rejectEmail();
    if ((password === undefined) === (begun === undefined)) reject(denyField(...ONE_OF_TWO));
    if (password !== undefined) requireStrong(password, 'password', email);
    const pending = begun === undefined ? undefined : registrations.find(begun, email);
    if (begun !== undefined && pending === undefined) reject(denyField(...BEGIN_AGAIN));
    const ticket = begun ?? newTicket();
    const isKnown = lockout.knows('password', email, caller.ip);
    const issued = emailCodes.issue(scopeOf(email, ticket), caller.ip, isKnown);
    const { code, expiresAt } = unwrap(issued);
    const hash = pending?.hash ?? (await hashOf(password!));
    registrations.add(ticket, { email, hash, ip: caller.ip, since: accounts.wall() });
    const owner = users.findByEmail(email);
    const mail =
      owner === undefined
        ? codeMail(Operation.registration, code)
        : securityMail('registeredAlready', circumstances(accounts, caller));
    mailer.send(owner?.email ?? email, mail);
    return { ticket, expiresAt };
  });

  async function hashOf(password: string): Promise<PasswordHash> {
    const hash = await passwords.hash(password);
    return hash.ok ? hash.value : reject({ ...hash, retryAfterMs: NEXT_CODE_MS });
  }
}

/** Creates the account for the emailed code. Rejection: emailCodeWrong. */
export function confirmRegistration(
  accounts: Accounts,
  caller: Caller,
  {
    email,
    emailAuthCode,
    ticket,
  }: { readonly email: string; readonly emailAuthCode: string; readonly ticket: string },
): Promise<Result<{ readonly uid: number }>> {
  const { emailCodes, lockout, proofs, registrations, store, users } = accounts.identity;
  return audited(accounts, caller, { action: 'account.register', email }, async (entry) => {
    const matched = unwrap(emailCodes.check(scopeOf(email, ticket), emailAuthCode));
    const pending = registrations.find(ticket, email);
    const reservation = pending === undefined ? undefined : users.reserveEmail(email);
    // A taken address is answered like a wrong code.
    if (pending === undefined || !reservation?.ok) reject(emailCodeWrong());
    try {
      store.requireWritable();
      // A code that expires during this command leaves a uid that nobody can use.
      const uid = await accounts.coreUsers.create();
      const completed = proofs.spend({ totp: null, email: matched }, () => {
        users.completeUser(reservation.value, uid, pending.hash);
        registrations.delete(ticket);
      });
      unwrap(completed);
      // The first login from these networks is no news to the owner.
      for (const ip of [pending.ip, caller.ip]) lockout.noteKnown('password', email, ip);
      entry.uid = uid;
      return { uid };
    } finally {
      users.release(reservation.value);
    }
  });
}

const scopeOf = (email: string, ticket: string): CodeScope => ({
  subject: `email:${email}`,
  holder: `ticket:${ticket}`,
  operation: Operation.registration,
});

/** Rejects a text that is no email address. */
export function rejectEmail(): never {
  return reject(denyField('email', EMAIL_FORM));
}
