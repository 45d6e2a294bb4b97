// A venue's answers in the words of a trader: outcomes, execution reports and trades as sentences,
// the book as a ladder, balances as one row per person.
import { clOrdIdOf } from '../../src/core/cl-ord-id.ts';
import type { CoreEvent, ExecutionReport, Trade } from '../../src/core/event.ts';
import { CLOSE_TEXT, ExecType, Side, TriggerPriceDirection } from '../../src/core/fix.ts';
import type { Increment, Instrument } from '../../src/core/instrument.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { VENUE } from '../../src/core/ledger/ledger.ts';
import { NONE } from '../../src/core/matching/order-store.ts';
import type { OrderExtras } from '../../src/core/order-extras.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Measure, Reject } from '../../src/core/reject.ts';
import type { Amount, Ticks } from '../../src/core/units.ts';
import { shownTrigger } from '../model/trailing.ts';
import type { Table } from './scenario-file.ts';
import type { ScenarioVenue } from './scenario-venue.ts';
import { SCALE, showDecimal, showSteps } from './scenario-words.ts';

const money = (n: Amount): string => showDecimal(BigInt(n), SCALE);

/** `uid`: who sent the command. */
export function showOutcome(venue: ScenarioVenue, uid: number, outcome: Outcome): string {
  const again = outcome.replayed ? ' (repeated answer)' : '';
  if (!outcome.ok) return `rejected: ${showReject(venue, outcome.reject)}${again}`;
  const { result } = outcome;
  if ('outcomes' in result) {
    return result.outcomes.map((entry) => showOutcome(venue, uid, entry)).join('; ') + again;
  }
  if ('stopOrderId' in result) return `orders ${result.orderId} and ${result.stopOrderId}${again}`;
  if ('requestId' in result && 'transactTime' in result) {
    return `amended order ${result.orderId}${again}`;
  }
  if ('transactTime' in result)
    return `order ${result.orderId}, id ${clOrdIdOf(uid, result.orderId, result.clOrdId)}${again}`;
  if ('origClOrdId' in result) return `canceled order ${result.orderId}${again}`;
  if ('canceled' in result) return `${result.canceled} canceled${again}`;
  if ('triggerTime' in result) {
    const { triggerTime, currentTime } = result;
    return triggerTime === null
      ? `disarmed${again}`
      : `fires in ${triggerTime - currentTime} ms${again}`;
  }
  if ('transferId' in result) return `transfer ${result.transferId}${again}`;
  return `done${again}`;
}

function showReject(venue: ScenarioVenue, reject: Reject): string {
  const { name, field, limit, value, nearest } = reject;
  const details = [
    field,
    value === null ? null : `sent ${showMeasure(venue, value)}`,
    limit === null ? null : `limit ${showMeasure(venue, limit)}`,
    nearest === null ? null : `nearest ${showMeasure(venue, nearest)}`,
  ].filter((detail) => detail !== null);
  return details.length === 0 ? name : `${name} (${details.join(', ')})`;
}

function showMeasure({ state }: ScenarioVenue, measure: Measure): string {
  if (measure.unit === 'count' || measure.unit === 'rate') return String(measure.n);
  if (measure.unit === 'amount')
    return `${money(measure.n)} ${state.assets[measure.assetId]!.name}`;
  const { tick, lot, base } = state.instruments[measure.securityId]!;
  if (measure.unit === 'ticks') return showSteps(measure.n, tick);
  return `${showSteps(measure.n, lot)} ${base.name}`;
}

export function showEvent(venue: ScenarioVenue, event: CoreEvent): string {
  const { state, people } = venue;
  if (event.type === 'trade') return showTrade(event, state.instruments[event.securityId]!);
  if (event.type === 'executionReport') {
    const instrument = state.instruments[event.securityId]!;
    return `${event.orderId} ${people[event.uid]}: ${showReport(event, instrument)}`;
  }
  if (event.type === 'fundsTransferred') {
    const sign = event.amount > 0 ? '+' : '';
    const asset = state.assets[event.assetId]!;
    return `${people[event.uid]}: ${sign}${money(event.amount)} ${asset.name}`;
  }
  if (event.type === 'instrumentChanged') {
    return `${state.instruments[event.securityId]!.symbol} changed`;
  }
  throw new Error(`a scenario has no words for: ${JSON.stringify(event)}`);
}

function showTrade(trade: Trade, { tick, lot, base, quote }: Instrument): string {
  const buyerTook = trade.takerSide === Side.buy;
  const fees = [
    ['maker', trade.makerFee, buyerTook ? quote : base],
    ['taker', trade.takerFee, buyerTook ? base : quote],
  ] as const;
  const shown = fees
    .filter(([, fee]) => fee > 0)
    .map(([role, fee, asset]) => `, ${role} fee ${money(fee)} ${asset.name}`);
  const traded = `${showSteps(trade.quantity, lot)} at ${showSteps(trade.price, tick)}`;
  return `trade ${traded}${shown.join('')}`;
}

