// All commands on one page.
import { defineCommand } from 'citty';
import { assetCommand } from './asset.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { benchCommand } from './bench.ts';
import { clockCommand } from './clock.ts';
import { about } from './command.ts';
import { configCommand } from './config.ts';
import { conformanceCommand } from './conformance.ts';
import { creditCommand } from './credit.ts';
import { debitCommand } from './debit.ts';
import { enterpriseCommand } from './enterprise.ts';
import { exportCommand } from './export.ts';
import { headCommand } from './head.ts';
import { incomeCommand } from './income.ts';
import { instrumentCommand } from './instrument.ts';
import { journalCommand } from './journal.ts';
import { keyCommand } from './key.ts';
import { orderCommand } from './order.ts';
import { planCommand } from './plan.ts';
import { replayCommand } from './replay.ts';
import { snapshotCommand } from './snapshot.ts';
import { startCommand } from './start.ts';
import { userCommand } from './user.ts';
import { verifyCommand } from './verify.ts';

export const root = defineCommand({
  meta: about('agio', 'A spot exchange and earn service that you run yourself', [
    'agio start                                          a sandbox on http://127.0.0.1:8080',
    'agio start --production --host 0.0.0.0              for customers; says what it still needs',
    'agio user create --email ada@example.com',
    'agio credit 7 USDT 1000 --reference wire-20260807-1',
    'agio user amend 7 --status suspended                freezes an account and cancels its orders',
    'agio instrument amend BTC-USDT --status HALTED      stops trading; --status LIVE resumes it',
    'agio plan fund 3 25000 --reference treasury-1        money to pay interest from',
    'agio backup /mnt/backup/monday && agio verify --data /mnt/backup/monday',
  ]),
  subCommands: {
    start: startCommand,
    verify: verifyCommand,
    replay: replayCommand,
    snapshot: snapshotCommand,
    backup: backupCommand,
    journal: journalCommand,
    export: exportCommand,
    bench: benchCommand,
    conformance: conformanceCommand,
    config: configCommand,
    user: userCommand,
    key: keyCommand,
    credit: creditCommand,
    debit: debitCommand,
    order: orderCommand,
    income: incomeCommand,
    asset: assetCommand,
    instrument: instrumentCommand,
    plan: planCommand,
    enterprise: enterpriseCommand,
    head: headCommand,
    clock: clockCommand,
    audit: auditCommand,
  },
});
