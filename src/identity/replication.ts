// Identity in a cluster: one node leads and writes, the others apply its changes to their copies
// in memory, with the live keys and all else that identity has beside its database. Nothing here
// stores or sends; the caller passes that to `lead`.
import type { ApiKeys } from './api-keys.ts';
import type { AuditLog } from './audit.ts';
import { IdentityError } from './result.ts';
import type { Sessions } from './sessions.ts';
import { type IdentityChange, idsOf, rowsOf } from './storage/change.ts';
import { ChangeQueue, type Leadership } from './storage/change-queue.ts';
import type { IdentityStore } from './storage/identity-store.ts';
import type { IdentityCopy } from './storage/image.ts';
import type { Use } from './uses.ts';

/** Uses of one node, which the leader writes. */
export interface NotedUses {
  readonly keys: readonly Use[];
  readonly sessions: readonly Use[];
}

/** A change that is not the next one, or a copy that differs: `reload` helps. */
export class OutOfStepError extends IdentityError {
  override readonly name = 'OutOfStepError';
}

interface Parts {
  readonly store: IdentityStore;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly audit: AuditLog;
  /** Parts with memory that only the leader uses: it begins empty, as after a restart. */
  readonly leadersMemory: readonly { reset(): void }[];
  /** Writes pending data. */
  readonly flush: () => void;
}

export class Replication {
  readonly #parts: Parts;
  #version: number;
  #queue: ChangeQueue | null = null;

  /** The store follows, with the content of this version. */
  constructor(version: number, parts: Parts) {
    this.#parts = parts;
    this.#version = version;
    this.#followUses();
  }

  /** The last version that this node has and the cluster has made durable. */
  get version(): number {
    return this.#queue?.version ?? this.#version;
  }

  get leads(): boolean {
    return this.#queue !== null;
  }

  /**
   * Begins to write after `version`, the last one of the cluster. Throws OutOfStepError where this
   * node does not have exactly that content.
   */
  lead(version: number, leadership: Leadership): void {
    const { store, apiKeys, sessions, leadersMemory } = this.#parts;
    if (this.#queue !== null) throw new TypeError('This node leads already.');
    this.#requireInStep(version);
    for (const memory of leadersMemory) memory.reset();
    this.#queue = new ChangeQueue(version, leadership);
    store.lead(this.#queue);
    apiKeys.uses.lead();
    sessions.uses.lead();
  }

  /** Ends the term; `reload` comes next if `store.differs` then. Without a term, does nothing. */
  follow(): void {
    const queue = this.#queue;
    if (queue === null) return;
    this.#parts.store.follow(!queue.isIdle);
    this.#version = queue.version;
    this.#queue = null;
    queue.close();
    this.#followUses();
  }

  /** Writes pending data and resolves once all of it is durable: before a handover or a stop. */
  async drain(): Promise<void> {
    if (this.#queue === null) return;
    this.#parts.flush();
    await this.#queue.drain();
  }

  /** Makes the change of the next version. Throws OutOfStepError for another one. */
  apply(version: number, change: IdentityChange): void {
    const { store, apiKeys, sessions, audit } = this.#parts;
    if (this.#queue !== null) throw new TypeError('The leader applies no changes of others.');
    this.#requireInStep(version - 1);
    store.apply(change);
    this.#version = version;
    if (rowsOf('audit_log', change.added).length > 0) audit.refresh();
    for (const [table, part] of [['api_keys', apiKeys] as const, ['sessions', sessions] as const]) {
      const written = idsOf(table, change.added);
      const gone = idsOf(table, change.removed).filter((id) => !written.includes(id));
      part.refresh(written, gone);
    }
  }

  /** Replaces the whole copy, where changes are missing or `store.differs`. */
  reload(copy: IdentityCopy): void {
    const { store, apiKeys, sessions, audit } = this.#parts;
    if (this.#queue !== null) throw new TypeError('The leader does not load what it writes.');
    const before = sessions.owners();
    store.reload(copy);
    this.#version = copy.head.version;
    audit.refresh();
    apiKeys.refreshAll();
    const after = sessions.owners();
    const isGone = ([id, owner]: [number, string]) => after.get(id) !== owner;
    sessions.refresh(
      [...after.keys()],
      [...before].filter(isGone).map(([id]) => id),
    );
  }

  /** The uses that this node has noted since the last call; none where it leads. */
  takeUses(): NotedUses {
    const { apiKeys, sessions } = this.#parts;
    return { keys: apiKeys.uses.take(), sessions: sessions.uses.take() };
  }

  /** Notes the uses of another node. */
  noteUses({ keys, sessions }: NotedUses): void {
    this.#parts.apiKeys.uses.merge(keys);
    this.#parts.sessions.uses.merge(sessions);
  }

  #requireInStep(version: number): void {
    if (this.#parts.store.differs)
      throw new OutOfStepError('This copy of identity has writes of its own.');
    if (version === this.#version) return;
    throw new OutOfStepError(`This copy of identity is version ${this.#version}, not ${version}.`);
  }

  #followUses(): void {
    this.#parts.apiKeys.uses.follow();
    this.#parts.sessions.uses.follow();
  }
}
