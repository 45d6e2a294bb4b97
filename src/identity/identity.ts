// Identity as one thing: users, how they prove themselves, API keys, audit log and mails over one
// database handle. It is kept apart from the journal because it is not money, needs deletion, and must never be replayed.
// DATA/identity.db is written by this process only; the data directory's lock sees to that.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PendingRegistrations } from './accounts/registration.ts';
import { ApiKeys } from './api-keys.ts';
import { type AuditFacts, AuditLog } from './audit.ts';
import { type Mailer, type MailOptions, openMailer } from './mail/mailer.ts';
import { Outbox } from './mail/outbox.ts';
import { EmailCodes } from './proofs/email-codes.ts';
import { KnownDevices } from './proofs/known-devices.ts';
import { KnownNetworks } from './proofs/known-networks.ts';
import { Lockout } from './proofs/lockout.ts';
import { Proofs } from './proofs/proofs.ts';
import { Totp } from './proofs/totp.ts';
import { Revocations } from './revocations.ts';
import { Sessions } from './sessions.ts';
import { isDiskTrouble } from './storage/disk-trouble.ts';
import { IdentityStore, type StoreOptions } from './storage/identity-store.ts';
import { PRIVATE_DIRECTORY } from './storage/private-file.ts';
import { UserAudit } from './user-audit.ts';
import { Users } from './users.ts';

export interface IdentityOptions
  extends Pick<StoreOptions, 'masterKeys' | 'journal' | 'onAltered'> {
  readonly dataDir: string;
  /** How mails go out; without it they are files of the outbox. */
  readonly mail?: MailOptions;
  /** An entry of the audit log waits in memory, since the disk has no room for it. */
  readonly onAuditDeferred?: (facts: AuditFacts, error: unknown) => void;
  /** The wall clock, ms; identity never uses business time. */
  readonly now?: () => number;
}

export interface Identity {
  /** The database; what is written to it goes through the parts below. */
  readonly store: IdentityStore;
  /** Whether the database was one of an older release, whose rows were not authenticated. */
  readonly upgraded: boolean;
  readonly users: Users;
  readonly registrations: PendingRegistrations;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly totp: Totp;
  readonly emailCodes: EmailCodes;
  readonly devices: KnownDevices;
  readonly lockout: Lockout;
  readonly proofs: Proofs;
  readonly audit: AuditLog;
  readonly userAudit: UserAudit;
  readonly outbox: Outbox;
  /** Of keys, sessions and users, as they happen. */
  readonly revocations: Revocations;
  /** Closed by itself, before the rest, because it may wait for a server. */
  readonly mailer: Mailer;
  /**
   * Writes a consistent copy of the database to a new file, 0600. Secrets in it are sealed; the
   * master key is not in it and is kept elsewhere. Blocks for the time of the copy.
   */
  backupTo(path: string): void;
  /** Writes what is pending and closes the database. Safe to call twice. */
  close(): void;
}

const OUTBOX_ONLY: MailOptions = { smtpUrl: null, from: null, onFailure: () => {} };

/** How old `lastUsedAt` in the file may be; a list always shows the current one. */
const FLUSH_EVERY_MS = 60_000;
/** Rows written between two turns of the event loop: some five milliseconds of work. */
const FLUSH_SLICE = 100;

export const identityPath = (dataDir: string): string => join(dataDir, 'identity.db');

/** Opens, and creates or migrates, the identity of a data directory. */
export function openIdentity(options: IdentityOptions): Identity {
  const { dataDir, now = Date.now } = options;
  mkdirSync(dataDir, { recursive: true, mode: PRIVATE_DIRECTORY });
  const store = IdentityStore.open(identityPath(dataDir), { ...options, now });
  try {
    return identityOver(store, { ...options, now });
  } catch (error) {
    store.close();
    throw error;
  }
}

function identityOver(
  store: IdentityStore,
  {
    dataDir,
    mail = OUTBOX_ONLY,
    onAuditDeferred,
    now,
  }: IdentityOptions & { readonly now: () => number },
): Identity {
  const revocations = new Revocations();
  const apiKeys = new ApiKeys(store, now, revocations);
  const sessions = new Sessions(store, now, revocations);
  const totp = new Totp(store, now);
  const emailCodes = new EmailCodes(store, now);
  const lockout = new Lockout(now, new KnownNetworks(store, now));
  const audit = new AuditLog(store, now, onAuditDeferred);
  const outbox = new Outbox(dataDir, now);
  const userAudit = new UserAudit(audit, now);
  const flush = (most?: number) => {
    audit.flush();
    const rest = apiKeys.flushLastUsed(most) + sessions.flush(most);
    userAudit.flush();
    return rest;
  };
  const flushInSlices = () => {
    try {
      if (flush(FLUSH_SLICE) >= FLUSH_SLICE) setImmediate(flushInSlices);
    } catch {
      // Not worth a stop: what was not written is kept and tried again, and close() reports it.
    }
  };
  const timer = setInterval(flushInSlices, FLUSH_EVERY_MS);
  timer.unref();
  let open = true;
  return {
    store,
    upgraded: store.upgraded,
    users: new Users(store, now),
    registrations: new PendingRegistrations(),
    apiKeys,
    sessions,
    totp,
    emailCodes,
    devices: new KnownDevices(store, now),
    lockout,
    proofs: new Proofs({ store, totp, emailCodes, lockout }),
    audit,
    userAudit,
    outbox,
    revocations,
    mailer: openMailer(mail, outbox),
    backupTo: (path) => store.backupTo(path),
    close: () => {
      if (!open) return;
      open = false;
      clearInterval(timer);
      try {
        flush();
      } catch (error) {
        // What is pending is of no account beside a stop that would fail for want of space.
        if (!isDiskTrouble(error)) throw error;
      }
      store.close();
    },
  };
}
