// The smallest quantity of an order.
import { isLimit, type OrdType } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { type Amount, amount, divideUp, multiply, type Ticks } from '../units.ts';

/** The smallest quantity, in lots, that both minimums admit at the order's price. */
export function minLots(
  instrument: Pick<Instrument, 'minQuantity' | 'minNotional' | 'perTickLot'>,
  { ordType, price }: { readonly ordType: OrdType; readonly price: Ticks },
): Amount {
  const { minQuantity, minNotional, perTickLot } = instrument;
  if (!isLimit(ordType)) return amount(minQuantity);
  const needed = divideUp(minNotional, multiply(price, perTickLot));
  return needed > minQuantity ? needed : amount(minQuantity);
}
