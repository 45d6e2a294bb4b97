// Random requests in the form of the wire, against a core with books, open orders, plans and small
// balances. Each nearest value that a rejection names is sent back, and must be accepted.

import { marginQuery, toSetMargin } from '../../src/contract/earn/enterprise.ts';
import {
  applyBody,
  redeemBody,
  toApplyPlan,
  toRedeemPlan,
} from '../../src/contract/earn/requests.ts';
import { JsonNumber } from '../../src/contract/json.ts';
import { parseText } from '../../src/contract/lossless-json.ts';
import type { ObjectField } from '../../src/contract/object.ts';
import { readBody } from '../../src/contract/object.ts';
import { toTransferFunds, transferBody } from '../../src/contract/operator/users.ts';
import { Problem } from '../../src/contract/problem.ts';
import { decimalOf } from '../../src/contract/reject-problem.ts';
import { batchBody, FaultyEntry, toOrderBatch } from '../../src/contract/trading/order-batch.ts';
import {
  amendBody,
  ocoBody,
  toAmendOrder,
  toPlaceOco,
} from '../../src/contract/trading/order-changes.ts';
import { orderV2Body, toPlaceOrderV2 } from '../../src/contract/trading/order-terms.ts';
import { orderBody, toPlaceOrder } from '../../src/contract/trading/orders.ts';
import type { Command, OrderBatch } from '../../src/core/command.ts';
import { PlanType } from '../../src/core/earn/plan.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { InstrumentStatus, OrdType, SelfTradePrevention, Side } from '../../src/core/fix.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { NONE } from '../../src/core/matching/order-store.ts';
import type { AnyResult, Outcome, ResultOf } from '../../src/core/outcome.ts';
import type { Reject } from '../../src/core/reject.ts';
import { amount, lots } from '../../src/core/units.ts';
import { FLEXIBLE_PLAN } from '../support/plan-terms.ts';
import { Prng } from '../support/prng.ts';
import { BTC_USDT_TERMS, VENUE_START } from '../support/venue.ts';

type Body = Readonly<Record<string, unknown>>;

/** A request: its form, and the command that the edge makes of it. */
interface Request {
  readonly name: string;
  readonly body: Body;
  /** Throws Problem. */
  make(body: Body): Command;
}

/** A rejection as a client sees it. */
interface Rejection {
  readonly field: string | null;
  readonly nearest: string | number | null;
  readonly text: string;
}

const USERS = [1, 2, 3, 4] as const;
const ASSETS = ['BTC', 'USDT', 'PEPE'] as const;
const HOUR_MS = 3_600_000;

/** The rejections of a run, and how many named a value that was sent back. */
export interface NearestCounts {
  rejections: number;
  sentBack: number;
  /** The values that were sent back, by request and field. */
  readonly fields: Map<string, number>;
}

class NearestRun {
  readonly #random: Prng;
  readonly #exchange = new Exchange();
  readonly counts: NearestCounts = { rejections: 0, sentBack: 0, fields: new Map() };
  #time = VENUE_START;
  #references = 0;

  constructor(seed: number) {
    this.#random = new Prng(seed);
    this.#open();
  }

  /** Sends one request. Throws an Error for a nearest value that is rejected. */
  step(): void {
    const random = this.#random;
    if (random.oneIn(200)) this.#passTime();
    if (random.oneIn(20)) this.#fund(random.pick(USERS));
    const request = this.#request();
    const rejection = this.#send(request);
    if (rejection === null) return;
    this.counts.rejections++;
    const { field, nearest } = rejection;
    if (field === null || nearest === null) return;
    this.counts.sentBack++;
    const at = `${request.name} ${field}`;
    this.counts.fields.set(at, (this.counts.fields.get(at) ?? 0) + 1);
    const amended = { ...request, body: withValue(request.body, field, nearest) };
    const again = this.#send(amended);
    if (again === null) return;
    const sent = JSON.stringify(request.body);
    throw new Error(`${at} ${sent}: ${rejection.text}\n  sent back ${nearest}: ${again.text}`);
  }

