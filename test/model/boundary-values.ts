// Puts fields of an order command on a boundary: the exact limits of the order that it is about,
// of its market and of numbers themselves, and each value that the type of an enum has.
import type { BatchEntry } from '../../src/core/command.ts';
import {
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import { amount, MAX_INTEGER } from '../../src/core/units.ts';
import type { Prng } from '../support/prng.ts';
import { LARGEST, smaller } from './matching.ts';
import { leavesOf, type ModelMarket, type ModelOrder, type VenueState } from './state.ts';

/** Whose command it is, and an open order that it names or may meet. */
interface About {
  readonly uid: number;
  readonly time: number;
  readonly target: ModelOrder | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type Kind =
  | 'price'
  | 'trail'
  | 'quantity'
  | 'money'
  | 'time'
  | 'orderId'
  | 'securityId'
  | 'clOrdId';

const KINDS: Readonly<Record<string, Kind | readonly unknown[]>> = {
  securityId: 'securityId',
  orderId: 'orderId',
  price: 'price',
  stopPx: 'price',
  stopLimitPx: 'price',
  takeProfitPx: 'price',
  trail: 'trail',
  orderQty: 'quantity',
  displayQty: 'quantity',
  quoteOrderQty: 'money',
  expireTime: 'time',
  clOrdId: 'clOrdId',
  stopClOrdId: 'clOrdId',
  origClOrdId: 'clOrdId',
  side: Object.values(Side),
  ordType: Object.values(OrdType),
  timeInForce: Object.values(TimeInForce),
  triggerPriceDirection: Object.values(TriggerPriceDirection),
  selfTradePrevention: [null, ...Object.values(SelfTradePrevention)],
  postOnly: [false, true],
};

/** An order of v1 carries no terms that the core checks for their form: the edge has done it. */
const PLAIN_FIELDS = ['price', 'orderQty', 'quoteOrderQty', 'clOrdId'];

const UNCHANGED = {
  orderQty: null,
  price: null,
  stopPx: null,
  displayQty: null,
  expireTime: null,
  bracket: null,
} as const;

/** Most commands with another of these name nothing. */
const NAMES: readonly unknown[] = ['securityId', 'orderId', 'clOrdId'];

export class BoundaryValues {
  readonly #random: Prng;
  readonly #venue: VenueState;

  constructor(random: Prng, venue: VenueState) {
    this.#random = random;
    this.#venue = venue;
  }

  /** The entry with one field at a boundary, or a few; half of the amendments change no other. */
  strain<E extends BatchEntry>(entry: E, about: About): E {
    const random = this.#random;
    const isAmendment = entry.type === 'amendOrder' && about.target !== undefined;
    if (isAmendment && random.percent(50)) return { ...entry, ...this.#oneChange(about) };
    let strained: Fields = { ...entry };
    for (let n = random.oneIn(3) ? random.between(2, 3) : 1; n > 0; n--) {
      const isPlain = strained.type === 'placeOrder' && strained.extras === null;
      strained = isPlain
        ? this.#strainPlain(strained, about)
        : this.#change(strained, strained, about);
    }
    return strained as unknown as E;
  }

  /** One of the fields that the order has, or rarely one that it has not. */
  #oneChange(about: About): Fields {
    const { target } = about;
    const has: Fields = {
      orderQty: 1,
      price: 1,
      stopPx: target?.stopPx,
      displayQty: target?.displayQty,
      expireTime: target?.expireTime,
    };
    const names = Object.keys(has);
    const fitting = names.filter((name) => has[name]);
    const name = this.#random.pick(this.#random.oneIn(8) ? names : fitting);
    return { ...UNCHANGED, [name]: this.#valueFor(name, {}, about) };
  }

  /** A value of 0 stays, and no other becomes 0. */
  #strainPlain(fields: Fields, about: About): Fields {
    const names = PLAIN_FIELDS.filter((name) => fields[name] !== 0);
    const name = this.#random.pick(names);
    const value = this.#valueFor(name, fields, about);
    return value === 0 ? fields : { ...fields, [name]: value };
  }

  #change(fields: Fields, entry: Fields, about: About): Fields {
    const isGroup = (name: string): boolean => name === 'extras' || name === 'bracket';
    const isName = (name: string): boolean => NAMES.includes(KINDS[name]);
    const terms = Object.keys(fields).filter((name) =>
      KINDS[name] === undefined ? isGroup(name) && fields[name] !== null : !isName(name),
    );
    const ids = Object.keys(fields).filter(isName);
    const names = ids.length > 0 && (terms.length === 0 || this.#random.oneIn(8)) ? ids : terms;
    // Many of the fields are in a group.
    const group = names.find(isGroup);
    const name = group !== undefined && this.#random.percent(50) ? group : this.#random.pick(names);
    const value = isGroup(name)
      ? this.#change(fields[name] as Fields, entry, about)
      : this.#valueFor(name, entry, about);
    return { ...fields, [name]: value };
  }

  #valueFor(name: string, entry: Fields, about: About): unknown {
    const kind = KINDS[name]!;
    if (typeof kind !== 'string') return this.#random.pick(kind);
    if (kind === 'trail') return this.#random.pick(this.#trails(about));
    if (kind === 'clOrdId') return this.#random.pick(this.#clOrdIds(about));
    const near = [...this.#limits(kind, about), ...numbersOf(entry, kind)];
    const limit = BigInt(this.#random.pick(near)) + BigInt(this.#random.between(-1, 1));
    const n = this.#random.weighted([
      [6, limit < 0n ? 0n : limit],
      [1, 0n],
      [1, 1n],
      [1, LARGEST],
      [1, LARGEST * LARGEST],
    ]);
    return kind === 'money' ? amount(n) : Number(smaller(n, LARGEST));
  }

  /** Distances at which the answer to a stop may change. */
  #trails({ target }: About): readonly number[] {
    const half = Number((target?.market ?? this.#venue.markets.get(1)!).lastPrice ?? 0n) / 2;
    const amounts = [half - 1, half, half + 1].map((n) => -Math.max(Math.floor(n), 0));
    return [0, 1, 2, 4_999, 5_000, 5_001, 10_000, -1, -2, ...amounts, -MAX_INTEGER];
  }

  /** The numbers at which the answer to a field of this kind may change. */
  #limits(kind: Kind, { uid, time, target }: About): readonly (number | bigint)[] {
    const market: ModelMarket = target?.market ?? this.#venue.markets.get(1)!;
    switch (kind) {
      case 'price': {
        const { price = 0n, stopPx = 0n } = target ?? {};
        const { bids, asks, lastPrice } = market;
        return [price, stopPx, lastPrice ?? 0n, bids[0]?.price ?? 0n, asks[0]?.price ?? 0n];
      }
      case 'quantity': {
        if (target === undefined) return [market.minQuantity];
        const { cumQty, orderQty, displayQty, shown } = target;
        const ofOrder = [cumQty, orderQty, orderQty / 100n, displayQty, shown, leavesOf(target)];
        return [...ofOrder, market.minQuantity];
      }
      case 'money': {
        const free = this.#venue.freeOf(uid, market.quote);
        return [market.minNotional, free, target?.quoteOrderQty ?? 0n, target?.reserved ?? 0n];
      }
      case 'time':
        return [time, target?.expireTime ?? 0];
      case 'orderId':
        return [target?.orderId ?? 0, target?.ocoOrderId ?? 0, this.#venue.nextOrderId];
      default:
        return [market.securityId];
    }
  }

  /** Generated ids, also in forms that only look like one. */
  #clOrdIds({ uid, target }: About): readonly string[] {
    const id = target?.orderId ?? 1;
    const next = this.#venue.nextOrderId;
    const odd = [`0${id}`, `${id}.0`, `${id}e0`, ` ${id}`, '', '-1', '1.5', 'NaN'];
    const ids = [id, id, id, next, next + 1, MAX_INTEGER, ...odd];
    const others = ['', `api_${uid + 1}_${id}`, `api_0${uid}_${id}`, `api_${uid}`];
    return [...ids.map((one) => `api_${uid}_${one}`), ...others];
  }
}

/** The numbers of a kind that a command has itself. */
const numbersOf = (fields: Fields, kind: Kind): (number | bigint)[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return numbersOf(value as Fields, kind);
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    return KINDS[name] === kind && isNumber ? [value] : [];
  });
