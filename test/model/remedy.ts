// A refused order names the nearest value that would pass. This takes the core at its word: the
// order with that value must not be refused for the same rule again, and a smaller or larger one by
// a step must have been.
import type { PlaceOrder } from '../../src/core/command.ts';
import type { Exchange } from '../../src/core/exchange.ts';
import { OrdType } from '../../src/core/fix.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import type { Measure, Reject } from '../../src/core/reject.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';

/** What is wrong with the remedy of a reject, or null. */
export function remedyFault(exchange: Exchange, order: PlaceOrder, reject: Reject): string | null {
  const { nearest, name, field } = reject;
  if (nearest === null) return null;
  const instrument = exchange.state.instruments[order.securityId]!;
  const amended = withValue(order, field, nearest);
  if (amended === null) return `remedy: ${name} names field ${field} in ${nearest.unit}`;
  if (!isOnGrid(instrument, nearest)) return `remedy: ${nearest.n} is off the grid`;
  const again = exchange.checkOrder(amended);
  if (again === null) return null;
  // The balance is the last check: an order with the quantity that it covers passes all.
  if (name === 'insufficientBalance' || again.name === name) {
    return `remedy: ${name} → ${field} ${nearest.n}, and this is refused as ${again.name}`;
  }
  return null;
}

function withValue(order: PlaceOrder, field: string | null, nearest: Measure): PlaceOrder | null {
  if (field === 'price' && nearest.unit === 'ticks') return { ...order, price: ticks(nearest.n) };
  if (field === 'orderQty' && nearest.unit === 'lots')
    return { ...order, orderQty: lots(nearest.n) };
  if (field === 'quoteOrderQty' && nearest.unit === 'amount' && order.ordType === OrdType.market) {
    return { ...order, quoteOrderQty: nearest.n };
  }
  return null;
}

/** A budget is a whole number of price increments; ticks and lots are so by their nature. */
function isOnGrid({ tick, quote }: Instrument, { unit, n }: Measure): boolean {
  if (unit !== 'amount') return Number.isSafeInteger(n) && n > 0;
  const step = BigInt(tick.mantissa) * 10n ** BigInt(quote.scale - tick.decimals);
  return BigInt(amount(n)) % step === 0n;
}
