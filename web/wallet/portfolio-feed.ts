// Reads what the portfolio is computed from: 90 days of fills, statement and daily prices. An
// account with more rows than the limit sees its newest days.
import type { Balance, CallOptions, Fill, Instrument } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { DAY_MS } from '../exact/format.ts';
import { rereadOn } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import { type Feed, firstOf } from '../live/live.ts';
import {
  type EquityPoint,
  equityOf,
  mainPairOf,
  ownedPart,
  type Position,
  positionOf,
} from './portfolio.ts';

/** The days of fills and statement that are read. */
export const DAYS = 90;
const MAX_ROWS = 10_000;
/** The pairs whose prices are read. */
const MAX_PAIRS = 25;

/** The position of an asset in its main pair. */
export interface AssetPosition extends Position {
  readonly asset: string;
  readonly symbol: string;
}

export interface Portfolio {
  readonly positions: readonly AssetPosition[];
  readonly equity: readonly EquityPoint[];
  readonly isCut: boolean;
}

export const portfolioFeed = (
  target: string,
  decimals: number,
  instruments: readonly Instrument[],
): Feed<Portfolio> => ({
  key: ['fills', 'portfolio', target, decimals],
  every: 60_000,
  updates: rereadOn(channels.orders),
  read: (options) => readPortfolio(target, decimals, instruments, options),
});

async function readPortfolio(
  target: string,
  decimals: number,
  instruments: readonly Instrument[],
  options: CallOptions,
): Promise<Portfolio> {
  const { businessTime: now } = await client.time(options);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const startTime = today - (DAYS - 1) * DAY_MS;
  const [fills, entries, balances, candles] = await Promise.all([
    firstOf(client.allFills({ startTime }, options), MAX_ROWS),
    firstOf(client.allLedgerEntries({ startTime }, options), MAX_ROWS),
    client.balances(options),
    readCandles(instruments.slice(0, MAX_PAIRS), options),
  ]);
  const isCut = fills.length === MAX_ROWS || entries.length === MAX_ROWS;
  const firstDay = entries.length === MAX_ROWS ? entries.at(-1)!.time : startTime;
  return {
    positions: positionsOf(fills, instruments, balances),
    equity: equityOf({
      ...{ target, decimals, entries, candles, now },
      balances: new Map(balances.map(({ asset, total }) => [asset, total])),
      days: Math.floor((today - firstDay) / DAY_MS) + 1,
    }),
    isCut,
  };
}

async function readCandles(instruments: readonly Instrument[], options: CallOptions) {
  const read = instruments.map(async ({ symbol }) => {
    const query = { symbol, interval: '1d', limit: DAYS + 1 } as const;
    return [symbol, await client.candles(query, options)] as const;
  });
  return new Map(await Promise.all(read));
}

/** The assets with fills in their main pair, by name. `fills`: newest first. */
function positionsOf(
  fills: readonly Fill[],
  instruments: readonly Instrument[],
  balances: readonly Balance[],
): readonly AssetPosition[] {
  const bySymbol = Map.groupBy(fills.toReversed(), ({ symbol }) => symbol);
  return [...bySymbol].flatMap(([symbol, own]) => {
    const asset = symbol.split('-')[0]!;
    if (mainPairOf(asset, instruments) !== symbol) return [];
    const owned = balances.find((balance) => balance.asset === asset)?.total ?? '0';
    return [{ asset, symbol, ...ownedPart(positionOf(own), owned) }];
  });
}
