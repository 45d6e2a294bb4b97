// All commands of agio on one page. A command loads its own file alone, so that it starts soon.
import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };

const EXAMPLES = `
Examples:
  agio start                                          a sandbox on http://127.0.0.1:8080
  agio start --production --host 0.0.0.0              for customers; says what it still needs
  agio user create --email ada@example.com
  agio credit 7 USDT 1000 --reference wire-20260807-1
  agio user amend 7 --status suspended                freezes an account and cancels its orders
  agio instrument amend BTC-USDT --status HALTED      stops trading; --status LIVE resumes it
  agio plan fund 3 25000 --reference treasury-1       money to pay interest from
  agio backup /mnt/backup/monday && agio verify --data /mnt/backup/monday`;

type Loader = () => Promise<readonly Command[]>;

/** By the words that they begin with. */
const COMMANDS: readonly (readonly [words: readonly string[], load: Loader])[] = [
  [['start'], async () => [(await import('./start.ts')).startCommand]],
  [['verify'], async () => [(await import('./verify.ts')).verifyCommand]],
  [
    ['replay', 'snapshot'],
    async () => {
      const { replayCommand, snapshotCommand } = await import('./replay.ts');
      return [replayCommand, snapshotCommand];
    },
  ],
  [['backup'], async () => [(await import('./backup.ts')).backupCommand]],
  [['journal'], async () => [(await import('./journal.ts')).journalCommand]],
  [['cluster'], async () => [(await import('./cluster.ts')).clusterCommand]],
  [['export'], async () => [(await import('./export.ts')).exportCommand]],
  [['bench'], async () => [(await import('./bench.ts')).benchCommand]],
  [['conformance'], async () => [(await import('./conformance.ts')).conformanceCommand]],
  [['config'], async () => [(await import('./config.ts')).configCommand]],
];

/** Calls of a running server. */
async function operatorCommands(): Promise<readonly Command[]> {
  const { accountCommands } = await import('./operator-accounts.ts');
  const { systemCommands, venueCommands } = await import('./operator-venue.ts');
  const { earnCommands } = await import('./operator-earn.ts');
  return [...accountCommands, ...venueCommands, ...earnCommands, ...systemCommands];
}

/** The commands that may begin with this word; all where none does. */
async function commandsOf(word: string | undefined): Promise<readonly Command[]> {
  const named = COMMANDS.find(([words]) => words.some((each) => each === word));
  if (named !== undefined) return named[1]();
  const calls = await operatorCommands();
  if (calls.some((call) => call.name() === word)) return calls;
  const others = await Promise.all(COMMANDS.map(([, load]) => load()));
  return [...others.flat(), ...calls];
}

/** The command line with the commands that may begin with this word; with all by default. */
export async function commandLine(word?: string): Promise<Command> {
  const root = new Command('agio')
    .description('A spot exchange and earn service that you run yourself')
    .version(packageJson.version, '--version')
    // cli/env-file.ts reads it before commander does.
    .option('--env-file <FILE>', 'Settings as NAME=VALUE lines; the environment overrides them')
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES);
  for (const command of await commandsOf(word)) root.addCommand(command);
  return root;
}
