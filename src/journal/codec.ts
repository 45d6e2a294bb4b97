// The binary form of a batch of commands, which is the payload of a journal's record.
import { assert, InvariantError } from '../core/assert.ts';
import { BinaryReader, type BinaryWriter } from '../core/binary.ts';
import type { Command } from '../core/command.ts';
import { decodeCommand, encodeCommand } from '../core/command-form.ts';
import { OLDEST_RULES, RULES } from '../core/rules.ts';

export interface Batch {
  /** The version of the rules that its commands are applied under. */
  readonly rules: number;
  /** Business time of all commands of the batch, ms. */
  readonly time: number;
  readonly commands: readonly Command[];
}

export function encodeBatchHeader(
  out: BinaryWriter,
  rules: number,
  time: number,
  count: number,
): void {
  out.byte(rules);
  out.integer(time);
  out.integer(count);
}

/** The bytes of a batch under the rules of this release, as a view on the writer's memory. */
export function encodeBatch(out: BinaryWriter, batch: Omit<Batch, 'rules'>): Uint8Array {
  out.reset();
  encodeBatchHeader(out, RULES, batch.time, batch.commands.length);
  for (const command of batch.commands) encodeCommand(out, command);
  return out.view();
}

/**
 * Reads a batch back, one command at a time: decoded commands take many times their bytes. Throws
 * InvariantError on bytes that no release up to this one wrote.
 */
export class BatchReader implements Omit<Batch, 'commands'> {
  readonly rules: number;
  readonly time: number;
  readonly #input: BinaryReader;
  #left: number;

  constructor(payload: Uint8Array) {
    const input = new BinaryReader(payload);
    this.rules = input.byte();
    if (this.rules < OLDEST_RULES || this.rules > RULES) {
      throw new InvariantError(
        `a batch has version ${this.rules} of the rules, known are ${OLDEST_RULES} to ${RULES}; ` +
          'start it with the version of agio that wrote it, or a newer one',
      );
    }
    this.time = input.integer();
    this.#left = input.integer();
    this.#input = input;
  }

  /** The next command; null after the last one. */
  next(): Command | null {
    if (this.#left === 0) {
      assert(this.#input.atEnd, 'a batch ends with its last command');
      return null;
    }
    this.#left--;
    return decodeCommand(this.#input);
  }
}

/** Reads a whole batch back, as BatchReader does. */
export function decodeBatch(payload: Uint8Array): Batch {
  const reader = new BatchReader(payload);
  const commands: Command[] = [];
  for (let next = reader.next(); next !== null; next = reader.next()) commands.push(next);
  return { rules: reader.rules, time: reader.time, commands };
}