  /** null if the request is accepted. */
  #send({ body, make }: Request): Rejection | null {
    const { state } = this.#exchange;
    let command: Command;
    try {
      command = make(body);
    } catch (error) {
      if (error instanceof Problem) return this.#ofProblem(error);
      throw error;
    }
    const outcome = this.#apply(command);
    if (!outcome.ok) return ofReject(outcome.reject, this.#exchange);
    if (command.type !== 'orderBatch') return null;
    const [entry] = command.entries;
    const [one] = (outcome.result as ResultOf<OrderBatch>).outcomes;
    if (one!.ok) return null;
    return entry instanceof FaultyEntry
      ? this.#ofProblem(entry.faultAfter(command as OrderBatch))
      : ofReject(one!.reject, { state });
  }

  #ofProblem({ details, userMsg }: Problem): Rejection {
    const { field = null, nearest = null } = details ?? {};
    return { field, nearest: textOf(nearest), text: userMsg };
  }

  #apply(command: Command): Outcome<AnyResult> {
    return this.#exchange.apply(this.#exchange.state.seq + 1, this.#time, command);
  }

  #must(command: Command): void {
    const outcome = this.#apply(command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
  }

  #passTime(): void {
    this.#time += this.#random.below(30) * HOUR_MS;
    while (this.#exchange.nextTimer <= this.#time) this.#must({ type: 'runTimers' });
  }

  #open(): void {
    for (const asset of ASSETS) this.#must({ type: 'createAsset', asset, scale: 8, fiat: false });
    const { cancelNewest, cancelOldest, none } = SelfTradePrevention;
    const pair = { ...BTC_USDT_TERMS, takerFee: 200_000, makerFee: 100_000 };
    this.#must({
      ...{ ...pair, lot: { mantissa: 1, decimals: 4 }, minQuantity: lots(5) },
      ...{ minNotional: amount(10_000_000), priceBand: 10_000_000 },
      selfTradePrevention: cancelNewest,
    });
    this.#must({
      ...{ ...pair, symbol: 'PEPE-USDT', baseAsset: 'PEPE', lot: { mantissa: 25, decimals: 1 } },
      ...{ tick: { mantissa: 5, decimals: 6 }, minQuantity: lots(4), minNotional: amount(10_000) },
      selfTradePrevention: cancelOldest,
    });
    this.#must({
      ...{ ...pair, symbol: 'PEPE-BTC', baseAsset: 'PEPE', quoteAsset: 'BTC' },
      ...{ tick: { mantissa: 1, decimals: 8 }, lot: { mantissa: 1, decimals: 0 } },
      ...{ selfTradePrevention: none, status: InstrumentStatus.LIVE, priceBand: 50_000_000 },
    });
    for (const uid of USERS) {
      this.#must({ type: 'createUser', kyc: uid !== 4 });
      this.#fund(uid);
    }
    this.#must({ type: 'createEnterprise', name: 'Desk' });
    this.#must({ type: 'assignEnterprise', uid: 1, enterpriseId: 1, admin: true });
    this.#openPlans();
  }

  #openPlans(): void {
    const range = { userAmountMin: amount(30_000_000), userAmountMax: amount(900_000_000) };
    const flexible = { ...FLEXIBLE_PLAN, ...range, planName: 'Flexible', assetId: 1 };
    const pool = { poolCapacity: amount(1_500_000_001) };
    const booster = { assetId: 1, ratio: 150_000_000, rate: 1_000_000 };
    const customized = { planType: PlanType.customized, minLockDay: 7, maxLockDay: 90 };
    const fixed = { planType: PlanType.fixed, minLockDay: 30, maxLockDay: 30 };
    const renews = { supportAutoRenew: true, rewardFrequency: 1 };
    this.#must({ ...flexible, ...pool });
    this.#must({ ...flexible, ...fixed, ...renews, booster, planName: 'Fixed', assetId: 0 });
    this.#must({ ...flexible, ...customized, ...renews, booster, planName: 'Customized' });
    this.#must({ ...flexible, autoCompound: true, requiresKyc: true, planName: 'Compounding' });
  }

  /** Odd amounts, at most a few units of each asset. */
  #fund(uid: number): void {
    for (let assetId = 0; assetId < ASSETS.length; assetId++) {
      if (this.#availableTo(uid, assetId) > 3e8) continue;
      const money = 1 + this.#random.below(2 * 10 ** (4 + this.#random.below(9)));
      const reference = `credit-${++this.#references}`;
      this.#must({
        ...{ type: 'transferFunds', direction: 'credit', uid, assetId },
        ...{ amount: amount(money), reference },
      });
    }
  }

  #availableTo(uid: number, assetId: number): number {
    return Number(this.#exchange.state.ledger.balanceOf(uid, assetId, AccountCode.available));
  }

  #request(): Request {
    const uid = this.#random.pick(USERS);
    const instrument = this.#exchange.state.instruments[1 + this.#random.below(3)]!;
    return this.#random.weighted<() => Request>([
      [
        3,
        () => this.#trading('order', orderBody, toPlaceOrder, this.#orderV1(instrument, uid), uid),
      ],
      [
        8,
        () =>
          this.#trading(
            'orderV2',
            orderV2Body,
            toPlaceOrderV2,
            this.#orderV2(instrument, uid),
            uid,
          ),
      ],
      [4, () => this.#trading('oco', ocoBody, toPlaceOco, this.#oco(instrument, uid), uid)],
      [5, () => this.#trading('amend', amendBody, toAmendOrder, this.#amendment(uid), uid)],
      [2, () => this.#batch(this.#orderV2(instrument, uid), uid)],
      [4, () => this.#subscription(uid)],
      [2, () => this.#redemption(uid)],
      [1, () => this.#margin()],
      [1, () => this.#debit(uid)],
    ])();
  }

  #trading<B>(
    name: string,
    field: ObjectField<B>,
    to: (state: Exchange['state'], body: B, caller: ReturnType<typeof callerOf>) => Command,
    body: Body,
    uid: number,
  ): Request {
    const { state } = this.#exchange;
    return { name, body, make: (sent) => to(state, read(field, sent), callerOf(uid)) };
  }

  #batch(order: Body, uid: number): Request {
    const { state } = this.#exchange;
    const make = (sent: Body): Command => {
      const { op, ...one } = sent;
      const body = read(batchBody, { orders: [{ op, ...one }] });
      return toOrderBatch(state, body, callerOf(uid));
    };
    return { name: 'batch', body: { op: 'place', ...order }, make };
  }

  #orderV1(instrument: Instrument, uid: number): Body {
    const random = this.#random;
    const side = random.pick([Side.buy, Side.sell]);
    const symbol = instrument.symbol;
    if (random.oneIn(3)) {
      const size =
        side === Side.buy && random.oneIn(2)
          ? { quoteOrderQty: this.#budget(instrument, uid) }
          : { orderQty: this.#quantity(instrument, uid, side) };
      return { symbol, side, ordType: OrdType.market, ...size };
    }
    const price = this.#price(instrument);
    const orderQty = this.#quantity(instrument, uid, side);
    const execInst = random.oneIn(4) ? { execInst: '6' } : {};
    return { symbol, side, ordType: OrdType.limit, price, orderQty, ...execInst };
  }

  #orderV2(instrument: Instrument, uid: number): Body {
    const random = this.#random;
    const { postOnly: _, ...order } = { ...this.#orderV1(instrument, uid), postOnly: null };
    const { ordType, side, orderQty } = order as { ordType: number; side: Side; orderQty?: string };
    const isMarket = ordType === OrdType.market;
    const terms: Record<string, unknown> = { ...order };
    if (isMarket && side === Side.sell && random.oneIn(3)) {
      delete terms.orderQty;
      terms.quoteOrderQty = this.#budget(instrument, uid);
    }
    if (random.oneIn(3)) {
      terms.ordType = isMarket ? OrdType.stop : OrdType.stopLimit;
      delete terms.execInst;
      if (random.oneIn(3)) {
        Object.assign(
          terms,
          random.pick([{ trailingDelta: 1 + random.below(5000) }, this.#trail(instrument)]),
        );
        if (random.oneIn(2)) terms.stopPx = this.#price(instrument);
      } else {
        terms.stopPx = this.#price(instrument);
        if (random.oneIn(3)) terms.triggerPriceDirection = random.pick(['U', 'D']);
      }
    } else if (!isMarket && random.oneIn(4) && orderQty !== undefined) {
      terms.displayQty = this.#quantity(instrument, uid, side);
    }
    if (terms.orderQty !== undefined && random.oneIn(3)) terms.bracket = this.#bracket(instrument);
    if (random.oneIn(6)) terms.selfTradePrevention = random.pick(['cancelNewest', 'cancelOldest']);
    return terms;
  }

  #bracket(instrument: Instrument): Body {
    const random = this.#random;
    const takeProfitPx = this.#price(instrument);
    if (random.oneIn(4)) return { takeProfitPx, ...this.#trail(instrument) };
    const stopPx = this.#price(instrument);
    const stopLimitPx = random.oneIn(3) ? { stopLimitPx: this.#price(instrument) } : {};
    return random.oneIn(4) ? { stopPx, ...stopLimitPx } : { takeProfitPx, stopPx, ...stopLimitPx };
  }

  #trail(instrument: Instrument): Body {
    return {
      trailingAmount: this.#random.oneIn(3)
        ? this.#price(instrument)
        : this.#decimal(1 + this.#random.below(200), instrument.tick),
    };
  }

  #oco(instrument: Instrument, uid: number): Body {
    const random = this.#random;
    const side = random.pick([Side.buy, Side.sell]);
    const [price, stopPx] = [this.#price(instrument), this.#price(instrument)];
    const stopLimitPx = random.oneIn(3) ? { stopLimitPx: this.#price(instrument) } : {};
    const trail = random.oneIn(5) ? this.#trail(instrument) : {};
    const orderQty = this.#quantity(instrument, uid, side);
    return { symbol: instrument.symbol, side, orderQty, price, stopPx, ...stopLimitPx, ...trail };
  }

  #amendment(uid: number): Body {
    const random = this.#random;
    const { state } = this.#exchange;
    let slot = state.orders.lastOf(uid);
    for (let skip = random.below(8); skip > 0 && slot !== NONE; skip--) {
      slot = state.orders.olderOf(slot);
    }
    const orderId = slot === NONE ? 1 : state.orders.orderId(slot);
    const instrument = state.instruments[slot === NONE ? 1 : state.orders.securityId(slot)]!;
    const side = slot === NONE ? Side.buy : state.orders.side(slot);
    const changes = random.pick<() => Body>([
      () => ({ orderQty: this.#quantity(instrument, uid, side) }),
      () => ({ price: this.#price(instrument) }),
      () => ({ stopPx: this.#price(instrument) }),
      () => ({ displayQty: this.#quantity(instrument, uid, side) }),
      () => ({ price: this.#price(instrument), orderQty: this.#quantity(instrument, uid, side) }),
      () => ({ bracket: this.#bracket(instrument) }),
    ])();
    return { orderId, ...changes };
  }

  #subscription(uid: number): Request {
    const random = this.#random;
    const { state } = this.#exchange;
    const plan = random.pick(state.earn.plans.filter((one) => one !== undefined));
    const { planType, planId, assetId } = plan;
    const isCustomized = planType === PlanType.customized;
    const body = {
      planId: String(planId),
      amount: this.#money(uid, assetId),
      ...(isCustomized || random.oneIn(8) ? { lockDay: random.below(120) } : {}),
      ...(planType !== PlanType.flexible && random.oneIn(2)
        ? { boosterAmount: this.#money(uid, 1) }
        : {}),
    };
    const make = (sent: Body) => toApplyPlan(state, plan, read(applyBody, sent), callerOf(uid));
    return { name: 'apply', body, make };
  }

  #redemption(uid: number): Request {
    const { state } = this.#exchange;
    const own = [...state.earn.subscriptions.ofUser(uid)];
    const found = own.length === 0 ? null : this.#random.pick(own);
    const coin = state.assets[found?.plan.assetId ?? 0]!;
    const body = { applyId: String(found?.applyId ?? 1), amount: this.#money(uid, coin.assetId) };
    const make = (sent: Body) => toRedeemPlan(state, coin, read(redeemBody, sent), callerOf(uid));
    return { name: 'redeem', body, make };
  }

  #margin(): Request {
    const { state } = this.#exchange;
    const body = { planId: '1', margin: `0.0${this.#random.below(10 ** 10)}` };
    const make = (sent: Body) => toSetMargin(state, read(marginQuery, sent), callerOf(1));
    return { name: 'margin', body, make };
  }

  #debit(uid: number): Request {
    const { state } = this.#exchange;
    const asset = state.assets[this.#random.below(ASSETS.length)]!;
    const reference = `debit-${++this.#references}`;
    const amount = this.#money(uid, asset.assetId);
    const body = { uid, asset: asset.name, amount, reference };
    const make = (sent: Body) => toTransferFunds(state, 'debit', asset, read(transferBody, sent));
    return { name: 'debit', body, make };
  }

  /** A price around the last one or the best ones, on its grid or not. */
  #price({ tick, lastPrice, book }: Instrument): string {
    const random = this.#random;
    const side = random.pick([Side.buy, Side.sell]);
    const level = book.bestAgainst(side);
    const near = level === NONE ? lastPrice : book.levelPrice(level);
    const center = random.oneIn(3) && near > 0 ? near : lastPrice || 5_000;
    const width = random.pick([3, center / 20, center / 5, center]);
    const steps = Math.max(1, Math.round(center + (random.below(2001) / 1000 - 1) * width));
    return this.#decimal(steps, tick);
  }

  /** A quantity around the minimum, or around what the balance pays for. */
  #quantity(instrument: Instrument, uid: number, side: Side): string {
    const random = this.#random;
    const { lot, base, quote, baseUnitsPerLot, perTickLot, lastPrice, minQuantity } = instrument;
    const available =
      side === Side.sell
        ? this.#availableTo(uid, base.assetId) / Number(baseUnitsPerLot)
        : this.#availableTo(uid, quote.assetId) / Number(perTickLot) / (lastPrice || 5_000);
    const around = random.pick([minQuantity, available, available / 10]);
    return this.#decimal(Math.max(1, Math.round(around * (random.below(1500) / 1000))), lot);
  }

  #budget(instrument: Instrument, uid: number): string {
    const { quote, quoteUnitsPerTick, minNotional, tick } = instrument;
    const available =
      Number(this.#availableTo(uid, quote.assetId)) * (this.#random.below(1500) / 1000);
    const around = this.#random.oneIn(4) ? Number(minNotional) : available;
    return this.#decimal(Math.max(1, Math.round(around / Number(quoteUnitsPerTick))), tick);
  }

  #money(uid: number, assetId: number): string {
    const random = this.#random;
    const around = random.pick([
      this.#availableTo(uid, assetId) as number,
      30_000_000,
      900_000_000,
    ]);
    const units = Math.max(1, Math.round(around * (random.below(1500) / 1000)));
    return this.#decimal(units, { mantissa: 1, decimals: 8 });
  }

  /** So many steps of an increment, and often a part of one. */
  #decimal(steps: number, increment: Instrument['tick']): string {
    const random = this.#random;
    const part = random.oneIn(2) ? 0n : BigInt(random.below(1_000));
    const thousandths =
      (BigInt(Math.min(steps, 10 ** 14)) * 1_000n + part) * BigInt(increment.mantissa);
    const digits = String(thousandths).padStart(increment.decimals + 4, '0');
    const point = digits.length - increment.decimals - 3;
    return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0+$/, '') || '0';
  }
}

const callerOf = (uid: number) =>
  ({ uid, signature: null, idempotency: null, strictClOrdId: false }) as const;

const read = <T>(field: ObjectField<T>, body: Body): T =>
  readBody(field, parseText(JSON.stringify(body)));

const textOf = (value: string | number | JsonNumber | null): string | number | null =>
  value instanceof JsonNumber ? value.source : value;

function ofReject(reject: Reject, { state }: Pick<Exchange, 'state'>): Rejection {
  const { name, field, nearest } = reject;
  const value = nearest === null ? null : textOf(decimalOf(state, nearest));
  return { field, nearest: value, text: `${name} ${field}` };
}

function withValue(body: Body, field: string, value: string | number): Body {
  const [name = '', inner] = field.split('.');
  if (inner === undefined) return { ...body, [name]: value };
  return { ...body, [name]: withValue(body[name] as Body, inner, value) };
}

/** Sends random requests until so many were rejected. Throws an Error that names the seed. */
export function sendNearestBack(seed: number, rejections: number): NearestCounts {
  const run = new NearestRun(seed);
  const { counts } = run;
  while (counts.rejections < rejections) {
    try {
      run.step();
    } catch (error) {
      throw new Error(`seed ${seed}, after ${counts.rejections} rejections: ${error}`);
    }
  }
  return counts;
}
