// The operator's commands for the venue: assets, instruments, journal head, clock and audit log.
import type { Command } from 'commander';
import { CliError, group } from './command.ts';
import { operatorCommand } from './operator-command.ts';
import { table } from './output.ts';
import { type Answer, cellText, cellTimeText, type Row } from './server.ts';

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

/** ETH=3000, which is the value of one coin in the asset of the volumes. Throws CliError. */
const volumeRates = (name: string, typed: string): unknown =>
  typed.split(',').map((item) => {
    const [, asset, rate] = /^([^=]+)=([^=]+)$/.exec(item.trim()) ?? [];
    if (rate === undefined)
      throw new CliError(`${name} is like ETH=3000,BTC=60000, not "${typed}".`);
    return { asset, rate };
  });

/** 100000:0.0008/0.001. Throws CliError. */
const feeTiers = (name: string, typed: string): unknown =>
  typed.split(',').map((item) => {
    const [, volume, makerFee, takerFee] = /^([^:]+):([^/]+)\/(.+)$/.exec(item.trim()) ?? [];
    if (takerFee === undefined) {
      throw new CliError(`${name} is like 100000:0.0008/0.001,1000000:0/0.0005, not "${typed}".`);
    }
    return { volume, makerFee, takerFee };
  });

const tierText = ({ row }: Answer): string => {
  const { volumeAsset } = row;
  const [rates, tiers] = [row.rates as readonly Row[], row.tiers as readonly Row[]];
  if (volumeAsset === null) return 'There are no fee tiers.';
  const fields = ['volume', 'makerFee', 'takerFee'];
  const values = rates.map(({ asset, rate }) => `1 ${asset} counts as ${rate} ${volumeAsset}`);
  return [
    `Volumes of 30 days are in ${volumeAsset}.`,
    ...values,
    table(
      fields,
      tiers.map((tier) => fields.map((field) => cellText(tier[field]))),
    ),
  ].join('\n');
};

const feeTierCommand = group(
  'fee-tiers',
  'Shows, sets or removes the fees by 30-day volume',
  [
    operatorCommand('feeTiers', {
      name: 'show',
      summary: 'Shows the table',
      examples: ['agio fee-tiers', 'agio fee-tiers show --json'],
      print: tierText,
    }),
    operatorCommand('setFeeTiers', {
      name: 'set',
      summary: 'Sets the table, whole',
      examples: [
        'agio fee-tiers set --volume-asset USDT --tiers 100000:0.0008/0.001,1000000:0/0.0005',
        'agio fee-tiers set --volume-asset USDT --rates BTC=60000 --tiers 100000:0.0008/0.001',
      ],
      options: {
        volumeAsset: { required: true },
        rates: { hint: 'ASSET=VALUE,…', read: volumeRates, help: 'Values of other quote assets.' },
        tiers: { hint: 'VOLUME:MAKER/TAKER,…', read: feeTiers, help: '0.001 is 0.1 %.' },
      },
      print: tierText,
    }),
    operatorCommand('setFeeTiers', {
      name: 'remove',
      summary: 'Removes the table: every pair has its own fees again',
      examples: ['agio fee-tiers remove'],
      fixed: { tiers: [] },
      without: ['volumeAsset', 'rates'],
      print: tierText,
    }),
  ],
  'show',
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

export const venueCommands: readonly Command[] = [assetCommand, instrumentCommand, feeTierCommand];
export const systemCommands: readonly Command[] = [headCommand, clockCommand, auditCommand];
