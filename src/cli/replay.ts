// agio replay: applies the journal from its first command, and says how fast, and to which state.
import { defineCommand } from 'citty';
import { stringify } from '../contract/json.ts';
import { Audience } from '../core/audience.ts';
import { Exchange } from '../core/exchange.ts';
import { timeText } from '../engine/clock.ts';
import { emptyState } from '../engine/process-seed.ts';
import { decodeBatch } from '../journal/codec.ts';
import { openJournalReader } from '../journal/open-journal.ts';
import { about, CliError, naturalNumber } from './command.ts';
import { DATA_ARG, dataDirectory, withLock } from './data-directory.ts';
import { grouped, Progress, print } from './output.ts';

export const replayCommand = defineCommand({
  meta: about('replay', 'Replays the journal and prints the resulting state hash', [
    'agio replay',
    'agio replay --to 120443        the state as it was after that command',
  ]),
  args: {
    ...DATA_ARG,
    to: { type: 'string', valueHint: 'SEQ', description: 'The last command to apply.' },
    json: { type: 'boolean', description: 'Print the result as JSON.' },
  },
  async run({ args }) {
    const directory = dataDirectory(args);
    const to = args.to === undefined ? Number.MAX_SAFE_INTEGER : naturalNumber('--to', args.to);
    const started = performance.now();
    const { state } = await withLock(directory, () => replay(directory, to));
    const seconds = (performance.now() - started) / 1000;
    if (args.to !== undefined && state.seq < to) {
      throw new CliError(`The journal ends at seq ${state.seq}, before ${to}.`);
    }
    const { seq, time } = state;
    const stateHash = state.stateHash();
    const perSecond = Math.round(seq / seconds);
    if (args.json === true) {
      print(
        stringify({ seq, time, stateHash, milliseconds: Math.round(seconds * 1000), perSecond }),
      );
      return;
    }
    print(`${grouped(seq)} commands in ${seconds.toFixed(2)} s: ${grouped(perSecond)} commands/s`);
    print(`seq         ${seq}`);
    print(`time        ${timeText(time)}`);
    print(`state hash  ${stateHash}`);
  },
});

async function replay(directory: string, to: number): Promise<Exchange> {
  const exchange = new Exchange(emptyState(), Audience.none());
  const progress = new Progress();
  const reader = openJournalReader(directory);
  try {
    for await (const records of reader.read(1)) {
      for (const { firstSeq, payload } of records) {
        if (firstSeq > to) return exchange;
        const { rules, time, commands } = decodeBatch(payload);
        exchange.state.rules = rules;
        for (const [at, command] of commands.entries()) {
          if (firstSeq + at <= to) exchange.apply(firstSeq + at, time, command);
        }
      }
      progress.update(() => `${grouped(exchange.state.seq)} commands`);
    }
    return exchange;
  } finally {
    progress.clear();
    await reader.close();
  }
}
