// A command that ended three starts in a row: the next one stops before it and says what it is.

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
  /** Such as `placeOrder of account 7`, with what a runTimers continued. */
  readonly text: string;
  /** Business time, ms. */
  readonly time: number;
}

/** The command of a journal that has it. `part`: see State.onPart. */
export async function commandAt(
  journal: Pick<Journal, 'read'>,
  seq: number,
  part = 0,
): Promise<CommandAt> {
  for await (const [record] of journal.read(seq)) {
    const { time, commands } = decodeBatch(record.payload);
    const command = commands[seq - record.firstSeq];
    const owner = 'uid' in command ? ` of account ${command.uid}` : '';
    const chainHash = Buffer.from(record.chainHash).toString('hex');
    const text = `${command.type}${owner}${await partText(journal, part)}`;
    return { seq, chainHash, text, time };
  }
  throw new RangeError(`the journal ends before command ${seq}`);
}

async function partText(journal: Pick<Journal, 'read'>, part: number): Promise<string> {
  if (part === 0) return '';
  if (part < 0) return `, in which order ${-part} was due`;
  // An archived command has no text here.
  const { text } = await commandAt(journal, part).catch(() => ({ text: 'a command' }));
  return `, which continued command ${part}, ${text}`;
}

export function poisonous({ seq, text, time }: CommandAt, dataDir: string): PoisonousCommandError {
  return new PoisonousCommandError(
    `Command ${seq} (${text}, ${timeText(time)}) ended the last three starts, so this one stops ` +
      'before it. To try again, with more memory or another release, remove ' +
      `${replayMarkPath(dataDir)}. To go on without the command: agio journal skip ${seq} ` +
      `--reason TEXT --data ${dataDir}`,
  );
}
