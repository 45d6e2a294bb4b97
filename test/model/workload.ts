// A seeded stream of commands that meets every rule of the venue. Goals: deep books with few users,
// so that self-trades and shared prices are common; amounts from one unit to far beyond 2^53; and
// about one command in five that is to be rejected. Method: it looks into the model to aim (at an
// open order, a balance, the best price), so that rare branches are hit on purpose and not by luck;
// what it emits is plain data and can be replayed.
import type { BatchEntry, Command } from '../../src/core/command.ts';
import {
  InstrumentStatus,
  OrdType,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import { NO_EXTRAS, type OrderExtras } from '../../src/core/order-extras.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { Prng } from '../support/prng.ts';
import { UNCHANGED_INSTRUMENT } from '../support/venue.ts';
import { Authorship, keyOf, type UnsignedWrite } from './authorship.ts';
import { BoundaryValues } from './boundary-values.ts';
import { LargestOrders } from './largest-orders.ts';
import { listing, OperatorCommands } from './operator-workload.ts';
import { OrderCommands, UNKNOWN } from './order-workload.ts';
import type { ModelOrder, VenueState } from './state.ts';

export interface WorkloadStep {
  readonly time: number;
  readonly command: Command;
}

/**
 * busyKey: one key signs nearly everything and its memory overflows. crowd: more orders are
 * canceled together than one command may cancel. cascade: one trade triggers more stops than one
 * command may carry out. boundary: half of the order commands have values at a boundary, and
 * many are amendments. slices: one instrument without brackets, so that the events of a command
 * have the same order in slices. largest: the largest orders, batches and texts that there are.
 * exits: many orders have a bracket, and amendments change it. Assets are listed and removed.
 */
export const PROFILES = [
  'mixed',
  'busyKey',
  'crowd',
  'cascade',
  'boundary',
  'slices',
  'largest',
  'exits',
] as const;
export type Profile = (typeof PROFILES)[number];

/** How many in a hundred order commands get values at a boundary. */
const STRAINED: Readonly<Record<Profile, number>> = {
  mixed: 6,
  busyKey: 6,
  crowd: 1,
  cascade: 6,
  boundary: 50,
  slices: 6,
  largest: 1,
  exits: 6,
};

/** No clock goes on to an order that expires later than this, such as at the end of all numbers. */
const FAR = 90_000_000;

export class Workload {
  readonly #random: Prng;
  readonly #venue: VenueState;
  readonly #authorship: Authorship;
  readonly #operator: OperatorCommands;
  readonly #orders: OrderCommands;
  readonly #boundaries: BoundaryValues;
  readonly #largest: LargestOrders;
  readonly #profile: Profile;
  #opening: Command[];
  #time = 1_700_000_000_000;

  constructor(seed: number, venue: VenueState, profile: Profile) {
    this.#random = new Prng(seed);
    this.#venue = venue;
    this.#authorship = new Authorship(this.#random, profile === 'busyKey');
    this.#profile = profile;
    this.#operator = new OperatorCommands(this.#random, venue);
    this.#orders = new OrderCommands(this.#random, venue, profile === 'exits');
    this.#boundaries = new BoundaryValues(this.#random, venue);
    this.#opening = listing();
    this.#largest = new LargestOrders(this.#random, venue);
    if (profile === 'largest') this.#opening.push(...LargestOrders.opening());
    if (profile === 'crowd' || profile === 'cascade') this.#opening.push(...RICHEST_WITHOUT_LIMIT);
  }

  next(): WorkloadStep {
    const first = this.#opening.shift();
    if (first !== undefined) return { time: this.#time, command: first };
    this.#time += this.#step();
    if (this.#random.oneIn(100)) this.#time = Math.max(this.#time, this.#nextDeadline());
    const { due } = this.#venue;
    const isAimed = this.#profile === 'mixed' && due.length > 0 && this.#random.oneIn(5);
    if (isAimed) return this.#reopening(this.#random.pick(due).order);
    if (this.#profile === 'mixed' && this.#random.oneIn(200)) this.#halt();
    let command = this.#command();
    while (this.#profile === 'slices' && !isSerial(command)) command = this.#command();
    return { time: this.#time, command };
  }

  /** Exits become due in an instrument that is halted. */
  #halt(): void {
    const isPart = ({ bracket, cumQty }: ModelOrder): boolean => bracket !== null && cumQty > 0n;
    const order = this.#openOrders().find(isPart);
    if (order === undefined) return;
    const { uid, orderId, market } = order;
    const status = InstrumentStatus.HALTED;
    this.#opening.push(
      { ...UNCHANGED_INSTRUMENT, securityId: market.securityId, status },
      {
        ...{ type: 'cancelOrder', uid, orderId, origClOrdId: '', clOrdId: '' },
        ...{ signature: null, idempotency: null },
      },
    );
  }

  /** Before exits or a stop can be executed, their owner is suspended, or other orders expire. */
  #reopening({ uid, market }: ModelOrder): WorkloadStep {
    if (this.#random.oneIn(3)) {
      const unchanged = { kyc: null, makerFee: null, takerFee: null, maxOpenOrders: null };
      return {
        time: this.#time,
        command: { type: 'amendUser', uid, suspended: true, ...unchanged },
      };
    }
    this.#time = Math.max(this.#time, this.#nextDeadline());
    const { securityId } = market;
    const status = InstrumentStatus.LIVE;
    return { time: this.#time, command: { ...UNCHANGED_INSTRUMENT, securityId, status } };
  }

  /** Mostly a few milliseconds; sometimes past every window. */
  #step(): number {
    const random = this.#random;
    if (random.oneIn(5_000)) return random.between(3_600_000, 90_000_000);
    return random.oneIn(100) ? random.below(5_000) : random.below(20);
  }

  /** The exact moment at which a switch or an order is due, where off by one would show. */
  #nextDeadline(): number {
    const times = this.#openOrders().map(({ expireTime }) => expireTime);
    const expiries = times.filter((time) => time > 0 && time < this.#time + FAR);
    const deadlines = [...this.#venue.switches.values(), ...expiries];
    return deadlines.length === 0 ? 0 : Math.min(...deadlines);
  }

  #amendsMuch(): boolean {
    return this.#profile === 'boundary' || this.#profile === 'exits';
  }

  #command(): Command {
    const random = this.#random;
    if (this.#profile === 'crowd' && !random.oneIn(100)) return this.#crowding();
    if (this.#profile === 'cascade' && !random.oneIn(50)) return this.#cascading();
    if (this.#profile === 'largest' && !random.oneIn(100)) {
      return this.#sign(this.#largest.next());
    }
    if (this.#profile === 'busyKey' && !random.oneIn(10)) return this.#sign(this.#order());
    const kind = random.weighted([
      [560, () => this.#sign(this.#order())],
      [this.#amendsMuch() ? 400 : 60, () => this.#sign(this.#amend())],
      [40, () => this.#sign(this.#oco())],
      [20, () => this.#sign(this.#batch())],
      [80, () => this.#sign(this.#cancel())],
      [4, () => this.#sign(this.#massCancel())],
      [12, () => this.#sign(this.#switch())],
      [60, () => this.#operator.transfer()],
      [30, () => this.#operator.amendment()],
      [8, () => this.#operator.prevention()],
      [4, () => this.#operator.cancelOrders()],
      [2, () => this.#operator.feeTiers()],
      [5, () => this.#operator.membership()],
      [4, () => this.#operator.withdrawal()],
      [this.#profile === 'exits' ? 60 : 4, () => this.#operator.listingAttempt()],
      [15, (): Command => ({ type: 'runTimers' })],
      [1, (): Command => ({ type: 'forgetKey', keyId: keyOf(this.#uid(), random) })],
      [1, (): Command => ({ type: 'advanceClock', milliseconds: random.below(1_000) })],
    ]);
    return kind();
  }

  #sign(command: UnsignedWrite): Command {
    return this.#authorship.author(this.#strained(command), this.#time);
  }

  /** Some order commands with values at a boundary. */
  #strained(command: UnsignedWrite): UnsignedWrite {
    const { uid } = command;
    const strain = <E extends BatchEntry>(entry: E): E => {
      if (!this.#random.percent(STRAINED[this.#profile])) return entry;
      const target = this.#targetOf(uid, entry);
      return this.#boundaries.strain(entry, { uid, time: this.#time, target });
    };
    switch (command.type) {
      case 'placeOrder':
      case 'amendOrder':
      case 'placeOco':
      case 'cancelOrder':
        return strain(command);
      case 'orderBatch':
        return { ...command, entries: command.entries.map(strain) };
      default:
        return command;
    }
  }

  /** The order that an entry names, or any of the account in its market. */
  #targetOf(uid: number, entry: BatchEntry): ModelOrder | undefined {
    const open = this.#venue.users.get(uid)?.open ?? [];
    const named = 'orderId' in entry && open.find(({ orderId }) => orderId === entry.orderId);
    const near = open.filter(
      ({ market }) => !('securityId' in entry) || market.securityId === entry.securityId,
    );
    return named || (near.length === 0 ? undefined : this.#random.pick(near));
  }

  #uid(): number {
    return this.#orders.uid();
  }

  #order(): UnsignedWrite {
    const uid = this.#uid();
    return { ...this.#orders.order(uid), uid };
  }

  #amend(): UnsignedWrite {
    const target = this.#openOrder();
    const own = target !== undefined && !this.#random.oneIn(20);
    const uid = own ? target.uid : this.#uid();
    return { ...this.#orders.amend(uid, target), uid };
  }

  #oco(): UnsignedWrite {
    const uid = this.#uid();
    return { ...this.#orders.oco(uid), uid };
  }

  /** Entries of one account; an amendment often meets a fill of the entry before it. */
  #batch(): UnsignedWrite {
    const random = this.#random;
    const uid = this.#uid();
    const market = this.#orders.market();
    const own = this.#venue.users.get(uid)?.open ?? [];
    const any = (): ModelOrder | undefined => (own.length === 0 ? undefined : random.pick(own));
    const entry = (): BatchEntry =>
      random.weighted<() => BatchEntry>([
        [50, () => this.#orders.order(uid, market)],
        [25, () => this.#orders.amend(uid, any())],
        [15, () => this.#cancelOf(uid, any())],
        [10, () => this.#orders.oco(uid, market)],
      ])();
    const entries = Array.from({ length: random.between(1, random.oneIn(20) ? 50 : 5) }, entry);
    if (random.percent(30)) entries.push(...this.#orders.takenAndAmended(uid, market));
    if (random.percent(5)) entries.push(...this.#orders.boughtAndSold(uid, market));
    return { type: 'orderBatch', uid, entries };
  }

  #cancel(): UnsignedWrite {
    const target = this.#openOrder();
    const own = target !== undefined && !this.#random.oneIn(20);
    const uid = own ? target.uid : this.#uid();
    return { ...this.#cancelOf(uid, target), uid };
  }

  #cancelOf(uid: number, target: ModelOrder | undefined): BatchEntry {
    const random = this.#random;
    const orderId = random.oneIn(15)
      ? random.between(1, this.#venue.nextOrderId + 5)
      : (target?.orderId ?? 1);
    const byText = random.percent(35);
    const name = random.percent(70) ? (target?.clOrdId ?? 'none') : this.#orders.clOrdId(uid);
    return {
      type: 'cancelOrder',
      orderId: byText && random.percent(60) ? 0 : orderId,
      origClOrdId: byText ? name : '',
      clOrdId: random.percent(50) ? '' : `cancel-${random.below(100)}`,
    };
  }

  /** Small orders of the richest account far from the best price; rarely a cancel of all. */
  #crowding(): Command {
    const random = this.#random;
    const uid = RICHEST;
    const many = this.#venue.users.get(uid)!.open.length > 10_000;
    if (many && random.oneIn(300)) {
      const [of, securityId] = random.pick([
        [uid, 0],
        [uid, 1],
        [0, 1],
      ]);
      if (random.percent(70)) return { type: 'cancelOrders', uid: of, securityId };
      const all = { type: 'massCancel', uid, securityId: random.below(2), clOrdId: '' } as const;
      if (random.oneIn(3)) return this.#sign({ type: 'spendSignature', uid });
      return this.#sign(random.oneIn(2) ? all : { type: 'cancelAllAfter', uid, timeout: 1 });
    }
    if (random.oneIn(many ? 30 : 300)) return { type: 'runTimers' };
    const side = random.pick([Side.buy, Side.sell]);
    const away = random.between(1, 1_500) * (side === Side.buy ? -1 : 1);
    return this.#sign({
      type: 'placeOrder',
      uid,
      securityId: 1,
      side,
      ordType: OrdType.limit,
      price: ticks(60_000 + away),
      orderQty: lots(1_000),
      quoteOrderQty: amount(0),
      postOnly: true,
      clOrdId: random.percent(50) ? '' : `id-${random.below(3)}`,
      strictClOrdId: false,
      extras: null,
    });
  }

  /** Small stops of the richest account on both sides of the last price; rarely a trade. */
  #cascading(): Command {
    const random = this.#random;
    const market = this.#venue.markets.get(1)!;
    const last = Number(market.lastPrice ?? 60_000n);
    const isLoaded = market.stops.length > 3_500;
    if (random.oneIn(isLoaded ? 5 : 1_000)) {
      return this.#sign({ ...this.#orders.order(RICHEST, market), uid: RICHEST });
    }
    const { due } = this.#venue;
    if (due.length > 0 && random.oneIn(5)) {
      const pairs = this.#openOrders().filter(({ ocoOrderId }) =>
        due.some(({ order }) => order.orderId === ocoOrderId),
      );
      const isOther = pairs.length > 0 && random.percent(50);
      const order = isOther ? random.pick(pairs) : random.pick(due).order;
      const entry = random.percent(80)
        ? this.#orders.amend(RICHEST, order)
        : this.#cancelOf(RICHEST, order);
      return this.#sign({ ...entry, uid: RICHEST });
    }
    if (due.length > 0 && random.oneIn(6)) {
      const { LIVE, HALTED } = InstrumentStatus;
      return { ...UNCHANGED_INSTRUMENT, securityId: 1, status: random.pick([LIVE, HALTED]) };
    }
    if (random.oneIn(due.length > 0 ? 5 : 200)) return { type: 'runTimers' };
    if (random.oneIn(20)) {
      return this.#sign({
        ...this.#orders.oco(RICHEST, market),
        orderQty: lots(1_000),
        uid: RICHEST,
      });
    }
    const isStop = random.percent(75);
    const up = random.percent(50);
    const side = random.pick([Side.buy, Side.sell]);
    const away = isStop && random.percent(70) ? 1 : random.between(1, isStop ? 3 : 30);
    const { goodTillCancel: timeInForce } = TimeInForce;
    const trails = random.percent(15);
    const isUp = trails ? side === Side.buy : up;
    const stop = {
      ...NO_EXTRAS,
      timeInForce,
      stopPx: ticks(trails ? 0 : Math.max(1, last + (up ? away : -away))),
      triggerPriceDirection: isUp ? TriggerPriceDirection.up : TriggerPriceDirection.down,
      trail: trails ? -away : 0,
    };
    return this.#sign({
      type: 'placeOrder',
      uid: RICHEST,
      securityId: 1,
      side,
      ordType: isStop ? OrdType.stop : OrdType.limit,
      price: ticks(isStop ? 0 : Math.max(1, last + (side === Side.buy ? -away : away))),
      orderQty: lots(isStop ? 1_000 : 3_000),
      quoteOrderQty: amount(0),
      postOnly: !isStop,
      clOrdId: '',
      strictClOrdId: false,
      extras: isStop ? stop : null,
    });
  }

  #openOrders(): ModelOrder[] {
    return [...this.#venue.users.values()].flatMap(({ open }) => open);
  }

  #openOrder(): ModelOrder | undefined {
    const random = this.#random;
    for (let tries = 0; tries < 5; tries++) {
      const user = this.#venue.users.get(random.between(1, this.#venue.users.size))!;
      const rich = user.open.filter(({ isPlain }) => !isPlain);
      if (rich.length > 0 && random.percent(60)) return random.pick(rich);
      if (user.open.length > 0) return random.pick(user.open);
    }
    return undefined;
  }

  #massCancel(): UnsignedWrite {
    const random = this.#random;
    const securityId = random.oneIn(12) ? UNKNOWN : this.#orders.market().securityId;
    return {
      type: 'massCancel',
      uid: this.#uid(),
      securityId: random.percent(30) ? 0 : securityId,
      clOrdId: random.percent(50) ? '' : 'mass',
    };
  }

  #switch(): UnsignedWrite {
    const random = this.#random;
    const timeout = random.percent(60) ? 0 : random.between(1, random.oneIn(3) ? 500 : 20_000);
    return { type: 'cancelAllAfter', uid: this.#uid(), timeout };
  }
}

/**
 * True if a command trades in one instrument and sets off nothing in another. The outcome of an
 * operator's cancel counts the orders of its first slice.
 */
function isSerial(command: Command): boolean {
  if (command.type === 'cancelOrders') return false;
  const parts: readonly object[] = command.type === 'orderBatch' ? command.entries : [command];
  return parts.every((part) => {
    if ('securityId' in part && part.securityId !== 0 && part.securityId !== 1) return false;
    if (!('extras' in part)) return true;
    return ((part.extras as OrderExtras | null)?.bracket ?? null) === null;
  });
}

/** The last of those whom listing() gives money. */
const RICHEST = 11;
const RICHEST_WITHOUT_LIMIT: readonly Command[] = [
  {
    type: 'amendUser',
    uid: RICHEST,
    kyc: null,
    suspended: null,
    makerFee: null,
    takerFee: null,
    maxOpenOrders: 100_000,
  },
];
