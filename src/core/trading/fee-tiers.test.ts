// Volumes by day against a sum over all trades, over months with gaps: the state hash, snapshots
// and the rates. The rules themselves are in test/scenario (FEE-005, FEE-006).
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { USDT, Venue } from '../../../test/support/venue.ts';
import { DAY_MS, dayOf } from '../calendar.ts';
import type { Trade } from '../event.ts';
import { Exchange } from '../exchange.ts';
import { checkInvariants } from '../invariants.ts';
import { restore, snapshot } from '../snapshot.ts';
import { type Amount, add, amount, ZERO } from '../units.ts';
import { type FeeTierTable, TIER_DAYS } from './fee-tiers.ts';

const table = (tiers: FeeTierTable['tiers'], volumeAssetId = USDT): FeeTierTable => ({
  volumeAssetId,
  rates: [],
  tiers,
});
const TABLE = table([
  { volume: amount(1_000), makerFee: 3, takerFee: 4 },
  { volume: amount(20_000), makerFee: 1, takerFee: 2 },
]);

const tradesOf = (venue: Venue): Trade[] =>
  venue.events.filter((event): event is Trade => event.type === 'trade');

function volumeOf(trades: readonly Trade[], uid: number, today: number): Amount {
  return trades
    .filter(({ transactTime }) => {
      const day = dayOf(transactTime);
      return day < today && day >= today - TIER_DAYS;
    })
    .flatMap((trade) =>
      [trade.makerUid, trade.takerUid].filter((side) => side === uid).map(() => trade.quoteAmount),
    )
    .reduce(add, ZERO);
}

describe('volumes', () => {
  test('are those of the 30 days before, for months of trading', () => {
    const venue = new Venue({ users: 3 });
    const { state } = venue.exchange;
    const random = new Prng(4);
    venue.must({ type: 'setFeeTiers', table: TABLE });
    const trades: Trade[] = [];
    const tiers = new Set<number>();
    for (let i = 0; i < 400; i++) {
      if (random.oneIn(3)) venue.time += random.below(random.oneIn(9) ? 20 * DAY_MS : DAY_MS);
      venue.sell(random.between(1, 3), 100, random.between(1, 9));
      trades.push(...tradesOf(venue));
      venue.buy(random.between(1, 3), 100, random.between(1, 9));
      trades.push(...tradesOf(venue));
      const today = dayOf(venue.time);
      for (const uid of [1, 2, 3]) {
        const volume = volumeOf(trades, uid, today);
        expect(`${i} ${state.feeTiers.volumeBefore(uid, today)}`).toBe(`${i} ${volume}`);
        const tier = state.feeTiers.tierOf(uid, today);
        expect(tier).toEqual(TABLE.tiers.findLast((each) => each.volume <= volume) ?? null);
        tiers.add(tier?.takerFee ?? 0);
      }
      if (i % 20 === 0) checkInvariants(state);
    }
    expect([...tiers].sort()).toEqual([0, 2, 4]);
    const days = [...state.feeTiers.volumes()];
    expect(days.length).toBeLessThanOrEqual(3 * (TIER_DAYS + 1));
  });

  test('go on from a snapshot as from the first command', () => {
    const venue = new Venue();
    venue.must({ type: 'setFeeTiers', table: TABLE });
    const trade = () => {
      venue.time += DAY_MS;
      venue.sell(1, 100, 9);
      venue.buy(2, 100, 9);
    };
    for (let i = 0; i < 40; i++) trade();
    const other = new Exchange(restore(snapshot(venue.exchange.state)));
    for (let i = 0; i < 40; i++) {
      const { length } = venue.log;
      trade();
      for (const { time, command } of venue.log.slice(length)) {
        other.apply(other.state.seq + 1, time, command);
      }
      expect(other.state.stateHash()).toBe(venue.exchange.state.stateHash());
    }
  });

  test('convert between assets of any scale, downwards', () => {
    const venue = new Venue();
    venue.must({ type: 'createAsset', asset: 'YEN', scale: 0, fiat: true });
    const yen = 2;
    const { feeTiers } = venue.exchange.state;
    const rates = [{ assetId: USDT, rate: 15_050_000_000 }];
    const inYen = { volumeAssetId: yen, rates, tiers: TABLE.tiers };
    venue.must({ type: 'setFeeTiers', table: inYen });
    // 1.00000001 USDT at 150.5 YEN.
    feeTiers.count(1, 5, USDT, amount(100_000_001));
    expect(feeTiers.volumeBefore(1, 6)).toBe(amount(150));
    // One unit of USDT is less than one YEN.
    feeTiers.count(1, 5, USDT, amount(1));
    expect([...feeTiers.volumes()]).toEqual([{ uid: 1, day: 5, volume: amount(150) }]);
    const large = amount(10n ** 30n);
    feeTiers.count(2, 5, USDT, large);
    expect(feeTiers.volumeBefore(2, 6)).toBe(amount((10n ** 22n * 1505n) / 10n));
  });
});
