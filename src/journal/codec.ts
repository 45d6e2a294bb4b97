// The binary form of a batch of commands, which is the payload of a journal's record.
import { assert } from '../core/assert.ts';
import { BinaryReader, type BinaryWriter } from '../core/binary.ts';
import type { Command } from '../core/command.ts';
import { decodeCommand, encodeCommand } from '../core/command-form.ts';
import { OLDEST_RULES, RULES } from '../core/rules.ts';
import { JournalError } from './journal.ts';

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
 * JournalError `rules` for a batch of a release that this one cannot read, and InvariantError on
 * bytes that no release wrote.
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
      throw foreignRules(this.rules);
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

/** A release reads its own data and that of the release before. */
function foreignRules(version: number): JournalError {
  const release = version > RULES ? 'a newer release' : 'an older release';
  return new JournalError(
    'rules',
    `The journal was written by ${release} of agio, with version ${version} of the rules, and ` +
      `this release reads ${OLDEST_RULES} to ${RULES}: start it with the release that wrote it. ` +
      'Nothing was changed.',
  );
}

/** Reads a whole batch back, as BatchReader does. */
export function decodeBatch(payload: Uint8Array): Batch {
  const reader = new BatchReader(payload);
  const commands: Command[] = [];
  for (let next = reader.next(); next !== null; next = reader.next()) commands.push(next);
  return { rules: reader.rules, time: reader.time, commands };
}
