// agio plan: what is offered to savers, and the reserves that their interest is paid from.
import { defineCommand } from 'citty';
import { about, CliError, given, naturalNumber, yesOrNo } from './command.ts';
import {
  type Answer,
  OperatorClient,
  printRow,
  type Row,
  SERVER_ARGS,
  shown,
} from './operator-client.ts';
import { print, table } from './output.ts';

const planId = {
  type: 'positional',
  required: true,
  description: 'The number of the plan.',
} as const;

/** As planType on the wire. */
const TYPES: Readonly<Record<string, number>> = { flexible: 1, fixed: 2, customized: 3 };
const TYPE_NAMES = Object.keys(TYPES).join('|');

/** Terms that may change after the plan was created. */
const terms = {
  apr: { type: 'string', valueHint: 'RATE', description: 'Annual rate; 0.05 is 5 %.' },
  'min-apr': {
    type: 'string',
    valueHint: 'RATE',
    description: 'Customized: of the shortest term.',
  },
  'max-apr': { type: 'string', valueHint: 'RATE', description: 'Customized: of the longest term.' },
  min: { type: 'string', valueHint: 'AMOUNT', description: 'Least that one user may have.' },
  max: { type: 'string', valueHint: 'AMOUNT', description: 'Most that one user may have.' },
  capacity: {
    type: 'string',
    valueHint: 'AMOUNT|none',
    description: 'Most that all users together may have.',
  },
  'redeem-lock-hours': {
    type: 'string',
    valueHint: 'HOURS',
    description: 'From a redemption to its credit.',
  },
  'early-redemption': {
    type: 'string',
    valueHint: 'yes|no',
    description: 'Whether a term may be ended early; its interest is then given up.',
  },
  'auto-renew': {
    type: 'string',
    valueHint: 'yes|no',
    description: 'Whether a term may be followed by another one.',
  },
  kyc: { type: 'string', valueHint: 'yes|no', description: 'Only for users whose KYC is done.' },
  label: { type: 'string', valueHint: 'TEXT|none', description: 'A word for the user interface.' },
  booster: {
    type: 'string',
    valueHint: 'COIN:RATIO:RATE|none',
    description: 'Locked coins for each coin subscribed, and the annual rate that they add.',
  },
  status: {
    type: 'string',
    valueHint: 'open|closed',
    description: 'A closed plan takes nothing new and renews nothing.',
  },
} as const;

type Terms = { readonly [name in keyof typeof terms]?: string | undefined };

const termsOf = (args: Terms) => ({
  apr: args.apr,
  minApr: args['min-apr'],
  maxApr: args['max-apr'],
  userAmountMin: args.min,
  userAmountMax: args.max,
  poolCapacity: args.capacity === 'none' ? null : args.capacity,
  redeemLockHours: optionalNumber('--redeem-lock-hours', args['redeem-lock-hours']),
  supportEarlyRedemption: optionalAnswer('--early-redemption', args['early-redemption']),
  supportAutoRenew: optionalAnswer('--auto-renew', args['auto-renew']),
  requiresKyc: optionalAnswer('--kyc', args.kyc),
  label: args.label === 'none' ? '' : args.label,
  booster: args.booster === undefined ? undefined : boosterOf(args.booster),
  status: args.status,
});

