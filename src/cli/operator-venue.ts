// The operator's commands for the venue: assets, instruments, journal head, clock and audit log.
import type { Command } from 'commander';
import { FEE_ROLES } from '../core/fee-rates.ts';
import { CliError, group } from './command.ts';
import { operatorCommand } from './operator-command.ts';
import { table } from './output.ts';
import { type Answer, cellText, cellTimeText, type Row, type Server } from './server.ts';

/** The price increment of the hint; most pairs in a currency have it. */
const USUAL_TICK = 2;
const MAX_HINTS = 20;

const step = (decimals: number): string =>
  decimals <= 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`;

/** The finest quantity increments of pairs with this asset, and those that its scale excludes. */
async function incrementHint({ row }: Answer, server: Server): Promise<string> {
  const all = (await server.call('assets')).rows;
  const others = all.filter(({ asset }) => asset !== row.asset);
  const pairs = others.flatMap((other) => [[other, row] as const, [row, other] as const]);
  const hints = pairs.map(([base, quote]) => {
    const [baseScale, quoteScale] = [Number(base.scale), Number(quote.scale)];
    const tick = Math.min(USUAL_TICK, quoteScale);
    const lot = Math.min(baseScale, quoteScale - tick);
    const fits = `--tick ${step(tick)} fits --lot ${step(lot)} and coarser`;
    const excluded = `, not ${step(lot + 1)}: ${quote.asset} would need --scale ${tick + lot + 1}`;
    const excludes = lot < baseScale;
    return {
      excludes,
      line: [`  ${base.asset}-${quote.asset}`, excludes ? fits + excluded : fits],
    };
  });
  hints.sort((a, b) => Number(b.excludes) - Number(a.excludes));
  const lines = hints.slice(0, MAX_HINTS).map(({ line }) => line);
  const more = hints.length - lines.length;
  return [
    `In a pair that ${row.asset} quotes, the decimals of --tick and --lot together are at most ` +
      `${row.scale}.`,
    ...(lines.length === 0 ? [] : [table(['  pair', 'increments'], lines)]),
    ...(more === 0 ? [] : [`  and ${more} more pairs`]),
    `Until something uses ${row.asset}, "agio asset amend ${row.asset} --scale N" changes this.`,
  ].join('\n');
}

const assetCommand = group(
  'asset',
  'Lists, creates, corrects and removes assets',
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
      examples: ['agio asset create BTC --scale 8', 'agio asset create AED --scale 8 --fiat'],
      notes:
        'The scale of a quote asset is at least the decimals of the price increment plus those\n' +
        'of the quantity increment of each of its pairs: BTC-USDT with --tick 0.01 and\n' +
        '--lot 0.00001 needs a USDT with 7 decimals.',
      arguments: ['asset'],
      hint: incrementHint,
    }),
    operatorCommand('amendAsset', {
      name: 'amend',
      summary: 'Changes the scale of an asset that nothing uses',
      examples: ['agio asset amend USDT --scale 8'],
      hint: incrementHint,
    }),
    operatorCommand('removeAsset', {
      name: 'remove',
      summary: 'Removes an asset that nothing uses',
      examples: ['agio asset remove USDX'],
    }),
  ],
  'list',
);

const instrumentOptions = {
  baseAssetMinOrderSize: { name: 'min-base' },
  quoteAssetMinOrderSize: { name: 'min-quote' },
  selfTradePrevention: { name: 'self-trade' },
  instrumentStatus: { name: 'status' },
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
        ...['baseAssetIncrement', ...FEE_ROLES, 'selfTradePrevention', 'priceBand'],
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
      arguments: ['symbol'],
      options: {
        quoteAssetIncrement: { name: 'tick' },
        baseAssetIncrement: { name: 'lot' },
        ...instrumentOptions,
      },
      remedies: {
        decimals:
          'For finer increments, "agio asset amend ASSET --scale N" changes the scale of an ' +
          'asset that nothing uses.',
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
    const tier = /^(?<volume>[^:]+):(?<makerFee>[^/]+)\/(?<takerFee>.+)$/.exec(item.trim())?.groups;
    if (tier === undefined) {
      throw new CliError(`${name} is like 100000:0.0008/0.001,1000000:0/0.0005, not "${typed}".`);
    }
    return { ...tier };
  });

const tierText = ({ row }: Answer): string => {
  const { volumeAsset } = row;
  const [rates, tiers] = [row.rates as readonly Row[], row.tiers as readonly Row[]];
  if (volumeAsset === null) return 'There are no fee tiers.';
  const fields = ['volume', ...FEE_ROLES];
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

const clockCommand = group(
  'clock',
  'Shows the clock, or moves it in the sandbox',
  [
    operatorCommand('clock', {
      name: 'show',
      summary: 'Shows business time and wall clock',
      examples: ['agio clock'],
      notes:
        'Business time never goes back: after a correction of the machine’s clock it stays\n' +
        'ahead and runs slower until the wall clock has caught up.',
      print: ({ row: { now, wall, ahead } }) =>
        `business time  ${cellTimeText(now)}\nwall clock     ${cellTimeText(wall)}\n` +
        `ahead          ${cellText(ahead)} ms`,
    }),
    operatorCommand('advanceClock', {
      name: 'advance',
      summary: 'Moves the sandbox’s business time forward',
      examples: ['agio clock advance 1d', 'agio clock advance 1d12h30m'],
      arguments: ['ms'],
      options: { ms: { name: 'duration' } },
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

const balanceText = ({ row }: Answer): string =>
  table(
    ['asset', 'account', 'balance'],
    (row.assets as readonly Row[])
      .flatMap(({ asset, sum, accounts }) => [
        ...(accounts as readonly Row[]).map(({ code, balance }) => [asset, code, balance]),
        [asset, 'sum', sum],
      ])
      .map((cells) => cells.map(cellText)),
  );

const trialBalanceCommand = operatorCommand('trialBalance', {
  name: 'trial-balance',
  summary: 'Shows the balance of each kind of account, by asset; each sum is 0',
  examples: ['agio trial-balance', 'agio trial-balance --json'],
  notes: 'Your holdings outside agio equal minus the balance of external.',
  print: balanceText,
});

const auditCommand = operatorCommand('audit', {
  name: 'audit',
  summary: 'Shows the audit log, newest first',
  examples: ['agio audit', 'agio audit --page 2'],
  options: { pageSize: { default: '50', help: 'Entries on a page, at most 100.' } },
  print: ['id', 'time', 'actor', 'ip', 'action', 'object', 'result', 'details'],
});

export const venueCommands: readonly Command[] = [assetCommand, instrumentCommand, feeTierCommand];
export const systemCommands: readonly Command[] = [
  headCommand,
  trialBalanceCommand,
  clockCommand,
  auditCommand,
];
