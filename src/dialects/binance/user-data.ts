// User data streams: executionReport, listStatus, outboundAccountPosition and balanceUpdate of an
// account, from the core's events.
import { formatSteps, formatUnits } from '../../contract/decimal.ts';
import { type JsonOut, stringify } from '../../contract/json.ts';
import type { CoreEvent, ExecutionReport, FundsTransferred, Trade } from '../../core/event.ts';
import { CLOSE_TEXT, ExecType, OrdStatus, Side } from '../../core/fix.ts';
import { AccountCode } from '../../core/ledger/account-code.ts';
import { NONE } from '../../core/matching/order-store.ts';
import type { State } from '../../core/state.ts';
import { type Amount, subtract, ZERO } from '../../core/units.ts';
import { amountsOf, orderListId, writeList } from './order-json.ts';
import type { Symbols } from './symbols.ts';
import {
  executionName,
  isOpen,
  preventionOf,
  sideName,
  statusName,
  timeName,
  typeName,
} from './words.ts';

/** An event of the account, with the trade that an execution report is about. */
interface OwnedEvent {
  readonly event: CoreEvent;
  readonly trade: Trade | null;
}

export type Deliver = (message: JsonOut) => void;

/** The messages of one account, for all its subscribers. */
export class UserFeed {
  readonly uid: number;
  readonly #state: State;
  readonly #symbols: Symbols;
  readonly #subscribers = new Set<Deliver>();
  #pending: OwnedEvent[] = [];
  #lastTrade: Trade | null = null;
  /** By assetId: available and held, as last sent. */
  #balances: (readonly [Amount, Amount])[];

  constructor(uid: number, state: State, symbols: Symbols) {
    this.uid = uid;
    this.#state = state;
    this.#symbols = symbols;
    this.#balances = this.#balancesNow();
    state.eventFilter.addOwner(uid);
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0;
  }

  add(deliver: Deliver): void {
    this.#subscribers.add(deliver);
  }

  remove(deliver: Deliver): void {
    this.#subscribers.delete(deliver);
  }

  close(): void {
    this.#state.eventFilter.removeOwner(this.uid);
  }

  receive(event: CoreEvent): void {
    if (event.type === 'trade') {
      this.#lastTrade = event;
    } else if ('uid' in event && event.uid === this.uid) {
      const trade = this.#lastTrade;
      this.#pending.push({ event, trade: isFillBy(event, trade) ? trade : null });
    }
  }

