// The identity of a node, opened beside the state that it belongs to.
import { existsSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { State } from './core/state.ts';
import type { WallClock } from './engine/clock.ts';
import { unownedUids } from './engine/identity-facts.ts';
import type { RecoveredState } from './engine/recovery.ts';
import { type Identity, identityPath, openIdentity } from './identity/identity.ts';
import type { MasterKey } from './identity/master-key.ts';
import type { PasswordCost } from './identity/proofs/passwords.ts';
import { IdentityError } from './identity/result.ts';
import type { IdentityCopy } from './identity/storage/image.ts';
import { unownedText } from './identity/users.ts';

/** The part of NodeOptions that identity needs. */
interface IdentityOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly onFailure: (error: unknown) => void;
  readonly passwordCost?: PasswordCost;
}

interface IdentitySource {
  readonly masterKeys: readonly MasterKey[];
  /** The copy of what a cluster shares; undefined on one machine. */
  readonly copy: IdentityCopy | undefined;
  readonly wall: WallClock;
}

/** Opens the identity that belongs to the recovered state. Throws IdentityError. */
export function openIdentityFor(
  { state }: RecoveredState['exchange'],
  { masterKeys, copy, wall: now }: IdentitySource,
  { config, log, onFailure, passwordCost }: IdentityOptions,
  onClose: (close: () => void | Promise<void>) => void,
): Identity {
  const journalUsers = state.users.length - 1;
  if (copy === undefined) requireIdentity(config.data, journalUsers);
  const identity = openIdentity({
    dataDir: config.data,
    ...(copy === undefined ? {} : { copy }),
    masterKeys,
    now,
    passwordCost,
    mail: {
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      onFailure: (failure) => log.warn({ ...failure }, 'a mail was not delivered'),
    },
    journalUsers,
    onAltered: onFailure,
    onAuditDeferred: ({ actor, action, object, result }, error) =>
      log.error(
        { actor, action, object, result, why: String(error) },
        'an audit entry could not be written: it is kept in memory and written later',
      ),
  });
  onClose(() => identity.close());
  onClose(() => identity.mailer.close());
  requireSameHistory(identity, state, config, log);
  return identity;
}

/** An empty identity beside a journal with users would make every account unusable. */
function requireIdentity(dataDir: string, users: number): void {
  const path = identityPath(dataDir);
  if (users === 0 || (existsSync(path) && statSync(path).size > 0)) return;
  throw new IdentityError(
    `${path} is missing or empty, but the journal has ${users} users: restore it from a backup.`,
  );
}

/**
 * Throws where identity and journal are not of the same time: one of them restored alone would give
 * users the money of others.
 */
function requireSameHistory(
  { users }: Identity,
  state: State,
  { acceptUnowned }: Config,
  log: Logger,
): void {
  const [highest, highestCore] = [users.highestUid(), state.users.length - 1];
  if (highest > highestCore) {
    throw new IdentityError(
      `identity.db knows uid ${highest}, but the journal only goes up to uid ${highestCore}: ` +
        'one of them was restored without the other. Restore both from the same backup.',
    );
  }
  const unowned = unownedUids(state, users.uids());
  if (unowned.length === 0) return;
  if (!acceptUnowned) throw new IdentityError(unownedText(unowned));
  log.warn(
    { uids: unowned },
    'users of the journal are unknown to identity.db: nobody can use them until each is attached',
  );
}
