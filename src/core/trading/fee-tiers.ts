// Fees by traded volume: the operator's table, and what each user traded on each day while one is
// set. A user's tier of a day follows from the 30 full UTC days before it.
import { dayOf } from '../calendar.ts';
import { integer, list, mixFact, money, record, type ValueOf } from '../codec.ts';
import { byFeeRole, type FeeRole } from '../fee-rates.ts';
import type { Asset, Instrument } from '../instrument.ts';
import { Fact, StateHash } from '../state-hash.ts';
import {
  type Amount,
  add,
  amount,
  divideDown,
  multiply,
  powerOfTen,
  RATE_ONE,
  ZERO,
} from '../units.ts';
import { INSTRUMENT_FEE, type User } from '../user.ts';

/** The full days whose volume decides about a tier. */
export const TIER_DAYS = 30;

export type FeeTier = ValueOf<typeof FEE_TIER>;

const FEE_TIER = record({
  /** The volume from which it applies, in units of the table's asset. */
  volume: money,
  /** Rates in 10^-8. */
  ...byFeeRole(() => integer),
});

/** The value of one coin of a quote asset in the table's asset, in 10^-8. */
const VOLUME_RATE = record({ assetId: integer, rate: integer });

export type FeeTierTable = ValueOf<typeof FEE_TIER_TABLE>;

export const FEE_TIER_TABLE = record({
  /** Volumes are in this asset; it counts one to one. */
  volumeAssetId: integer,
  /** Other quote assets; trades in an asset that is not listed do not count. */
  rates: list(VOLUME_RATE),
  /** In ascending order of volume. Below the first one, the instrument's fees apply. */
  tiers: list(FEE_TIER),
});

/** The volume of one user on one day, in units of the table's asset. */
export type DayVolume = ValueOf<typeof DAY_VOLUME>;

export const DAY_VOLUME = record({ uid: integer, day: integer, volume: money });

/** volume = ⌊quote × multiplier ÷ divisor⌋ */
interface Conversion {
  readonly multiplier: Amount;
  readonly divisor: Amount;
}

interface Trader {
  /** In order of day, none older than TIER_DAYS before the last. */
  readonly days: DayVolume[];
  /** The tier on `tierDay` by the table of `version`. */
  tier: FeeTier | null;
  tierDay: number;
  version: number;
}

export class FeeTiers {
  #table: FeeTierTable | null = null;
  /** Counts the tables, so that a trader's tier of an earlier one is not used. */
  #version = 0;
  /** By assetId. */
  #conversions: (Conversion | undefined)[] = [];
  /** By uid. */
  #traders: (Trader | undefined)[] = [];
  /** The volumes' own hash: they can be dropped together, whatever their number. */
  #hash = new StateHash();

  get table(): FeeTierTable | null {
    return this.#table;
  }

  /** Volumes stay while they are counted in the same asset. */
  set(table: FeeTierTable | null, assets: readonly (Asset | undefined)[]): void {
    if (table === null || table.volumeAssetId !== this.#table?.volumeAssetId) {
      this.#traders = [];
      this.#hash = new StateHash();
    }
    this.#table = table;
    this.#version++;
    this.#conversions = [];
    if (table === null) return;
    const { scale } = assets[table.volumeAssetId]!;
    for (const { assetId, rate } of table.rates) {
      this.#conversions[assetId] = conversion(rate, assets[assetId]!.scale, scale);
    }
    this.#conversions[table.volumeAssetId] = conversion(RATE_ONE, scale, scale);
  }

  /** Adds a fill to the user's volume of the day; a table is set. */
  count(uid: number, day: number, quoteAssetId: number, quote: Amount): void {
    const by = this.#conversions[quoteAssetId];
    if (by === undefined) return;
    const volume = divideDown(multiply(quote, by.multiplier), by.divisor);
    if (volume > 0) this.#add(uid, day, volume);
  }

  #add(uid: number, day: number, volume: Amount): void {
    this.#traders[uid] ??= { days: [], tier: null, tierDay: -1, version: -1 };
    const { days } = this.#traders[uid];
    const last = days.at(-1);
    if (last?.day === day) {
      days.pop();
      this.#mix(last).remove();
    }
    const entry = { uid, day, volume: last?.day === day ? add(last.volume, volume) : volume };
    days.push(entry);
    this.#mix(entry).add();
    while (days[0].day < day - TIER_DAYS) this.#mix(days.shift()!).remove();
  }

  /** In a snapshot's order. */
  restore({ uid, day, volume }: DayVolume): void {
    this.#add(uid, day, volume);
  }

  *volumes(): Generator<DayVolume> {
    for (const trader of this.#traders) if (trader !== undefined) yield* trader.days;
  }

  /** The rate of the user's next fill, in 10^-8: the own one, else the tier's, else the pair's. */
  rateOf(user: User, instrument: Instrument, role: FeeRole, time: number): number {
    const own = user[role];
    if (own !== INSTRUMENT_FEE) return own;
    if (this.#table === null) return instrument[role];
    return (this.tierOf(user.uid, dayOf(time)) ?? instrument)[role];
  }

  /** The user's tier on a day; null below the first, and without a table. */
  tierOf(uid: number, day: number): FeeTier | null {
    if (this.#table === null) return null;
    const trader = this.#traders[uid];
    if (trader === undefined) return this.#tierAt(ZERO);
    if (trader.tierDay !== day || trader.version !== this.#version) {
      trader.tier = this.#tierAt(this.volumeBefore(uid, day));
      trader.tierDay = day;
      trader.version = this.#version;
    }
    return trader.tier;
  }

  #tierAt(volume: Amount): FeeTier | null {
    return this.#table!.tiers.findLast((tier) => tier.volume <= volume) ?? null;
  }

  /** The user's volume of the full days that decide about the tier of `day`. */
  volumeBefore(uid: number, day: number): Amount {
    const days = this.#traders[uid]?.days ?? [];
    return days
      .filter((entry) => entry.day >= day - TIER_DAYS && entry.day < day)
      .reduce((sum, { volume }) => add(sum, volume), ZERO);
  }

  #mix(entry: DayVolume): StateHash {
    return mixFact(this.#hash, Fact.dayVolume, DAY_VOLUME, entry);
  }

  /** Adds nothing without a table, as before there were any. */
  addTo(hash: StateHash): void {
    if (this.#table === null) return;
    hash.begin(Fact.feeTiers);
    FEE_TIER_TABLE.mix(hash, this.#table);
    hash.text(this.#hash.digest());
    hash.add();
  }
}

function conversion(rate: number, quoteScale: number, volumeScale: number): Conversion {
  const up = powerOfTen(Math.max(0, volumeScale - quoteScale));
  const down = powerOfTen(Math.max(0, quoteScale - volumeScale));
  const multiplier = BigInt(multiply(rate, up));
  const divisor = BigInt(multiply(RATE_ONE, down));
  const shared = greatestCommonDivisor(multiplier, divisor);
  return { multiplier: amount(multiplier / shared), divisor: amount(divisor / shared) };
}

const greatestCommonDivisor = (a: bigint, b: bigint): bigint =>
  b === 0n ? a : greatestCommonDivisor(b, a % b);
