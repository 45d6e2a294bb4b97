// The promises of earn to a reader of its events, checked from the events alone and by other
// arithmetic than the model's: every day has one entry, a term's entries add up to the figure of
// the preview, earned interest was paid or is owed, and a statement adds up to the balance.
import type {
  CoreEvent,
  InterestAccrued,
  RedemptionChanged,
  SubscriptionChanged,
} from '../../src/core/event.ts';
import { dayAt, YEAR } from './earn-state.ts';

interface Life {
  /** The last known value. */
  last: SubscriptionChanged;
  readonly firstDay: number;
  nextDay: number;
  /** Sums of all entries, and of those of the present term. */
  entries: bigint;
  term: { base: bigint; booster: bigint };
  /** Carried into the next entry, as the entries say. */
  carry: bigint;
  boosterCarry: bigint;
  moved: bigint;
  forfeited: bigint;
  readonly redemptions: Map<number, 1 | 2>;
}

const big = (n: number | bigint): bigint => BigInt(n);

export class Promises {
  readonly #lives = new Map<number, Life>();
  /** The sum of the statement, by `uid/assetId`. */
  readonly #statement = new Map<string, bigint>();
  /** Terms whose entries were found to add up, and lives that ended with nothing left over. */
  termsProved = 0;
  livesProved = 0;

  /** Takes in what one command did; what is broken, or null. */
  observe(events: readonly CoreEvent[]): string | null {
    const ended: Life[] = [];
    for (const event of events) {
      const fault = this.#take(event, ended);
      if (fault !== null) return `promise: ${fault}`;
    }
    for (const life of ended) {
      const fault = this.#endFault(life);
      if (fault !== null) return `promise: subscription ${life.last.applyId} ${fault}`;
    }
    return null;
  }

  #take(event: CoreEvent, ended: Life[]): string | null {
    switch (event.type) {
      case 'fundsTransferred':
        this.#move(event.uid, event.assetId, big(event.amount));
        return null;
      case 'earnMoved': {
        this.#move(event.uid, event.assetId, big(event.amount));
        const life = this.#lives.get(event.applyId);
        if (event.kind === 'interest' && life !== undefined) life.moved += big(event.amount);
        return null;
      }
      case 'subscriptionChanged':
        return this.#change(event, ended);
      case 'interestAccrued':
        return this.#entry(event);
      case 'redemptionChanged':
        return this.#redemption(event);
      default:
        return null;
    }
  }

  #move(uid: number, assetId: number, money: bigint): void {
    const at = `${uid}/${assetId}`;
    this.#statement.set(at, (this.#statement.get(at) ?? 0n) + money);
  }

  /** Sum of all that was told of a user's money. */
  statementOf(uid: number, assetId: number): bigint {
    return this.#statement.get(`${uid}/${assetId}`) ?? 0n;
  }

  #change(event: SubscriptionChanged, ended: Life[]): string | null {
    const { applyId, createTime, startDay } = event;
    const life = this.#lives.get(applyId);
    if (life === undefined) {
      const firstDay = dayAt(createTime) + 1;
      this.#lives.set(applyId, {
        last: event,
        firstDay,
        nextDay: firstDay,
        entries: 0n,
        term: { base: 0n, booster: 0n },
        carry: 0n,
        boosterCarry: 0n,
        moved: 0n,
        forfeited: 0n,
        redemptions: new Map(),
      });
      return startDay === firstDay ? null : `subscription ${applyId} starts on ${startDay}`;
    }
    if (life.last.status === 3) return `subscription ${applyId} is told of after its end`;
    if (startDay !== life.last.startDay) {
      life.term = { base: 0n, booster: 0n };
      life.carry = 0n;
      life.boosterCarry = 0n;
    }
    life.last = event;
    if (event.status === 3) ended.push(life);
    return null;
  }

  /** One entry a day without a gap, each with the fraction that the one before left. */
  #entry(event: InterestAccrued): string | null {
    const { applyId, day } = event;
    const path = `entry of subscription ${applyId}, day ${day}`;
    const life = this.#lives.get(applyId);
    if (life === undefined || life.last.status === 3) return `${path}: no such subscription`;
    if (day !== life.nextDay) return `${path}: expected day ${life.nextDay}`;
    life.nextDay++;
    const basis = big(event.basis);
    const base = basis * big(event.rate) + life.carry;
    const booster = basis * big(event.boosterRate) + life.boosterCarry;
    if (big(event.carry) !== life.carry || big(event.boosterCarry) !== life.boosterCarry) {
      return `${path}: carries ${event.carry} and ${event.boosterCarry}`;
    }
    if (big(event.interest) !== base / YEAR || big(event.boosterInterest) !== booster / YEAR) {
      return `${path}: is not what basis, rate and carry come to`;
    }
    life.carry = base % YEAR;
    life.boosterCarry = booster % YEAR;
    life.term.base += base / YEAR;
    life.term.booster += booster / YEAR;
    life.entries += base / YEAR + booster / YEAR;
    return this.#termFault(life, day);
  }

  /** The last day of a term completes the figure that the preview has promised. */
  #termFault({ last, term }: Life, day: number): string | null {
    const { lockDay, startDay, principal, rate, boosterRate, applyId } = last;
    if (lockDay === 0 || day !== startDay + lockDay - 1) return null;
    const promised = (annual: number): bigint =>
      (big(principal) * big(annual) * big(lockDay)) / YEAR;
    this.termsProved++;
    if (term.base === promised(rate) && term.booster === promised(boosterRate)) return null;
    const due = `${promised(rate)} and ${promised(boosterRate)}`;
    return `term of subscription ${applyId}: ${term.base} and ${term.booster}, promised ${due}`;
  }

  /** Asked for once, credited once, and the two say the same. */
  #redemption(event: RedemptionChanged): string | null {
    const { applyId, redemptionId, status } = event;
    const life = this.#lives.get(applyId);
    if (life === undefined) return `redemption ${redemptionId}: no such subscription`;
    const before = life.redemptions.get(redemptionId);
    if (before === undefined) life.forfeited += big(event.forfeited);
    else if (before >= status) return `redemption ${redemptionId}: ${before} → ${status}`;
    life.redemptions.set(redemptionId, status);
    return null;
  }

  /** All interest was paid, and what was forfeited came off. */
  #endFault({ last, entries, moved, forfeited, firstDay }: Life): string | null {
    const { principal, redeeming, boosterAmount, earned, transactTime } = last;
    this.livesProved++;
    if (principal !== 0 || redeeming !== 0 || boosterAmount !== 0)
      return 'ends with something left';
    if (big(earned) !== moved - forfeited) {
      return `has earned ${earned}: ${moved} was paid and ${forfeited} came off`;
    }
    if (last.lockDay === 0 && moved !== entries) return `was paid ${moved} of ${entries}`;
    const inAndOut = dayAt(transactTime) < firstDay;
    return inAndOut && entries !== 0n ? `has earned ${entries} without a night` : null;
  }
}
