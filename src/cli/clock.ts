// agio clock: business time, and its advance in the sandbox.
import { defineCommand } from 'citty';
import { about, CliError } from './command.ts';
import { OperatorClient, SERVER_ARGS, shownTime } from './operator-client.ts';
import { print } from './output.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** 90m, 36h, 1d12h. Throws CliError. */
function durationOf(text: string): number {
  if (!/^(\d{1,12}(ms|s|m|h|d))+$/.test(text)) {
    throw new CliError(
      `A duration is like 90m, 36h or 1d12h (units d, h, m, s, ms), not "${text}".`,
    );
  }
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g)) {
    total += Number(count) * UNIT_MS[unit!]!;
  }
  return total;
}

const show = defineCommand({
  meta: about('show', 'Shows business time and wall clock', ['agio clock']),
  args: SERVER_ARGS,
  async run({ args }) {
    const answer = await new OperatorClient(args).get('clock');
    if (args.json === true) {
      print(answer.text);
      return;
    }
    const { now, wall, offset } = answer.row;
    print(`business time  ${shownTime(now)}`);
    print(`wall clock     ${shownTime(wall)}`);
    print(`offset         ${offset} ms`);
  },
});

const advance = defineCommand({
  meta: about('advance', 'Moves the sandbox’s business time forward', [
    'agio clock advance 1d',
    'agio clock advance 1d12h30m',
  ]),
  args: {
    duration: {
      type: 'positional',
      required: true,
      description: 'Such as 90m, 36h, 1d12h; at most 400d.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const ms = durationOf(args.duration);
    const answer = await new OperatorClient(args).post('clock/advance', { ms });
    if (args.json === true) print(answer.text);
    else print(`business time  ${shownTime(answer.row.now)}`);
  },
});

export const clockCommand = defineCommand({
  meta: about('clock', 'Shows the clock, or moves it in the sandbox', []),
  default: 'show',
  subCommands: { show, advance },
});
