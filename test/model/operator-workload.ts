// The operator's part of the workload: a venue of odd instruments to begin with, then money in and
// out, changed terms, and attempts to list what cannot be listed.
import type {
  AmendInstrument,
  Command,
  CreateInstrument,
  SetFeeTiers,
  TransferFunds,
  WithdrawIncome,
} from '../../src/core/command.ts';
import { InstrumentStatus, SelfTradePrevention } from '../../src/core/fix.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { amount, lots, RATE_ONE } from '../../src/core/units.ts';
import type { Prng } from '../support/prng.ts';
import { BTC_USDT_TERMS } from '../support/venue.ts';
import type { VenueState } from './state.ts';

const USERS = 12;
/** Rates in 10^-8: none, the smallest, 0.1 %, an odd one, and nearly everything. */
const RATES = [0, 0, 1, 100_000, 12_345_678, RATE_ONE - 1];

const terms = (symbol: string, mine: Partial<CreateInstrument>): CreateInstrument => ({
  ...BTC_USDT_TERMS,
  symbol,
  baseAsset: symbol.split('-')[0],
  quoteAsset: symbol.split('-')[1],
  minQuantity: lots(10),
  minNotional: amount(0),
  ...mine,
});

/** Every run starts with users, assets of 0 to 18 decimals, instruments, and money. */
export function listing(): Command[] {
  const assets = { BTC: 8, ETH: 18, USDT: 8, YEN: 0, WEI: 18, ONE: 1 };
  const commands: Command[] = Object.entries(assets).map(([asset, scale]) => ({
    type: 'createAsset',
    asset,
    scale,
    fiat: asset === 'YEN',
  }));
  commands.push(
    terms('BTC-USDT', { makerFee: 10_000, takerFee: 20_001, minNotional: amount(10_000_000) }),
    terms('ETH-USDT', {
      tick: { mantissa: 5, decimals: 2 },
      lot: { mantissa: 5, decimals: 5 },
      selfTradePrevention: SelfTradePrevention.cancelOldest,
      priceBand: 10_000_000,
      takerFee: 333,
    }),
    // Prices of a few ticks and quantities near the largest: sums and products far beyond 2^53.
    terms('ETH-WEI', {
      tick: { mantissa: 125, decimals: 4 },
      lot: { mantissa: 25, decimals: 14 },
      minQuantity: lots(1_000_000_000_000),
      selfTradePrevention: SelfTradePrevention.cancelBoth,
      makerFee: 1,
    }),
    terms('BTC-WEI', {
      tick: { mantissa: 1, decimals: 12 },
      lot: { mantissa: 3, decimals: 3 },
      selfTradePrevention: SelfTradePrevention.cancelNewest,
      minNotional: amount(10n ** 18n),
    }),
    terms('ONE-YEN', {
      tick: { mantissa: 1, decimals: 0 },
      lot: { mantissa: 7, decimals: 0 },
      minQuantity: lots(1),
      takerFee: RATE_ONE - 1,
    }),
  );
  for (let uid = 1; uid <= USERS; uid++) commands.push({ type: 'createUser', kyc: uid % 2 === 0 });
  for (let uid = 1; uid < USERS; uid++) {
    // Each user is ten times as rich as the one before; the last has nothing.
    Object.values(assets).forEach((scale, assetId) => {
      commands.push({
        type: 'transferFunds',
        direction: 'credit',
        uid,
        assetId,
        amount: amount(10n ** BigInt(scale + uid * (scale === 18 ? 3 : 1))),
        reference: `opening-${uid}-${assetId}`,
      });
    });
  }
  commands.push({ type: 'createEnterprise', name: 'desk' });
  commands.push({ type: 'createEnterprise', name: 'fund' });
  commands.push({ type: 'amendEnterprise', enterpriseId: 1, selfTradePrevention: true });
  for (let uid = 1; uid <= 6; uid++) {
    commands.push({ type: 'assignEnterprise', uid, enterpriseId: 1 + (uid % 2), admin: false });
  }
  return commands;
}

export class OperatorCommands {
  readonly #random: Prng;
  readonly #venue: VenueState;
  readonly #transfers: TransferFunds[] = [];
  #withdrawal: WithdrawIncome | null = null;

