// The names of market streams, such as btcusdt@depth5@100ms, and the channel of each.
import { CANDLE_INTERVALS, type CandleInterval } from '../../core/calendar.ts';
import {
  AggTradeChannel,
  BookTickerChannel,
  type Channel,
  type ChannelHost,
  DepthChannel,
  KlineChannel,
  PartialDepthChannel,
  TickerChannel,
  type TickerKind,
  TradeChannel,
} from './channels.ts';

/** Ticks between two messages of a book, by the suffix of its name. */
const SPEEDS: Readonly<Record<string, number>> = { '': 10, '@1000ms': 10, '@100ms': 1 };
const DEPTH = /^depth(5|10|20|)(@100ms|@1000ms|)$/;
const ALL = /^!(ticker|miniTicker)@arr$/;
/** A name of a listen key, which no stream has. */
export const LISTEN_KEY = /^[0-9a-f]{64}$/;

/** The channel of a name; null where there is none. */
export function channelOf(host: ChannelHost, name: string): Channel | null {
  const all = ALL.exec(name);
  if (all !== null) return new TickerChannel(host, name, all[1] as TickerKind, null);
  const at = name.indexOf('@');
  const instrument = at < 0 ? undefined : host.symbols.find(name.slice(0, at).toUpperCase());
  if (instrument === undefined) return null;
  const kind = name.slice(at + 1);
  switch (kind) {
    case 'trade':
      return new TradeChannel(host, name, instrument);
    case 'aggTrade':
      return new AggTradeChannel(host, name, instrument);
    case 'bookTicker':
      return new BookTickerChannel(host, name, instrument);
    case 'ticker':
    case 'miniTicker':
      return new TickerChannel(host, name, kind, instrument);
  }
  if (kind.startsWith('kline_')) {
    const interval = kind.slice('kline_'.length);
    if (!Object.hasOwn(CANDLE_INTERVALS, interval)) return null;
    return new KlineChannel(host, name, instrument, interval as CandleInterval);
  }
  const [, depth, speed] = DEPTH.exec(kind) ?? [];
  if (depth === undefined) return null;
  const every = SPEEDS[speed!]!;
  return depth === ''
    ? new DepthChannel(host, name, instrument, every)
    : new PartialDepthChannel(host, name, instrument, { depth: Number(depth), every });
}
