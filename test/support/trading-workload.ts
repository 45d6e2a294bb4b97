// A random but reproducible history on a venue: limit and market orders that rest, trade, trade
// with their own account and are canceled, in two instruments, with deposits beyond 2^53 and a
// clock that sometimes jumps by hours.
import { OrdType, Side } from '../../src/core/fix.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { Prng } from './prng.ts';
import { BTC, BTC_USDT, BTC_USDT_TERMS, USDT, Venue, type VenueOptions } from './venue.ts';

export const ETH = 2;
export const ETH_USDT = 2;

const MID_PRICE = 5_000_000;
const RATE_OF_ONE_PER_MILLE = 100_000;

/** Lists ETH-USDT, with fees, beside the venue's BTC-USDT, and gives ETH to every user. */
export function listEth(venue: Venue): void {
  venue.must({ type: 'createAsset', asset: 'ETH', scale: 8, fiat: false });
  venue.must({
    ...BTC_USDT_TERMS,
    symbol: 'ETH-USDT',
    baseAsset: 'ETH',
    lot: { mantissa: 1, decimals: 5 },
    makerFee: RATE_OF_ONE_PER_MILLE,
    takerFee: 2 * RATE_OF_ONE_PER_MILLE,
  });
  for (let uid = 1; uid < venue.exchange.state.users.length; uid++) {
    venue.transfer(uid, ETH, amount(10 ** 15));
  }
}

/** A venue with both instruments, after so many random steps of three users. */
export function tradedVenue(seed: number, steps: number, options: VenueOptions = {}): Venue {
  const venue = new Venue({ users: 3, ...options });
  listEth(venue);
  tradeAtRandom(venue, new Prng(seed), steps);
  return venue;
}

/** Sends `steps` random commands; rejections are part of the history. */
export function tradeAtRandom(venue: Venue, random: Prng, steps: number): void {
  const users = venue.exchange.state.users.length - 1;
  for (let step = 0; step < steps; step++) {
    passTime(venue, random);
    const uid = random.between(1, users);
    const what = random.below(20);
    if (what === 0) transferAtRandom(venue, random, uid);
    else if (what <= 5) cancelAtRandom(venue, random, uid);
    else if (what <= 8) marketAtRandom(venue, random, uid);
    else limitAtRandom(venue, random, uid);
  }
}

function passTime(venue: Venue, random: Prng): void {
  if (random.oneIn(3)) venue.time += random.below(2000);
  if (random.oneIn(50)) venue.time += random.below(10 * 60_000);
  if (random.oneIn(400)) venue.time += random.below(20 * 3_600_000);
}

function transferAtRandom(venue: Venue, random: Prng, uid: number): void {
  const asset = random.pick([BTC, USDT]);
  const money = random.oneIn(4) ? 10n ** 17n + BigInt(random.next()) : BigInt(random.next() + 1);
  venue.transfer(uid, asset, amount(random.oneIn(3) ? -money : money));
}

/** One of the user's two newest open orders, if there is one. */
function cancelAtRandom(venue: Venue, random: Prng, uid: number): void {
  const { orders } = venue.exchange.state;
  let slot = orders.lastOf(uid);
  if (slot < 0) return;
  if (random.oneIn(2) && orders.olderOf(slot) >= 0) slot = orders.olderOf(slot);
  venue.cancel(uid, orders.orderId(slot));
}

function marketAtRandom(venue: Venue, random: Prng, uid: number): void {
  const side = random.pick([Side.buy, Side.sell]);
  const order = { uid, side, securityId: instrument(random), ordType: OrdType.market };
  if (side === Side.buy && random.oneIn(2)) {
    venue.place({ ...order, quoteOrderQty: amount(random.between(1, 1000) * MID_PRICE) });
  } else {
    venue.place({ ...order, orderQty: lots(random.between(1, 1000)) });
  }
}

function limitAtRandom(venue: Venue, random: Prng, uid: number): void {
  const side = random.pick([Side.buy, Side.sell]);
  // Sides overlap a little, so that about a third of the orders trade.
  const distance = random.between(-10, 30);
  venue.place({
    uid,
    side,
    securityId: instrument(random),
    price: ticks(side === Side.buy ? MID_PRICE - distance : MID_PRICE + distance),
    orderQty: lots(random.between(1, 1000)),
    postOnly: random.oneIn(6),
    clOrdId: random.oneIn(3) ? random.pick(['a', 'b', 'c']) : '',
  });
}

const instrument = (random: Prng): number => random.pick([BTC_USDT, BTC_USDT, ETH_USDT]);
