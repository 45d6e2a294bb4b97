// A command that ended two starts in a row: the next one stops before it and says what it is.

import { decodeBatch } from '../journal/codec.ts';
import type { Journal } from '../journal/journal.ts';
import { timeText } from './clock.ts';
import { replayMarkPath } from './replay-mark.ts';

export class PoisonousCommandError extends Error {
  override readonly name = 'PoisonousCommandError';
}

/** A command as an operator reads it: no terms and no secrets. */
export interface CommandAt {
  readonly seq: number;
  /** Hex, of its record. */
  readonly chainHash: string;
  /** Such as `placeOrder of account 7`. */
  readonly text: string;
  /** Business time, ms. */
  readonly time: number;
}

/** The command of a journal that has it. */
export async function commandAt(journal: Pick<Journal, 'read'>, seq: number): Promise<CommandAt> {
  for await (const [record] of journal.read(seq)) {
    const { time, commands } = decodeBatch(record.payload);
    const command = commands[seq - record.firstSeq];
    const owner = 'uid' in command ? ` of account ${command.uid}` : '';
    const chainHash = Buffer.from(record.chainHash).toString('hex');
    return { seq, chainHash, text: `${command.type}${owner}`, time };
  }
  throw new RangeError(`the journal ends before command ${seq}`);
}

export function poisonous({ seq, text, time }: CommandAt, dataDir: string): PoisonousCommandError {
  return new PoisonousCommandError(
    `Command ${seq} (${text}, ${timeText(time)}) ended the last two starts, so this one stops ` +
      'before it. To try again, with more memory or another release, remove ' +
      `${replayMarkPath(dataDir)}. To go on without the command: agio journal skip ${seq} ` +
      `--reason TEXT --data ${dataDir}`,
  );
}