function showReport(report: ExecutionReport, { tick, lot, quote }: Instrument): string {
  const { execType, lastQty, lastPx, cumQty, leavesQty, reason } = report;
  const done = `${showSteps(cumQty, lot)} done for ${money(report.cumQuote)} ${quote.name}`;
  switch (execType) {
    case ExecType.new:
      return report.workingIndicator ? 'new' : `new, ${showStop(report, tick)}`;
    case ExecType.replaced: {
      const at = report.price === 0 ? '' : ` at ${showSteps(report.price, tick)}`;
      const waits = report.workingIndicator ? '' : `, ${showStop(report, tick)}`;
      const { displayQty } = report.extras;
      const shows = displayQty === 0 ? '' : `, showing ${showSteps(displayQty, lot)}`;
      return `amended to ${showSteps(report.orderQty, lot)}${at}${shows}${waits}`;
    }
    case ExecType.triggered:
      return report.workingIndicator ? 'triggered' : `begins, ${showStop(report, tick)}`;
    case ExecType.canceled:
      return `canceled, ${done}. ${CLOSE_TEXT[reason]}`;
    case ExecType.rejected:
      return `rejected. ${CLOSE_TEXT[reason]}`;
    case ExecType.fill:
      return `filled by ${showSteps(lastQty, lot)} at ${showSteps(lastPx, tick)}, ${done}`;
    case ExecType.partialFill: {
      const left = report.orderQty === 0 ? done : `${showSteps(leavesQty, lot)} left`;
      return `partly filled by ${showSteps(lastQty, lot)} at ${showSteps(lastPx, tick)}, ${left}`;
    }
  }
  throw new Error(`a scenario has no words for execType ${execType}`);
}

interface Stop extends Pick<ExecutionReport, 'triggerPx' | 'trailingTime'> {
  readonly extras: Pick<OrderExtras, 'stopPx' | 'triggerPriceDirection' | 'trail'>;
}

function showStop(stop: Stop, tick: Increment): string {
  const { extras, triggerPx, trailingTime } = stop;
  const { stopPx, triggerPriceDirection, trail } = extras;
  if (trailingTime !== 0) return `trails, trigger at ${showSteps(triggerPx, tick)}`;
  const word = triggerPriceDirection === TriggerPriceDirection.up ? 'rises' : 'falls';
  const waits = `waits until the price ${word} to ${showSteps(stopPx, tick)}`;
  if (trail === 0) return waits;
  const distance = trail > 0 ? `${showDecimal(BigInt(trail), 2)}%` : showSteps(-trail, tick);
  return `${waits}, then trails by ${distance}`;
}

/** One ladder for each instrument: quantity, price and the orders in order of priority. */
export function bookTable({ state }: ScenarioVenue): Table[] {
  const listed = state.instruments.filter((instrument) => instrument !== undefined);
  return listed.map((instrument) => {
    const bids = ladderOf(instrument, Side.buy);
    const asks = ladderOf(instrument, Side.sell);
    const depth = Math.max(bids.length, asks.length, 1);
    const rows = Array.from({ length: depth }, (_, i) => [bids[i] ?? '', asks[i] ?? '']);
    return [[`${instrument.symbol} bids`, 'asks'], ...rows];
  });

  function ladderOf({ book, lot, tick }: Instrument, side: Side): string[] {
    const levels: string[] = [];
    book.ladder(side).fromBest((level, price) => {
      const ids: number[] = [];
      for (let slot = book.levelFirst(level); slot !== NONE; slot = state.orders.next(slot)) {
        ids.push(state.orders.orderId(slot));
      }
      const quantity = showSteps(book.levelQuantity(level), lot);
      const which = `order${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
      levels.push(`${quantity} at ${showSteps(price, tick)} (${which})`);
      return true;
    });
    return levels;
  }
}

/** Per person and asset the available balance, plus the held one; fees for the venue. */
export function balanceTable({ state, people }: ScenarioVenue): Table {
  const { ledger, listedAssets: assets } = state;
  const rows = people.slice(1).map((name, i) => [
    name,
    ...assets.map(({ assetId }) => {
      const held = ledger.balanceOf(i + 1, assetId, AccountCode.held);
      const free = ledger.balanceOf(i + 1, assetId, AccountCode.available);
      return held === 0 ? money(free) : `${money(free)} + ${money(held)} held`;
    }),
  ]);
  const fees = assets.map(({ assetId }) =>
    ledger.balanceOf(VENUE, assetId, AccountCode.feeRevenue),
  );
  if (fees.some((fee) => fee > 0)) rows.push(['venue, fees', ...fees.map(money)]);
  return [['balances', ...assets.map(({ name }) => name)], ...rows];
}

/** The stops that wait, where there are some. */
export function stopTable({ lockstep, state, people }: ScenarioVenue): Table[] {
  const stops = [...lockstep.venue.users.values()]
    .flatMap(({ open }) => open)
    .filter(({ place }) => place === 'waiting' || place === 'due');
  if (stops.length === 0) return [];
  const rows = stops.map((stop) => {
    const { tick, lot } = state.instruments[stop.market.securityId]!;
    const { orderId, uid, place, direction, trail, trailingTime } = stop;
    const stopPx = Number(stop.stopPx) as Ticks;
    const trigger = {
      extras: { stopPx, triggerPriceDirection: direction, trail },
      trailingTime,
      triggerPx: Number(shownTrigger(stop)) as Ticks,
    };
    const what = place === 'due' ? 'is triggered' : showStop(trigger, tick);
    return [`order ${orderId} of ${people[uid]}`, showSteps(stop.orderQty, lot), what];
  });
  return [[['waiting stops', 'quantity', 'trigger'], ...rows]];
}