  constructor(random: Prng, venue: VenueState) {
    this.#random = random;
    this.#venue = venue;
  }

  #uid(): number {
    return this.#random.oneIn(60) ? 0 : this.#random.between(1, this.#venue.users.size);
  }

  transfer(): Command {
    const random = this.#random;
    if (this.#transfers.length > 0 && random.oneIn(10)) {
      const earlier = random.pick(this.#transfers);
      return random.percent(50)
        ? earlier
        : { ...earlier, amount: amount(BigInt(earlier.amount) + 1n) };
    }
    const uid = this.#uid();
    const assetId = random.oneIn(60) ? 99 : random.below(this.#venue.assets.length);
    const scale = this.#venue.assets[assetId]?.scale ?? 0;
    const direction = random.percent(60) ? 'credit' : 'debit';
    const free = this.#venue.freeOf(uid, assetId);
    const credit = 1n + random.belowBig(10n ** BigInt(random.below(scale + 14)));
    const debit = random.weighted([
      [8, random.belowBig(free / 4n + 2n)],
      [1, free],
      [1, free + 1n],
    ]);
    const command: TransferFunds = {
      type: 'transferFunds',
      direction,
      uid,
      assetId,
      amount: amount(random.oneIn(50) ? -1n : direction === 'credit' ? credit : debit),
      reference: `transfer-${random.next()}`,
    };
    if (this.#transfers.length < 200) this.#transfers.push(command);
    return command;
  }

  /** Fees, now and then the same again. */
  withdrawal(): Command {
    const random = this.#random;
    if (this.#withdrawal !== null && random.oneIn(4)) return this.#withdrawal;
    const assetId = random.oneIn(30) ? 99 : random.below(this.#venue.assets.length);
    const fees = this.#venue.fees.get(assetId) ?? 0n;
    this.#withdrawal = {
      type: 'withdrawIncome',
      account: AccountCode.feeRevenue,
      planId: 0,
      enterpriseId: 0,
      assetId,
      amount: amount(random.pick([fees, fees / 3n + 1n, fees + 1n, 0n])),
      reference: `income-${random.next()}`,
    };
    return this.#withdrawal;
  }

  /** Orders of a user, of an instrument, of both; sometimes of neither. */
  cancelOrders(): Command {
    const random = this.#random;
    const securityId = random.oneIn(15) ? 77 : random.between(1, this.#venue.markets.size);
    const [uid, of] = random.weighted([
      [6, [this.#uid(), 0] as const],
      [2, [0, securityId] as const],
      [4, [this.#uid(), securityId] as const],
    ]);
    return { type: 'cancelOrders', uid: random.oneIn(30) ? 9_999 : uid, securityId: of };
  }

  /** Changes who is one enterprise, or its self-trade prevention, while orders rest. */
  membership(): Command {
    const random = this.#random;
    const enterpriseId = random.oneIn(20) ? 77 : random.between(1, 2);
    if (random.percent(40)) {
      return { type: 'amendEnterprise', enterpriseId, selfTradePrevention: random.percent(60) };
    }
    const of = random.percent(30) ? 0 : enterpriseId;
    return { type: 'assignEnterprise', uid: this.#uid(), enterpriseId: of, admin: false };
  }

  amendment(): Command {
    const random = this.#random;
    if (random.percent(65)) return this.#amendInstrument();
    const rate = (): number | null =>
      random.weighted([
        [50, null],
        [20, -1],
        [20, random.pick(RATES)],
        [2, RATE_ONE],
        [2, 0.5],
      ]);
    return {
      type: 'amendUser',
      uid: this.#uid(),
      kyc: random.pick([null, true, false]),
      suspended: random.weighted([
        [40, null],
        [56, false],
        [4, true],
      ]),
      makerFee: rate(),
      takerFee: rate(),
      maxOpenOrders: random.weighted([
        [60, null],
        [30, 10_000],
        [10, random.between(0, 15)],
        [2, -1],
      ]),
    };
  }

  /** Begins to prevent self-trades while stops wait that allow them. */
  prevention(): Command {
    const random = this.#random;
    const { none, cancelOldest } = SelfTradePrevention;
    const market = random.pick([...this.#venue.markets.values()]);
    const allows =
      market.prevention === none && market.stops.some((stop) => stop.prevention === none);
    if (!allows) return this.amendment();
    const { securityId } = market;
    return { ...this.#amendInstrument(), securityId, selfTradePrevention: cancelOldest };
  }

  #amendInstrument(): AmendInstrument {
    const random = this.#random;
    const { LIVE, POST_ONLY, CANCEL_ONLY, HALTED } = InstrumentStatus;
    const rate = (): number | null => (random.percent(70) ? null : random.pick(RATES));
    return {
      type: 'amendInstrument',
      securityId: random.oneIn(40) ? 77 : random.between(1, this.#venue.markets.size),
      minQuantity: random.oneIn(40) ? lots(random.between(0, 20)) : null,
      minNotional: random.oneIn(15) ? amount(random.between(-1, 1_000_000)) : null,
      makerFee: random.oneIn(40) ? RATE_ONE : rate(),
      takerFee: rate(),
      selfTradePrevention: random.percent(30)
        ? random.pick([SelfTradePrevention.none, ...Object.values(SelfTradePrevention)])
        : null,
      priceBand: random.percent(30) ? random.pick([0, 1_000_000, 10_000_000, 50_000_000]) : null,
      // Nearly always back to LIVE: a closed instrument tests little for long.
      status: random.weighted([
        [20, null],
        [80, LIVE],
        [5, POST_ONLY],
        [2, CANCEL_ONLY],
        [3, HALTED],
      ]),
    };
  }

  /** Mostly a table in USDT, so that volumes add up over days; some are rejected. */
  feeTiers(): SetFeeTiers {
    const random = this.#random;
    const { assets } = this.#venue;
    if (random.oneIn(60)) return { type: 'setFeeTiers', table: null };
    const usdt = assets.findIndex((asset) => asset?.name === 'USDT');
    const volumeAssetId = random.oneIn(40) ? random.between(0, assets.length) : usdt;
    const rates = assets.flatMap((_, assetId) => {
      if ((assetId === volumeAssetId && !random.oneIn(50)) || random.percent(30)) return [];
      return { assetId, rate: random.oneIn(90) ? 0 : random.pick([1, 12_345, RATE_ONE, 10 ** 13]) };
    });
    let volume = random.oneIn(30) ? -1n : 0n;
    const tiers = Array.from({ length: random.oneIn(30) ? 0 : random.between(1, 4) }, () => {
      volume += random.oneIn(40) ? 0n : 10n ** BigInt(random.between(1, 20));
      const [makerFee, takerFee] = [random.pick(RATES), random.oneIn(60) ? RATE_ONE : 777];
      return { volume: amount(volume), makerFee, takerFee };
    });
    return { type: 'setFeeTiers', table: { volumeAssetId, rates, tiers } };
  }

  /** A user, an asset or an instrument; most of the latter two are rejected. */
  listingAttempt(): Command {
    const random = this.#random;
    const kind = random.below(10);
    if (kind === 0 && this.#venue.users.size < USERS * 2) {
      return { type: 'createUser', kyc: random.percent(50) };
    }
    if (kind < 5) {
      const scale = random.pick([-1, 0, 2, 18, 19, 1.5]);
      const asset = random.percent(40) ? 'BTC' : `A${random.below(60)}`;
      return { type: 'createAsset', asset, scale, fiat: false };
    }
    if (kind < 7) {
      // Mostly one of the newest, which nothing may use yet.
      const { length } = this.#venue.assets;
      const assetId = length - Math.floor(random.between(0, length) ** 2 / length);
      const scale = random.pick([0, 2, 18, 19]);
      return random.percent(60)
        ? { type: 'amendAsset', assetId, scale }
        : { type: 'removeAsset', assetId };
    }
    const pair = random.pick(['BTC-USDT', 'ETH-BTC', 'WEI-USDT', 'BTC-BTC', 'BTC-NONE', 'A2-WEI']);
    return terms(pair, {
      tick: { mantissa: random.pick([0, 1, 5]), decimals: random.between(0, 6) },
      lot: { mantissa: random.pick([1, 25]), decimals: random.between(0, 8) },
      makerFee: random.pick([0, -1]),
    });
  }
}
