// All commands of agio on one page.
import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { backupCommand } from './backup.ts';
import { benchCommand } from './bench.ts';
import { clusterCommand } from './cluster.ts';
import { configCommand } from './config.ts';
import { conformanceCommand } from './conformance.ts';
import { exportCommand } from './export.ts';
import { journalCommand } from './journal.ts';
import { accountCommands } from './operator-accounts.ts';
import { earnCommands } from './operator-earn.ts';
import { systemCommands, venueCommands } from './operator-venue.ts';
import { replayCommand, snapshotCommand } from './replay.ts';
import { startCommand } from './start.ts';
import { verifyCommand } from './verify.ts';

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

export const root = new Command('agio')
  .description('A spot exchange and earn service that you run yourself')
  .version(packageJson.version, '--version')
  .enablePositionalOptions()
  .addHelpText('after', EXAMPLES);

for (const command of [
  startCommand,
  verifyCommand,
  replayCommand,
  snapshotCommand,
  backupCommand,
  journalCommand,
  clusterCommand,
  exportCommand,
  benchCommand,
  conformanceCommand,
  configCommand,
  ...accountCommands,
  ...venueCommands,
  ...earnCommands,
  ...systemCommands,
]) {
  root.addCommand(command);
}
