// The alarm of the reserves: checks once a minute, apart from orders, and logs when the alarm of
// a plan begins and ends. contract/operator/plan-reserve.ts defines the alarm.
import type { Logger } from 'pino';
import { formatUnits } from '../../contract/decimal.ts';
import type { PlanReserve } from '../../contract/operator/plan-reserve.ts';
import { currentTerms } from '../../core/earn/plan.ts';
import type { Asset } from '../../core/instrument.ts';

const LOOK_EVERY_MS = 60_000;

export interface ReserveWatchOptions {
  /** The reserves of all plans as they are now. */
  readonly reserves: () => readonly PlanReserve[];
  /** By assetId. */
  readonly assets: readonly (Asset | undefined)[];
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

export class ReserveWatch {
  readonly #options: ReserveWatchOptions;
  /** Plans whose alarm was logged, by planId. */
  readonly #alarmed = new Set<number>();
  #interval: ReturnType<typeof setInterval> | null = null;

  constructor(options: ReserveWatchOptions) {
    this.#options = options;
  }

  /** Checks now, and then every minute. */
  start(): void {
    this.look();
    this.#interval = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  stop(): void {
    if (this.#interval !== null) clearInterval(this.#interval);
    this.#interval = null;
  }

  /** Logs the alarms that have begun or ended since the last check. */
  look(): void {
    const { reserves, log } = this.#options;
    for (const reserve of reserves()) {
      const { planId } = reserve.plan;
      if (reserve.alarm === this.#alarmed.has(planId)) continue;
      if (reserve.alarm) {
        this.#alarmed.add(planId);
        log.warn(this.#figuresOf(reserve), 'the reserve of a plan runs low: fund it');
      } else {
        this.#alarmed.delete(planId);
        log.info(this.#figuresOf(reserve), 'the reserve of a plan is enough again');
      }
    }
  }

  #figuresOf({ plan, balance, payable, daysOfCover, overdue }: PlanReserve): object {
    const { name, scale } = this.#options.assets[plan.assetId]!;
    return {
      planId: plan.planId,
      planName: currentTerms(plan).planName,
      coin: name,
      balance: formatUnits(balance, scale),
      payable: formatUnits(payable, scale),
      daysOfCover: daysOfCover === null ? null : String(daysOfCover),
      overdue,
    };
  }
}
