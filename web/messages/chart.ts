// Texts of the chart: intervals, styles, indicators, own orders and fills, and the depth.
import type { CandlesRequest } from '../../src/sdk/index.ts';
import { counted, inLanguage } from './catalog.ts';

export type CandleInterval = CandlesRequest['interval'];

/** Shortest first: the order of the menus. */
const intervals: Readonly<Record<CandleInterval, string>> = {
  '1m': '1 minute',
  '3m': '3 minutes',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '30m': '30 minutes',
  '1h': '1 hour',
  '2h': '2 hours',
  '4h': '4 hours',
  '6h': '6 hours',
  '12h': '12 hours',
  '1d': '1 day',
  '1w': '1 week',
};

const EXITS = { stop: 'Stop', takeProfit: 'Take profit', trailingStop: 'Trailing stop' } as const;

interface OwnOrder {
  readonly side: 'buy' | 'sell';
  readonly role: 'order' | keyof typeof EXITS;
}

function kindOf({ side, role }: OwnOrder): string {
  if (role === 'order') return side === 'buy' ? 'Buy' : 'Sell';
  return `${EXITS[role]}: ${side}`;
}

const en = {
  title: 'Chart',
  interval: 'Candle interval',
  intervals,
  label: (symbol: string, interval: string) => `Candles of ${symbol}, ${interval} each`,
  keys: 'The arrow keys move from candle to candle; plus and minus zoom.',
  noTrades: 'No trades yet',
  noTradesWhy: (symbol: string) => `The first trade of ${symbol} starts the first candle.`,
  credit: 'Charts by TradingView',
  open: 'O',
  high: 'H',
  low: 'L',
  close: 'C',
  volume: 'Vol',

  view: 'Chart view',
  views: { price: 'Prices', depth: 'Depth', both: 'Both' },
  style: 'Style',
  styles: { candles: 'Candles', bars: 'Bars', line: 'Line', area: 'Area' },
  logarithmic: 'Logarithmic scale',
  styleAndScale: 'Chart style and scale',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',

  indicators: 'Indicators',
  indicatorsCount: (count: number) => (count === 0 ? 'Indicators' : `Indicators ${count}`),
  kinds: {
    ma: { short: 'MA', long: 'Moving average' },
    ema: { short: 'EMA', long: 'Exponential moving average' },
    wma: { short: 'WMA', long: 'Weighted moving average' },
    vwap: { short: 'VWAP', long: 'Volume-weighted average price' },
    bollinger: { short: 'BB', long: 'Bollinger bands' },
    donchian: { short: 'DC', long: 'Donchian channel' },
    volume: { short: 'VMA', long: 'Volume moving average' },
    rsi: { short: 'RSI', long: 'Relative strength index' },
    macd: { short: 'MACD', long: 'Moving average convergence divergence' },
    stochastic: { short: 'STO', long: 'Stochastic oscillator' },
    atr: { short: 'ATR', long: 'Average true range' },
    obv: { short: 'OBV', long: 'On-balance volume' },
  },
  parameters: {
    length: 'Candles',
    deviations: 'Deviations',
    fast: 'Fast',
    slow: 'Slow',
    signal: 'Signal',
    smooth: 'Smoothing',
    days: 'Days per period',
  },
  parameterRange: (minimum: number, maximum: number) => `${minimum} to ${maximum}`,
  add: (indicator: string) => `Add ${indicator}`,
  remove: (indicator: string) => `Remove ${indicator}`,
  addIndicator: 'Add an indicator',
  maximum: (count: number) => `A chart has at most ${counted(count, 'indicator')}.`,
  maximumPanes: (count: number) => `At most ${counted(count, 'indicator')} below the prices.`,

  draw: 'Draw',
  tools: {
    trend: 'Trend line',
    horizontal: 'Horizontal line',
    fibonacci: 'Fibonacci retracement',
  },
  drawHint: (points: number) =>
    points === 1 ? 'Press a price. Esc cancels.' : 'Press two points. Esc cancels.',
  removeDrawing: (drawing: string) => `Remove ${drawing.toLowerCase()}`,
  removeDrawings: 'Remove all drawings',

  ownOrder: (order: OwnOrder, quantity: string) => `${kindOf(order)} ${quantity}`,
  ownOrderAt: (order: OwnOrder, quantity: string, price: string) =>
    `${kindOf(order)} ${quantity} at ${price}`,
  changePrice: (order: string) => `${order}: change the price`,
  moveKeys: 'Drag it, or press the up and down arrow keys, then Enter.',
  newPrice: 'New price',
  tradesNow: 'This price executes immediately.',
  confirmMove: 'Confirm',
  keepPrice: 'Keep price',
  ownFills: (bought: boolean, quantity: string, price: string, count: number) =>
    `You ${bought ? 'bought' : 'sold'} ${quantity} at ${price}` +
    (count === 1 ? '' : ` on average, in ${count} fills`),
  edge: (orders: number, fills: number) =>
    [
      ...(orders === 0 ? [] : [counted(orders, 'order')]),
      ...(fills === 0 ? [] : [counted(fills, 'fill')]),
    ].join(', '),
  edgeHint: (above: boolean) => `${above ? 'Above' : 'Below'} this view. Show all own orders`,
  fitCandles: 'Fit to candles',

  depthOf: (symbol: string) => `Depth of ${symbol}`,
  depthKeys: 'The arrow keys move from level to level.',
  mid: 'Mid',
  spread: 'Spread',
  nothingChosen: 'No level is chosen',
  upTo: (price: string, quantity: string, cost: string) =>
    `Up to ${price}: ${quantity} for ${cost}`,
  price: 'Price',
  quantity: 'Quantity',
  cost: 'Cost',
  distance: 'From mid',
  zoomIn: 'Show fewer prices',
  zoomOut: 'Show more prices',
  emptyBook: 'The book is empty',
  emptyBookWhy: 'The depth appears with the first order.',
  oneSide: 'One side of the book is empty',
};

export const chart = inLanguage({ en });