const optionalNumber = (called: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : naturalNumber(called, text);

const optionalAnswer = (called: string, text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : yesOrNo(called, text);

function boosterOf(text: string): object | null {
  if (text === 'none') return null;
  const [coin, ratio, apr, ...rest] = text.split(':');
  if (apr !== undefined && rest.length === 0) return { coin, ratio, apr };
  throw new CliError(`--booster is COIN:RATIO:RATE, such as MMX:0.5:0.02, or none; not "${text}".`);
}

const list = defineCommand({
  meta: about('list', 'Lists the plans, and how long their reserves last', [
    'agio plan list',
    'agio plan list --json',
  ]),
  args: SERVER_ARGS,
  async run({ args }) {
    printPlans(await new OperatorClient(args).get('plans'), args.json === true);
  },
});

function printPlans(answer: Answer, asJson: boolean): void {
  if (asJson) {
    print(answer.text);
    return;
  }
  const rows = answer.rows.map((plan) => {
    const reserve = plan.reserve as Row;
    const { daysOfCover, alarm } = reserve;
    const cells = [plan.planId, plan.planName, typeName(plan), plan.coin, plan.status];
    const money = [plan.pool, reserve.balance, daysOfCover, alarm];
    return [...cells.map(shown), rateText(plan), daysText(plan), ...money.map(shown)];
  });
  const headings = ['planId', 'planName', 'type', 'coin', 'status', 'apr', 'days', 'pool'];
  print(table([...headings, 'reserve', 'daysOfCover', 'alarm'], rows));
}

const typeName = ({ planType }: Row): string =>
  Object.keys(TYPES).find((name) => String(TYPES[name]) === planType) ?? shown(planType);

const rateText = ({ apr, minApr, maxApr }: Row): string =>
  apr === null ? `${shown(minApr)} to ${shown(maxApr)}` : shown(apr);

const daysText = ({ lockDay, minLockDay, maxLockDay }: Row): string =>
  minLockDay === null ? shown(lockDay) : `${shown(minLockDay)} to ${shown(maxLockDay)}`;

const show = defineCommand({
  meta: about('show', 'Shows one plan with all its terms', ['agio plan show 3']),
  args: { planId, ...SERVER_ARGS },
  async run({ args }) {
    printRow(await new OperatorClient(args).get(pathOf(args.planId)), args);
  },
});

const pathOf = (typed: string): string => `plans/${naturalNumber('PLANID', typed)}`;

const create = defineCommand({
  meta: about(
    'create',
    'Offers a new plan',
    [
      'agio plan create Flexible --type flexible --coin USDT --apr 0.04 --min 10 --max 50000',
      'agio plan create "90 Days" --type fixed --coin USDT --days 90 --apr 0.1 --min 1 --max 9000',
      'agio plan create Term --type customized --coin BTC --days 7-365 --min-apr 0.01 ' +
        '--max-apr 0.03 --min 0.01 --max 5',
    ],
    {
      notes:
        'A plan that is open takes subscriptions at once: fund its reserve first where that\n' +
        'matters, with --status closed, then agio plan fund and agio plan edit --status open.',
    },
  ),
  args: {
    name: { type: 'positional', required: true, description: 'What customers read.' },
    type: { type: 'string', required: true, valueHint: TYPE_NAMES, description: 'Kind of plan.' },
    coin: { type: 'string', required: true, valueHint: 'ASSET', description: 'What is saved.' },
    days: {
      type: 'string',
      valueHint: 'N|N-N',
      description: 'The term of a fixed plan; shortest and longest of a customized one.',
    },
    'reward-every': {
      type: 'string',
      valueHint: 'DAYS',
      description: 'From one payout of interest to the next; 1 unless given.',
    },
    'auto-compound': {
      type: 'boolean',
      description: 'Flexible: interest joins the principal.',
    },
    ...terms,
    min: { ...terms.min, required: true },
    max: { ...terms.max, required: true },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const planType = TYPES[args.type];
    if (planType === undefined) {
      throw new CliError(`--type is one of ${TYPE_NAMES}, not "${args.type}".`);
    }
    const body = given({
      planName: args.name,
      planType,
      coin: args.coin,
      ...daysOf(args.days),
      rewardFrequency: optionalNumber('--reward-every', args['reward-every']),
      autoCompound: args['auto-compound'],
      ...termsOf(args),
    });
    printRow(await new OperatorClient(args).post('plans', body), args);
  },
});

/** 90, or 7-365. Throws CliError. */
function daysOf(text: string | undefined): object {
  if (text === undefined) return {};
  const [least = '', most, ...rest] = text.split('-');
  if (rest.length > 0) throw new CliError(`--days is like 90 or 7-365, not "${text}".`);
  if (most === undefined) return { lockDay: naturalNumber('--days', least) };
  return {
    minLockDay: naturalNumber('--days', least),
    maxLockDay: naturalNumber('--days', most),
  };
}

const edit = defineCommand({
  meta: about(
    'edit',
    'Changes the terms of a plan',
    [
      'agio plan edit 3 --status closed',
      'agio plan edit 3 --apr 0.035 --capacity none',
      'agio plan edit 4 --booster MMX:0.5:0.02',
    ],
    {
      notes:
        'New terms hold at once for who subscribes, from the next day (UTC) on for flexible\n' +
        'subscriptions, and never for a term that is running.',
    },
  ),
  args: {
    planId,
    name: { type: 'string', valueHint: 'TEXT', description: 'What customers read.' },
    ...terms,
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const body = given({ planName: args.name, ...termsOf(args) });
    printRow(await new OperatorClient(args).patch(pathOf(args.planId), body), args);
  },
});

const fund = defineCommand({
  meta: about('fund', 'Puts money into the reserve that interest is paid from', [
    'agio plan fund 3 25000 --reference treasury-20260807-1',
  ]),
  args: {
    planId,
    amount: { type: 'positional', required: true, description: 'Of the plan’s coin.' },
    reference: {
      type: 'string',
      required: true,
      valueHint: 'TEXT',
      description: 'Names this transfer for ever; repeated, it moves nothing.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const { amount, reference } = args;
    const path = `${pathOf(args.planId)}/reserve`;
    printRow(await new OperatorClient(args).post(path, { amount, reference }), args);
  },
});

export const planCommand = defineCommand({
  meta: about('plan', 'Lists, creates and changes plans, and funds their reserves', []),
  default: 'list',
  subCommands: { list, show, create, edit, fund },
});
