// Opens identity: users, their proofs, API keys, audit log and emails over one database. It is
// apart from the journal because it is not money, needs deletion, and must never be replayed. Only
// this process writes DATA/identity.db; the lock of the data directory ensures that. In a cluster
// the database is a copy of what the nodes share (replication.ts).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ApiKeys } from './api-keys.ts';
import { type AuditFacts, AuditLog } from './audit.ts';
import { type MailOptions, openMailer } from './mail/mailer.ts';
import { Outbox } from './mail/outbox.ts';
import { EmailCodes } from './proofs/email-codes.ts';
import { KnownDevices } from './proofs/known-devices.ts';
import { KnownNetworks } from './proofs/known-networks.ts';
import { Lockout } from './proofs/lockout.ts';
import { type PasswordCost, Passwords } from './proofs/passwords.ts';
import { Proofs } from './proofs/proofs.ts';
import { Totp } from './proofs/totp.ts';
import { Replication } from './replication.ts';
import { Revocations, Sessions } from './sessions.ts';
import { IdentityStore, isDiskTrouble, type StoreOptions } from './storage/identity-store.ts';
import type { IdentityCopy } from './storage/image.ts';
import { PRIVATE_DIRECTORY } from './storage/private-file.ts';
import { UserAudit } from './user-audit.ts';
import { PendingRegistrations, Users } from './users.ts';

export interface IdentityOptions
  extends Pick<StoreOptions, 'masterKeys' | 'journalUsers' | 'onAltered'> {
  readonly dataDir: string;
  /** In a cluster, a copy of the rows in its store; then there is no DATA/identity.db. */
  readonly copy?: IdentityCopy;
  /** The transport of emails; without it, emails are files of the outbox. */
  readonly mail?: MailOptions;
  /** Called for an audit entry that waits in memory because the disk is full. */
  readonly onAuditDeferred?: (facts: AuditFacts, error: unknown) => void;
  /** Only tests hash at a lower cost; no setting does. */
  readonly passwordCost?: PasswordCost | undefined;
  /** The wall clock, ms; identity never uses business time. */
  readonly now?: () => number;
  /** The clock of waits and limits, ms; it never steps. */
  readonly steady?: () => number;
}

/** The parts of identity, over one database. */
export type Identity = ReturnType<typeof identityOver>;

const OUTBOX_ONLY: MailOptions = { smtpUrl: null, from: null, onFailure: () => {} };

/** The maximum age of `lastUsedAt` in the file; lists show the current time. */
const FLUSH_EVERY_MS = 60_000;
/** Rows written in one turn of the event loop: about five milliseconds of work. */
const FLUSH_SLICE = 100;

export const identityPath = (dataDir: string): string => join(dataDir, 'identity.db');

/** Opens, and creates or migrates, the identity of a data directory. */
export function openIdentity(options: IdentityOptions): Identity {
  const { dataDir, copy, now = Date.now } = options;
  mkdirSync(dataDir, { recursive: true, mode: PRIVATE_DIRECTORY });
  const store =
    copy === undefined
      ? IdentityStore.open(identityPath(dataDir), { ...options, now })
      : IdentityStore.of(copy, { ...options, now });
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
    copy,
    mail = OUTBOX_ONLY,
    onAuditDeferred,
    passwordCost,
    now,
    steady = () => performance.now(),
  }: IdentityOptions & { readonly now: () => number },
) {
  const revocations = new Revocations();
  const apiKeys = new ApiKeys(store, now, revocations);
  const sessions = new Sessions(store, now, revocations);
  const users = new Users(store, now);
  const registrations = new PendingRegistrations();
  const totp = new Totp(store, now);
  const emailCodes = new EmailCodes(store, now, steady);
  const lockout = new Lockout(steady, new KnownNetworks(store, now));
  const audit = new AuditLog(store, now, onAuditDeferred);
  const outbox = new Outbox(dataDir, now);
  const userAudit = new UserAudit(audit, now, steady);
  const { flush, stop } = startFlushing({ store, apiKeys, sessions, audit, userAudit });
  const leadersMemory = [users, registrations, lockout, userAudit];
  const parts = { store, apiKeys, sessions, audit, leadersMemory, flush };
  const replication = copy && new Replication(copy.head.version, parts);
  let open = true;
  return {
    store,
    /** Absent on one machine. */
    replication,
    users,
    passwords: new Passwords(passwordCost),
    registrations,
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
    /** Close it before the rest, because it may wait for a mail server. */
    mailer: openMailer(mail, outbox),
    /**
     * Writes pending data and closes the database; in a cluster, `replication.drain` comes first. A
     * second call does nothing.
     */
    close: () => {
      if (!open) return;
      open = false;
      stop();
      replication?.follow();
      try {
        flush();
      } catch (error) {
        // A full disk must not fail the stop for the sake of this data.
        if (!isDiskTrouble(error)) throw error;
      }
      store.close();
    },
  };
}

/** Writes the noted uses and counts once a minute, a few in each turn of the event loop. */
function startFlushing({
  store,
  apiKeys,
  sessions,
  audit,
  userAudit,
}: {
  readonly store: IdentityStore;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly audit: AuditLog;
  readonly userAudit: UserAudit;
}) {
  const flush = (maximum?: number) => {
    if (store.follows) return 0;
    audit.flush();
    const rest = apiKeys.flushLastUsed(maximum) + sessions.flush(maximum);
    userAudit.flush();
    return rest;
  };
  const flushInSlices = () => {
    try {
      if (flush(FLUSH_SLICE) >= FLUSH_SLICE) setImmediate(flushInSlices);
    } catch {
      // The data stays in memory for the next try; close() reports the error.
    }
  };
  const timer = setInterval(flushInSlices, FLUSH_EVERY_MS);
  timer.unref();
  return { flush, stop: () => clearInterval(timer) };
}
