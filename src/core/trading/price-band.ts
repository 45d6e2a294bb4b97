// The price band of an instrument: the largest distance of a price from the last price, or of the
// price of a waiting stop limit from its stopPx.
import type { Instrument } from '../instrument.ts';
import { inTicks, measures, type Reject, rejection } from '../reject.ts';
import {
  type Amount,
  add,
  amount,
  divideDown,
  MAX_INTEGER,
  multiply,
  RATE_ONE,
  subtract,
  type Ticks,
  ticks,
} from '../units.ts';

/** The prices that the band around `center` allows; null without a band or a center. */
export function priceBand(
  { priceBand: band, lastPrice }: Instrument,
  center: Ticks = lastPrice,
): { low: Ticks; high: Ticks } | null {
  if (band === 0 || center === 0) return null;
  const width = divideDown(multiply(center, band), amount(RATE_ONE));
  const low = subtract(center as number as Amount, width);
  const high = add(center as number as Amount, width);
  return {
    // A band is less than the whole price (admin/listing.ts), so that its lower end is a price.
    low: ticks(low as number),
    high: ticks(high <= MAX_INTEGER ? (high as number) : MAX_INTEGER),
  };
}

export const isOutsideBand = (instrument: Instrument, price: Ticks): boolean =>
  checkPrice(instrument, price, '') !== null;

/** True if the band around `center`, the last price by default, allows the price of this field. */
export function checkPrice(
  instrument: Instrument,
  price: Ticks,
  field: string,
  center?: Ticks,
): Reject | null {
  const band = priceBand(instrument, center);
  if (band === null || (price >= band.low && price <= band.high)) return null;
  const limit = price < band.low ? band.low : band.high;
  const inUnit = measures(inTicks, instrument.securityId, { limit, value: price, nearest: limit });
  return rejection('priceOutsideBand', field, 'priceBand', inUnit);
}
