// Commands that a node sent to a leader and lost with it. Their clients get the answer that the
// outcome is unknown once it is decided: they look the order up then, and what they find is final.
import { leaderLost, type Submission } from '../engine/command-port.ts';

/**
 * A leader that still runs closes a silent link after 2.5 s (link/framed-channel.ts), and then
 * takes no more commands of it, also none that are still on their way.
 */
const DECIDED_MS = 4000;

export class UncertainCommands {
  #commands: Submission[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  add(lost: readonly Submission[]): void {
    if (lost.length === 0) return;
    this.#commands.push(...lost);
    this.#timer ??= setTimeout(() => this.reject(), DECIDED_MS);
  }

  /** Rejects them once `settling` resolves; where it does not, a later role decides. */
  rejectAfter(settling: Promise<void>): void {
    settling.then(() => this.reject()).catch(() => undefined);
  }

  /** The node has every command of theirs that is in the journal, or may know no more. */
  reject(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const commands = this.#commands;
    this.#commands = [];
    for (const { receiver } of commands) receiver.reject(leaderLost());
  }
}
