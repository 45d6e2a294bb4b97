// The naive venue consists of plain objects, sorted arrays and bigints. Held money is not a balance
// of its own: each order knows the amount that it sets aside.

import type {
  CloseReason,
  InstrumentStatus,
  SelfTradePrevention,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import { OrdType, Side } from '../../src/core/fix.ts';
import type { Bracket } from '../../src/core/order-extras.ts';
import { type Branch, BranchCounts } from './coverage.ts';
import { EarnState } from './earn-state.ts';
import type { ExpectedEvent } from './expectation.ts';
import { ModelFeeTiers } from './fee-tiers.ts';

/** entering: it trades now, and is in no queue; due: a stop whose price was reached. */
type Place = 'entering' | 'book' | 'waiting' | 'due' | 'gone';

export interface ModelOrder {
  readonly orderId: number;
  readonly uid: number;
  readonly market: ModelMarket;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly postOnly: boolean;
  price: bigint;
  orderQty: bigint;
  readonly quoteOrderQty: bigint;
  /** The largest quantity of an order by quote. */
  most: bigint;
  /** Empty when the order got a generated one. */
  readonly givenClOrdId: string;
  readonly clOrdId: string;
  readonly createTime: number;
  readonly timeInForce: TimeInForce;
  /** 0: never. */
  expireTime: number;
  /** The part that an iceberg shows at a time; 0: it shows all. */
  displayQty: bigint;
  /** null: the instrument's. */
  readonly prevention: SelfTradePrevention | null;
  /** 0: no stop. */
  stopPx: bigint;
  readonly direction: TriggerPriceDirection;
  /** The distance: basis points above 0, ticks below 0; 0: it does not trail. */
  readonly trail: number;
  /** The best price since it began to trail; null: it does not, or not yet. */
  best: bigint | null;
  trailingTime: number;
  /** The price that triggered a trailing stop. */
  triggerPx: bigint;
  triggered: boolean;
  readonly bracket: Bracket | null;
  /** The form of v1. */
  readonly isPlain: boolean;
  /** The other order of the pair; 0: none. */
  readonly ocoOrderId: number;
  readonly parentOrderId: number;
  /** The place in a queue: a smaller number comes first. */
  priority: number;
  place: Place;
  /** The part that other customers see while it rests. */
  shown: bigint;
  /** The side as which they see it. */
  shownAs: { readonly id: number; readonly time: number };
  cumQty: bigint;
  cumQuote: bigint;
  /** Fees that it paid in what it received. */
  fees: bigint;
  /** The amount that the order sets aside now, in the asset that it pays with. */
  reserved: bigint;
  /** The money of a market order when it began to match. */
  purse: bigint;
}

export interface ModelMarket {
  readonly securityId: number;
  readonly symbol: string;
  readonly base: number;
  readonly quote: number;
  /** Quote units for one lot at one tick, and base units in a lot. */
  readonly quotePerTickLot: bigint;
  readonly basePerLot: bigint;
  minQuantity: bigint;
  minNotional: bigint;
  makerFee: bigint;
  takerFee: bigint;
  prevention: SelfTradePrevention;
  band: bigint;
  status: InstrumentStatus;
  /** null before the first trade. */
  lastPrice: bigint | null;
  /** Best first, then by priority. */
  readonly bids: ModelOrder[];
  readonly asks: ModelOrder[];
  /** Stops that wait for their price, by priority. */
  readonly stops: ModelOrder[];
}

/** A consequence of a trade, which this command or a later one executes. */
export type Due =
  | { readonly kind: 'stop'; readonly order: ModelOrder }
  | { readonly kind: 'bracket'; readonly order: ModelOrder };

export interface ModelUser {
  kyc: boolean;
  /** 0: of none. */
  enterpriseId: number;
  enterpriseAdmin: boolean;
  suspended: boolean;
  /** null: what the instrument charges. */
  makerFee: bigint | null;
  takerFee: bigint | null;
  maxOpenOrders: number;
  /** Oldest first. */
  readonly open: ModelOrder[];
}

export interface ModelAsset {
  readonly name: string;
  scale: number;
}

export interface ModelTransfer {
  /** Whose money it is: `user 7`, `plan 3`, `enterprise 2`, `fees`. */
  readonly whose: string;
  readonly assetId: number;
  readonly moved: bigint;
  readonly transferId: number;
  readonly seq: number;
}

export interface ModelSweep {
  /** 0: every user. */
  readonly uid: number;
  /** 0: every instrument. */
  readonly securityId: number;
  /** Orders from this id on came later and are not meant. */
  readonly below: number;
  readonly reason: CloseReason;
}

export class VenueState {
  readonly users = new Map<number, ModelUser>();
  /** The place of a removed asset is empty. */
  readonly assets: ModelAsset[] = [];
  readonly markets = new Map<number, ModelMarket>();
  /** Free money by `uid/assetId`. */
  readonly free = new Map<string, bigint>();
  /** Fees taken and money brought in, by assetId. */
  readonly fees = new Map<number, bigint>();
  readonly broughtIn = new Map<number, bigint>();
  readonly transfers = new Map<string, ModelTransfer>();
  readonly switches = new Map<number, number>();
  readonly earn = new EarnState();
  /** Mass cancels that are not finished, the next one first. */
  readonly sweeps: ModelSweep[] = [];
  /** The direction of the stop that trades now. */
  triggering: TriggerPriceDirection | null = null;
  /** In the order of the trades. */
  due: Due[] = [];
  nextOrderId = 1;
  nextExecId = 1;
  nextTradeId = 1;
  /** The first trade of the match that is going on. */
  matchFrom = 1;
  readonly feeTiers = new ModelFeeTiers();
  nextTransferId = 1;
  seq = 0;
  time = 0;
  events: ExpectedEvent[] = [];
  readonly branches = new BranchCounts();
  /** Books that the last command changed. */
  readonly touched = new Set<ModelMarket>();

  meet(branch: Branch, isMet = true): void {
    if (isMet) this.branches.count(branch);
  }

  freeOf(uid: number, assetId: number): bigint {
    return this.free.get(`${uid}/${assetId}`) ?? 0n;
  }

  give(uid: number, assetId: number, money: bigint): void {
    const balance = this.freeOf(uid, assetId) + money;
    if (balance < 0n) throw new Error(`the model overdraws user ${uid}, asset ${assetId}`);
    this.free.set(`${uid}/${assetId}`, balance);
  }

  /** Sets aside exactly what the rest of the order can cost; 0 for one that is not in the book. */
  reserve(order: ModelOrder, money: bigint): void {
    this.give(order.uid, paidWith(order), order.reserved - money);
    order.reserved = money;
  }
}

export const paidWith = ({ market, side }: ModelOrder): number =>
  side === Side.buy ? market.quote : market.base;

export const sideOf = (market: ModelMarket, side: Side): ModelOrder[] =>
  side === Side.buy ? market.bids : market.asks;

export const leavesOf = (order: ModelOrder): bigint => order.orderQty - order.cumQty;

export const isStop = ({ ordType }: Pick<ModelOrder, 'ordType'>): boolean =>
  ordType === OrdType.stop || ordType === OrdType.stopLimit;

/** True if the order has a worst price. */
export const isLimit = ({ ordType }: Pick<ModelOrder, 'ordType'>): boolean =>
  ordType === OrdType.limit || ordType === OrdType.stopLimit;

export const isExpired = (venue: VenueState, { expireTime }: ModelOrder): boolean =>
  expireTime !== 0 && expireTime <= venue.time;

/** The open orders of a user, with the orders that are done and whose exits are due. */
export const openOf = (venue: VenueState, user: ModelUser): number =>
  user.open.length +
  venue.due.filter(({ kind, order }) => kind === 'bracket' && venue.users.get(order.uid) === user)
    .length;
