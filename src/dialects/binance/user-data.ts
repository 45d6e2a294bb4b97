// User data streams: executionReport, listStatus, outboundAccountPosition and balanceUpdate of an
// account, from the core's events.
import { formatUnits } from '../../contract/decimal.ts';
import type { JsonOut } from '../../contract/json.ts';
import type { CoreEvent, ExecutionReport, FundsTransferred, Trade } from '../../core/event.ts';
import { ExecType } from '../../core/fix.ts';
import { AccountCode } from '../../core/ledger/account-code.ts';
import { NONE } from '../../core/matching/order-store.ts';
import { type Amount, subtract, ZERO } from '../../core/units.ts';
import { MAX_WAITING_CHANGES, TURN_ROWS } from '../../streams/limits.ts';
import type { Venue } from './endpoint.ts';
import { listName, orderListId, writeExecution } from './order-json.ts';
import { isOpen } from './words.ts';

/** An event of the account, with the trade that an execution report is about. */
interface OwnedEvent {
  readonly event: CoreEvent;
  readonly trade: Trade | null;
}

type Deliver = (message: JsonOut) => void;

/** The messages of one account, for all its subscribers. */
export class UserFeed {
  readonly uid: number;
  readonly #venue: Venue;
  readonly #subscribers = new Set<Deliver>();
  /** The events that wait, from `#next` on. */
  #pending: OwnedEvent[] = [];
  #next = 0;
  /** The lists among them whose end was sent. */
  #ended = new Set<number>();
  #lastTrade: Trade | null = null;
  /** By assetId: available and held, as last sent. */
  #balances: (readonly [Amount, Amount])[];

  constructor(venue: Venue, uid: number) {
    this.#venue = venue;
    this.uid = uid;
    this.#balances = this.#balancesNow();
    venue.state.eventFilter.owners.add(uid);
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
    this.#venue.state.eventFilter.owners.remove(this.uid);
  }

  receive(event: CoreEvent): void {
    if (event.type === 'trade') {
      this.#lastTrade = event;
    } else if ('uid' in event && event.uid === this.uid) {
      const trade = this.#lastTrade;
      this.#pending.push({ event, trade: isFillBy(event, trade) ? trade : null });
    }
  }

  get waiting(): number {
    return this.#pending.length - this.#next;
  }

  /** Sends as much of what waits as a turn may, and at last the balances. */
  flush(): void {
    if (this.waiting === 0) return;
    const share = Math.ceil(TURN_ROWS / (1 + this.#subscribers.size));
    let left = Math.max(share, this.waiting - MAX_WAITING_CHANGES);
    for (; left > 0 && this.waiting > 0; left--) {
      const { event, trade } = this.#pending[this.#next++]!;
      if (event.type === 'executionReport') this.#report(event, trade);
      else if (event.type === 'fundsTransferred') this.#deliver(this.#transfer(event));
    }
    if (this.waiting > 0) return;
    this.#pending = [];
    this.#next = 0;
    this.#ended.clear();
    const { time } = this.#venue.state;
    const changed = this.#changedBalances();
    if (changed.length === 0) return;
    this.#deliver({ e: 'outboundAccountPosition', E: time, u: time, B: changed });
  }

  #deliver(message: JsonOut): void {
    for (const deliver of this.#subscribers) deliver(message);
  }

  #report(report: ExecutionReport, trade: Trade | null): void {
    const { orderId, ocoOrderId, execType } = report;
    const venue = this.#venue;
    this.#deliver(writeExecution({ venue, report, trade }));
    if (ocoOrderId === 0) return;
    const id = orderListId(report);
    if (execType === ExecType.new && orderId > ocoOrderId) {
      this.#deliver(this.#list(report, 'EXEC_STARTED', 'EXECUTING'));
    }
    if (isOpen(report) || venue.state.orders.find(ocoOrderId) !== NONE || this.#ended.has(id))
      return;
    this.#ended.add(id);
    this.#deliver(this.#list(report, 'ALL_DONE', 'ALL_DONE'));
  }

  #list(report: ExecutionReport, l: string, L: string): JsonOut {
    const { transactTime: T, orderId, clOrdId, ocoOrderId, securityId } = report;
    const s = this.#venue.symbols.nameOf(this.#venue.state.instruments[securityId]!);
    const g = orderListId(report);
    const ids = [g, Math.max(orderId, ocoOrderId)];
    const O = ids.map((i) => ({ s, i, c: i === orderId ? clOrdId : '' }));
    return { e: 'listStatus', E: T, s, g, c: 'OCO', l, L, r: 'NONE', C: listName(g), T, O };
  }

  #transfer({ assetId, amount, transactTime }: FundsTransferred): JsonOut {
    const { name, scale } = this.#venue.state.assets[assetId]!;
    const [sign, size] = amount < 0 ? ['-', subtract(ZERO, amount)] : ['', amount];
    const d = sign + formatUnits(size as Amount, scale);
    return { e: 'balanceUpdate', E: transactTime, a: name, d, T: transactTime };
  }

  #balancesNow(): (readonly [Amount, Amount])[] {
    const { assets, ledger } = this.#venue.state;
    return assets.map((_, assetId) => [
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
      const { name, scale } = this.#venue.state.assets[assetId]!;
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
