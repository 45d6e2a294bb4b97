// Makes the writes of the leader durable in the store of the cluster: in order, one at a time, and
// those that wait together as one version. It lasts for one term.
import { NotLeadingError } from '../result.ts';
import { type IdentityChange, MergedChange } from './change.ts';
import type { ChangeRecorder } from './identity-store.ts';

export interface Leadership {
  /**
   * Makes the change durable as this version; it tries again where that can help. Once it rejects,
   * this node can no longer lead.
   */
  readonly persist: (version: number, change: IdentityChange) => Promise<void>;
  /** Called before an answer that waits for the version, for the other nodes. */
  readonly onDurable: (version: number, change: IdentityChange) => void;
}

/** How long changes wait that a crash may lose, unless a write comes after them. */
const LAZY_MS = 2_000;

/** Writes that become durable together. */
class Batch {
  readonly merged = new MergedChange();
  /** True if an answer may wait for it. */
  urgent = false;
  readonly done = Promise.withResolvers<void>();

  constructor() {
    this.done.promise.catch(() => {});
  }
}

export class ChangeQueue implements ChangeRecorder {
  readonly #leadership: Leadership;
  #version: number;
  #sending: Batch | null = null;
  #waiting: Batch | null = null;
  #end: NotLeadingError | null = null;
  readonly #ended = Promise.withResolvers<void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `version` is the last durable one. */
  constructor(version: number, leadership: Leadership) {
    this.#version = version;
    this.#leadership = leadership;
    // `requireLeading` throws the same error; nobody has to wait for this promise.
    this.#ended.promise.catch(() => {});
  }

  /** The last durable version. */
  get version(): number {
    return this.#version;
  }

  /** True if every write is durable. */
  get isIdle(): boolean {
    return this.#end === null && this.#sending === null && this.#waiting === null;
  }

  requireLeading(): void {
    if (this.#end !== null) throw this.#end;
  }

  record(change: IdentityChange, lazily: boolean): void {
    this.#waiting ??= new Batch();
    this.#waiting.merged.add(change);
    if (!lazily) this.#hurry(this.#waiting);
    else this.#sendLater();
  }

  /** Rejects once the term has ended. */
  durable(): Promise<void> | undefined {
    if (this.#end !== null) return this.#ended.promise;
    const last = [this.#waiting, this.#sending].find((batch) => batch?.urgent);
    return last?.done.promise;
  }

  /** Resolves once every write is durable. */
  async drain(): Promise<void> {
    while (!this.isIdle) {
      this.requireLeading();
      if (this.#waiting !== null) this.#hurry(this.#waiting);
      await (this.#waiting ?? this.#sending)!.done.promise;
    }
  }

  /** Ends the term. A write that is not durable yet may still become so. */
  close(cause?: unknown): void {
    if (this.#end !== null) return;
    clearTimeout(this.#timer);
    this.#end = new NotLeadingError({ cause });
    for (const done of [this.#sending?.done, this.#waiting?.done, this.#ended]) {
      done?.reject(this.#end);
    }
  }

  /** The writes of one turn of the event loop go together. */
  #hurry(batch: Batch): void {
    if (batch.urgent) return;
    batch.urgent = true;
    queueMicrotask(() => this.#send());
  }

  #sendLater(): void {
    this.#timer ??= setTimeout(() => this.#send(), LAZY_MS).unref();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting;
    if (this.#sending !== null || batch === null || this.#end !== null) return;
    this.#sending = batch;
    this.#waiting = null;
    void this.#persist(batch);
  }

  async #persist(batch: Batch): Promise<void> {
    const version = this.#version + 1;
    const { change } = batch.merged;
    try {
      await this.#leadership.persist(version, change);
      // A term that has ended meanwhile has already answered.
      if (this.#end !== null) return;
      this.#version = version;
      this.#leadership.onDurable(version, change);
    } catch (error) {
      this.close(error);
      return;
    }
    this.#sending = null;
    batch.done.resolve();
    if (this.#waiting?.urgent) this.#send();
    else if (this.#waiting !== null) this.#sendLater();
  }
}
