// The operator's commands for earn: plans with their reserves, and enterprises.
import type { Command } from 'commander';
import { PlanType } from '../sdk/index.ts';
import { CliError, group, naturalNumber, yesOrNo } from './command.ts';
import { type OptionTerms, operatorCommand } from './operator-command.ts';
import { table } from './output.ts';
import { type Answer, cellText, type Row } from './server.ts';

/** COIN:RATIO:RATE. Throws CliError. */
function boosterOf(name: string, text: string): object {
  const [coin, ratio, apr, ...rest] = text.split(':');
  if (apr !== undefined && rest.length === 0) return { coin, ratio, apr };
  throw new CliError(`${name} is COIN:RATIO:RATE, such as MMX:0.5:0.02, or none; not "${text}".`);
}

/** 90, or 7-365. Throws CliError. */
function daysOf(name: string, text: string): object {
  const [minimum = '', maximum, ...rest] = text.split('-');
  if (rest.length > 0) throw new CliError(`${name} is like 90 or 7-365, not "${text}".`);
  if (maximum === undefined) return { lockDay: naturalNumber(name, minimum) };
  return {
    minLockDay: naturalNumber(name, minimum),
    maxLockDay: naturalNumber(name, maximum),
  };
}

/** A new plan takes the words too, so that a command can be repeated as an edit. */
const yesOrNoOption = { hint: 'yes|no', read: yesOrNo } as const;

/** Terms that may change after a plan was created. */
const planOptions: Readonly<Record<string, OptionTerms>> = {
  userAmountMin: { name: 'min' },
  userAmountMax: { name: 'max' },
  poolCapacity: { name: 'capacity' },
  supportEarlyRedemption: { ...yesOrNoOption, name: 'early-redemption' },
  supportAutoRenew: { ...yesOrNoOption, name: 'auto-renew' },
  requiresKyc: { ...yesOrNoOption, name: 'kyc' },
  label: { hint: 'TEXT|none', read: (_, text) => (text === 'none' ? '' : text) },
  booster: { hint: 'COIN:RATIO:RATE', read: boosterOf },
};

function plansText({ rows }: Answer): string {
  const cells = rows.map((plan) => {
    const { balance, daysOfCover, alarm } = plan.reserve as Row;
    const { planType, apr, minApr, maxApr, lockDay, minLockDay, maxLockDay } = plan;
    const type = Object.entries(PlanType).find(([, wire]) => String(wire) === planType);
    return [
      ...[plan.planId, plan.planName, type?.[0] ?? planType, plan.coin, plan.status].map(cellText),
      apr === null ? `${cellText(minApr)} to ${cellText(maxApr)}` : cellText(apr),
      minLockDay === null
        ? cellText(lockDay)
        : `${cellText(minLockDay)} to ${cellText(maxLockDay)}`,
      ...[plan.pool, balance, daysOfCover, alarm].map(cellText),
    ];
  });
  const headings = ['planId', 'planName', 'type', 'coin', 'status', 'apr', 'days', 'pool'];
  return table([...headings, 'reserve', 'daysOfCover', 'alarm'], cells);
}

const planCommand = group(
  'plan',
  'Lists, creates and changes plans, and funds their reserves',
  [
    operatorCommand('plans', {
      name: 'list',
      summary: 'Lists the plans, and how long their reserves last',
      examples: ['agio plan list', 'agio plan list --json'],
      print: plansText,
    }),
    operatorCommand('plan', {
      name: 'show',
      summary: 'Shows one plan with all its terms',
      examples: ['agio plan show 3'],
    }),
    operatorCommand('createPlan', {
      name: 'create',
      summary: 'Offers a new plan',
      examples: [
        'agio plan create Flexible --type flexible --coin USDT --apr 0.04 --min 10 --max 50000',
        'agio plan create "90 Days" --type fixed --coin USDT --days 90 --apr 0.1 --min 1 ' +
          '--max 9000',
        'agio plan create Term --type customized --coin BTC --days 7-365 --min-apr 0.01 ' +
          '--max-apr 0.03 --min 0.01 --max 5',
      ],
      notes:
        'An open plan takes subscriptions immediately. To fund its reserve first, create it\n' +
        'with --status closed, then run agio plan fund and agio plan edit --status open.',
      arguments: ['planName'],
      without: ['lockDay', 'minLockDay', 'maxLockDay'],
      options: {
        planName: { name: 'name' },
        planType: { name: 'type' },
        coin: { hint: 'ASSET' },
        days: {
          hint: 'N|N-N',
          help: 'The term of a fixed plan; the shortest and longest of a customized one.',
          readFields: daysOf,
        },
        rewardFrequency: { name: 'reward-every' },
        ...planOptions,
      },
    }),
    operatorCommand('amendPlan', {
      name: 'edit',
      summary: 'Changes the terms of a plan',
      examples: [
        'agio plan edit 3 --status closed',
        'agio plan edit 3 --apr 0.035 --capacity none',
        'agio plan edit 4 --booster MMX:0.5:0.02',
      ],
      notes:
        'New terms hold immediately for new subscriptions, from the next day (UTC) for flexible\n' +
        'subscriptions, and never for a running term.',
      options: { planName: { name: 'name' }, ...planOptions },
    }),
    operatorCommand('fundReserve', {
      name: 'fund',
      summary: 'Funds the reserve that pays the interest of a plan',
      examples: ['agio plan fund 3 25000 --reference treasury-20260807-1'],
      arguments: ['amount'],
    }),
  ],
  'list',
);

const enterpriseCommand = group(
  'enterprise',
  'Lists, creates and changes enterprises',
  [
    operatorCommand('enterprises', {
      name: 'list',
      summary: 'Lists enterprises with their members and margins',
      examples: ['agio enterprise list'],
      print: ['enterpriseId', 'name', 'members', 'selfTradePrevention', 'margins'],
    }),
    operatorCommand('createEnterprise', {
      name: 'create',
      summary: 'Creates an enterprise',
      examples: ['agio enterprise create "Example Treasury"'],
      notes:
        'Users join with agio user amend UID --enterprise ID. An admin (--enterprise-admin yes)\n' +
        'needs an API key with module 4: agio key create UID --alias treasury --modules 4.',
      arguments: ['name'],
    }),
    operatorCommand('amendEnterprise', {
      name: 'amend',
      summary: 'Allows or prevents trades between members of an enterprise',
      examples: ['agio enterprise amend 1 --self-trade-prevention yes'],
    }),
  ],
  'list',
);

export const earnCommands: readonly Command[] = [planCommand, enterpriseCommand];
