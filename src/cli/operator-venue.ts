// The operator's commands for the venue: assets, instruments, journal head, clock and audit log.
import type { Command } from 'commander';
import { CliError, group } from './command.ts';
import { operatorCommand } from './operator-command.ts';
import { cellText, cellTimeText } from './server.ts';

const assetCommand = group(
  'asset',
  'Lists and creates assets',
  [
    operatorCommand('assets', {
      name: 'list',
      summary: 'Lists the assets',
      examples: ['agio asset list'],
      print: ['assetId', 'asset', 'scale', 'fiat'],
    }),
    operatorCommand('createAsset', {
      name: 'create',
      summary: 'Lists a new asset',
      examples: ['agio asset create BTC --scale 8', 'agio asset create AED --scale 2 --fiat'],
      arguments: { asset: 'Capital letters and digits.' },
      options: {
        scale: { hint: '0-18', help: 'Decimals of the smallest unit. They never change.' },
        fiat: { help: 'A state issues it.' },
      },
    }),
  ],
  'list',
);

const minimums = {
  baseAssetMinOrderSize: { name: 'min-base', help: 'Minimum quantity of an order.' },
  quoteAssetMinOrderSize: { name: 'min-quote', help: 'Minimum price × quantity of an order.' },
} as const;
const instrumentOptions = {
  ...minimums,
  makerFee: { hint: 'RATE', help: '0.001 is 0.1 %.' },
  takerFee: { hint: 'RATE', help: '0.001 is 0.1 %.' },
  selfTradePrevention: {
    name: 'self-trade',
    help: 'The order that is canceled when an account would trade with itself.',
  },
  priceBand: { hint: 'RATE' },
  instrumentStatus: { name: 'status', help: 'The orders and cancels that are accepted.' },
} as const;

const instrumentCommand = group(
  'instrument',
  'Lists, creates, changes, halts and resumes instruments',
  [
    operatorCommand('instruments', {
      name: 'list',
      summary: 'Lists the instruments',
      examples: ['agio instrument list', 'agio instrument list --json'],
      print: [
        ...['securityId', 'symbol', 'instrumentStatus', 'quoteAssetIncrement'],
        ...['baseAssetIncrement', 'makerFee', 'takerFee', 'selfTradePrevention', 'priceBand'],
        'lastPrice',
      ],
    }),
    operatorCommand('createInstrument', {
      name: 'create',
      summary: 'Lists a new instrument',
      examples: [
        'agio instrument create BTC-USDT --tick 0.01 --lot 0.000001 --min-base 0.00001 ' +
          '--min-quote 0.1',
      ],
      arguments: { symbol: 'Such as BTC-USDT.' },
      options: {
        quoteAssetIncrement: { name: 'tick', help: 'Price increment. It never changes.' },
        baseAssetIncrement: { name: 'lot', help: 'Quantity increment. It never changes.' },
        ...instrumentOptions,
      },
    }),
    operatorCommand('amendInstrument', {
      name: 'amend',
      summary: 'Changes the terms or the status of an instrument',
      examples: [
        'agio instrument amend BTC-USDT --status HALTED          halts it',
        'agio instrument amend BTC-USDT --status CANCEL_ONLY     takes no new orders',
        'agio instrument amend BTC-USDT --status LIVE            resumes trading',
        'agio instrument amend BTC-USDT --taker-fee 0.001 --price-band 0.1',
      ],
      options: instrumentOptions,
    }),
  ],
  'list',
);

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** 90m, 36h, 1d12h. Throws CliError. */
function durationOf(_: string, text: string): number {
  if (!/^(\d{1,12}(ms|s|m|h|d))+$/.test(text)) {
    throw new CliError(
      `A duration is like 90m, 36h or 1d12h (units d, h, m, s, ms), not "${text}".`,
    );
  }
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!, 0);
}

const clockCommand = group(
  'clock',
  'Shows the clock, or moves it in the sandbox',
  [
    operatorCommand('clock', {
      name: 'show',
      summary: 'Shows business time and wall clock',
      examples: ['agio clock'],
      print: ({ row: { now, wall, offset } }) =>
        `business time  ${cellTimeText(now)}\nwall clock     ${cellTimeText(wall)}\n` +
        `offset         ${cellText(offset)} ms`,
    }),
    operatorCommand('advanceClock', {
      name: 'advance',
      summary: 'Moves the sandbox’s business time forward',
      examples: ['agio clock advance 1d', 'agio clock advance 1d12h30m'],
      arguments: { ms: 'Such as 90m, 36h, 1d12h; at most 400d.' },
      options: { ms: { name: 'duration', read: durationOf } },
      print: ({ row }) => `business time  ${cellTimeText(row.now)}`,
    }),
  ],
  'show',
);

const headCommand = operatorCommand('journalHead', {
  name: 'head',
  summary: 'Shows the journal’s position, its hash and the hash of the state',
  examples: ['agio head', 'agio head --json >> /safe/place/heads.jsonl'],
  notes:
    'A head that is noted on another machine proves later that nothing before it was cut or\n' +
    'changed: agio verify --journal-head SEQ:CHAINHASH.',
});

const auditCommand = operatorCommand('audit', {
  name: 'audit',
  summary: 'Shows the audit log, newest first',
  examples: ['agio audit', 'agio audit --page 2'],
  options: { pageSize: { default: '50', help: 'Entries on a page, at most 100.' } },
  print: ['id', 'time', 'actor', 'ip', 'action', 'object', 'result', 'details'],
});

export const venueCommands: readonly Command[] = [assetCommand, instrumentCommand];
export const systemCommands: readonly Command[] = [headCommand, clockCommand, auditCommand];