  /** Sends what came since the last call. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const pending = this.#pending;
    this.#pending = [];
    const { time } = this.#state;
    const ended = new Set<number>();
    for (const { event, trade } of pending) {
      if (event.type === 'executionReport') this.#report(event, trade, ended);
      else if (event.type === 'fundsTransferred') this.#deliver(this.#transfer(event));
    }
    const changed = this.#changedBalances();
    if (changed.length === 0) return;
    this.#deliver({ e: 'outboundAccountPosition', E: time, u: time, B: changed });
  }

  #deliver(message: JsonOut): void {
    for (const deliver of this.#subscribers) deliver(message);
  }

  #report(report: ExecutionReport, trade: Trade | null, ended: Set<number>): void {
    const { orderId, ocoOrderId, execType } = report;
    this.#deliver(this.#execution(report, trade));
    if (ocoOrderId === 0) return;
    const id = orderListId(report);
    if (execType === ExecType.new && orderId > ocoOrderId) {
      this.#deliver(this.#list(report, 'EXEC_STARTED', 'EXECUTING'));
    }
    const { orders } = this.#state;
    const isDone = !isOpen(report) && orders.find(ocoOrderId) === NONE && !ended.has(id);
    if (!isDone) return;
    ended.add(id);
    this.#deliver(this.#list(report, 'ALL_DONE', 'ALL_DONE'));
  }

  #list(report: ExecutionReport, type: string, status: string): JsonOut {
    const venue = { state: this.#state, symbols: this.#symbols };
    const list = writeList(venue, [report], report.transactTime);
    const { symbol: s, orderListId: g, listClientOrderId: C } = list;
    const ids = [g, report.orderId === g ? report.ocoOrderId : report.orderId];
    return {
      e: 'listStatus',
      E: report.transactTime,
      s,
      g,
      c: 'OCO',
      l: type,
      L: status,
      r: 'NONE',
      C,
      T: report.transactTime,
      O: ids.map((i) => ({ s, i, c: i === report.orderId ? report.clOrdId : '' })),
    };
  }

  #execution(report: ExecutionReport, trade: Trade | null): JsonOut {
    const instrument = this.#state.instruments[report.securityId]!;
    const { tick, lot, base, quote } = instrument;
    const { price, origQty, executedQty, origQuoteOrderQty, cummulativeQuoteQty } = amountsOf(
      report,
      instrument,
    );
    const isMaker = trade?.makerOrderId === report.orderId;
    const received = report.side === Side.buy ? base : quote;
    const fee = isMaker ? trade?.makerFee : trade?.takerFee;
    const status = statusName(report);
    return {
      e: 'executionReport',
      E: report.transactTime,
      s: this.#symbols.nameOf(instrument),
      c: report.clOrdId,
      S: sideName(report.side),
      o: typeName(report),
      f: timeName(report.timeInForce),
      q: origQty,
      p: price,
      P: formatSteps(report.stopPx, tick),
      F: formatSteps(report.displayQty, lot),
      g: orderListId(report),
      C: '',
      x: executionName(report),
      X: status,
      r: report.ordStatus === OrdStatus.rejected ? CLOSE_TEXT[report.reason] : 'NONE',
      i: report.orderId,
      l: formatSteps(report.lastQty, lot),
      z: executedQty,
      L: formatSteps(report.lastPx, tick),
      n: fee === undefined ? '0' : formatUnits(fee, received.scale),
      N: fee === undefined ? null : received.name,
      T: report.transactTime,
      t: trade?.tradeId ?? -1,
      I: report.execId,
      w: report.workingIndicator && isOpen(report),
      m: isMaker,
      M: false,
      O: report.createTime,
      Z: cummulativeQuoteQty,
      Y: trade === null ? '0' : formatUnits(trade.quoteAmount, quote.scale),
      Q: origQuoteOrderQty,
      W: report.createTime,
      V: preventionOf(this.#state, instrument, report.orderId),
    };
  }

  #transfer({ assetId, amount, transactTime }: FundsTransferred): JsonOut {
    const { name, scale } = this.#state.assets[assetId]!;
    return {
      e: 'balanceUpdate',
      E: transactTime,
      a: name,
      d: amount < 0 ? `-${formatUnits(subtract(ZERO, amount), scale)}` : formatUnits(amount, scale),
      T: transactTime,
    };
  }

  #balancesNow(): (readonly [Amount, Amount])[] {
    const { assets, ledger } = this.#state;
    return assets.map(({ assetId }) => [
      ledger.balanceOf(this.uid, assetId, AccountCode.available),
      ledger.balanceOf(this.uid, assetId, AccountCode.held),
    ]);
  }

  #changedBalances(): JsonOut[] {
    const before = this.#balances;
    this.#balances = this.#balancesNow();
    return this.#balances.flatMap(([free, locked], assetId) => {
      const known = before[assetId];
      if (known?.[0] === free && known[1] === locked) return [];
      const { name, scale } = this.#state.assets[assetId]!;
      return [{ a: name, f: formatUnits(free, scale), l: formatUnits(locked, scale) }];
    });
  }
}

function isFillBy(event: CoreEvent, trade: Trade | null): boolean {
  if (event.type !== 'executionReport' || trade === null) return false;
  const { execType, orderId } = event;
  if (execType !== ExecType.partialFill && execType !== ExecType.fill) return false;
  return trade.makerOrderId === orderId || trade.takerOrderId === orderId;
}

/** A message of the websocket API, which names its subscription. */
export const subscribedMessage = (subscriptionId: number, event: JsonOut): string =>
  `{"subscriptionId":${subscriptionId},"event":${stringify(event)}}`;
