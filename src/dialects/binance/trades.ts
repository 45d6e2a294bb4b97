// Trades in Binance's form: public ones, aggregates, the caller's own, and the fills of an answer.
import { formatSteps, formatUnits } from '../../contract/decimal.ts';
import type { Trade } from '../../core/event.ts';
import { Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { Amount } from '../../core/units.ts';
import type { AggTrade } from '../../views/agg-trades.ts';
import type { Fill } from '../../views/fills.ts';
import { always, type Columns, writer } from './columns.ts';
import type { Venue } from './endpoint.ts';

/** A trade with its pair. */
interface Row<T> {
  readonly venue: Venue;
  readonly instrument: Instrument;
  readonly trade: T;
}

type CommonFields = Pick<Trade, 'price' | 'quoteAmount' | 'transactTime'> & {
  readonly quantity: Trade['quantity'] | Amount;
};
type Public = CommonFields & Pick<Trade, 'tradeId' | 'takerSide'>;

const COMMON: Columns<Row<CommonFields>> = {
  symbol: ({ venue, instrument }) => venue.symbols.nameOf(instrument),
  price: ({ trade, instrument }) => formatSteps(trade.price, instrument.tick),
  qty: ({ trade, instrument }) => formatSteps(trade.quantity, instrument.lot),
  quoteQty: ({ trade, instrument }) => formatUnits(trade.quoteAmount, instrument.quote.scale),
  time: ({ trade }) => trade.transactTime,
  now: ({ venue }) => venue.now,
  true: always(true),
};

const TAKEN: Columns<Row<Pick<Trade, 'takerSide'> & CommonFields>> = {
  ...COMMON,
  isBuyerMaker: ({ trade }) => trade.takerSide === Side.sell,
};

const PUBLIC: Columns<Row<Public>> = {
  ...TAKEN,
  id: ({ trade }) => trade.tradeId,
  trade: always('trade'),
};
export const writeTrade = writer(
  PUBLIC,
  'id price qty quoteQty time isBuyerMaker isBestMatch:true',
);
export const writeStreamTrade = writer(
  PUBLIC,
  'e:trade E:now s:symbol t:id p:price q:qty T:time m:isBuyerMaker M:true',
);

const AGGREGATE: Columns<Row<Omit<AggTrade, 'tradeCount'>>> = {
  ...TAKEN,
  first: ({ trade }) => trade.aggTradeId,
  last: ({ trade }) => trade.lastTradeId,
  aggTrade: always('aggTrade'),
};
const AGGREGATE_FIELDS = 'a:first p:price q:qty f:first l:last T:time m:isBuyerMaker M:true';
export const writeAggTrade = writer(AGGREGATE, AGGREGATE_FIELDS);
export const writeStreamAggTrade = writer(
  AGGREGATE,
  `e:aggTrade E:now s:symbol ${AGGREGATE_FIELDS}`,
);

const OWN: Columns<Row<Fill>> = {
  ...COMMON,
  id: ({ trade }) => trade.tradeId,
  orderId: ({ trade }) => trade.orderId,
  orderListId: always(-1),
  commission: ({ trade, venue }) =>
    formatUnits(trade.fee, venue.state.assets[trade.feeAssetId]!.scale),
  commissionAsset: ({ trade, venue }) => venue.state.assets[trade.feeAssetId]!.name,
  isBuyer: ({ trade }) => trade.side === Side.buy,
  isMaker: ({ trade }) => trade.maker,
};
export const writeOwnTrade = writer(
  OWN,
  'symbol id orderId orderListId price qty quoteQty commission commissionAsset time isBuyer ' +
    'isMaker isBestMatch:true',
);

const received = ({ trade, instrument }: Row<Trade>) =>
  trade.takerSide === Side.buy ? instrument.base : instrument.quote;
/** A fill of an incoming order. */
export const writeFill = writer(
  {
    ...COMMON,
    tradeId: ({ trade }) => trade.tradeId,
    commission: (row) => formatUnits(row.trade.takerFee, received(row).scale),
    commissionAsset: (row) => received(row).name,
  } satisfies Columns<Row<Trade>>,
  'price qty commission commissionAsset tradeId',
);
