// A rejection names the nearest value that passes. These checks repeat the command with that value,
// which must be accepted.
import { checkCommand } from '../../src/core/check-command.ts';
import type { AmendOrder, Command, PlaceOco, PlaceOrder } from '../../src/core/command.ts';
import { Exchange } from '../../src/core/exchange.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import type { Bracket, OrderExtras } from '../../src/core/order-extras.ts';
import type { Measure, Reject } from '../../src/core/reject.ts';
import { restore, snapshot } from '../../src/core/snapshot.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { isLimit } from './state.ts';

/** The fault of the remedy of an order, a pair or an amendment, or null. */
export function remedyFault(
  { state }: Exchange,
  command: PlaceOrder | PlaceOco | AmendOrder,
  { nearest, name, field }: Reject,
): string | null {
  if (nearest === null) return null;
  const amended =
    command.type === 'placeOrder'
      ? withValue(command, field, nearest)
      : withChange(command, field, nearest);
  if (amended === null) return `remedy: ${name} names field ${field} in ${nearest.unit}`;
  if (!isOnGrid(state.instruments[command.securityId]!, nearest)) {
    return `remedy: ${nearest.n} is off the grid`;
  }
  const again = checkCommand(state, amended);
  if (again === null) return null;
  return `remedy: ${name} → ${field} ${nearest.n}, and this is rejected as ${again.name}`;
}

function withValue(order: PlaceOrder, field: string | null, nearest: Measure): PlaceOrder | null {
  if (field === 'price' && nearest.unit === 'ticks') return { ...order, price: ticks(nearest.n) };
  if (field === 'orderQty' && nearest.unit === 'lots')
    return { ...order, orderQty: lots(nearest.n) };
  if (field === 'quoteOrderQty' && nearest.unit === 'amount' && !isLimit(order)) {
    return { ...order, quoteOrderQty: nearest.n };
  }
  return order.extras === null ? null : withTerm(order, order.extras, field, nearest);
}

/** Like withValue, for a pair and an amendment. */
function withChange<C extends PlaceOco | AmendOrder>(
  command: C,
  field: string | null,
  { unit, n }: Measure,
): C | null {
  const isQuantity = field === 'orderQty' || field === 'displayQty';
  if (field === null || unit !== (isQuantity ? 'lots' : 'ticks')) return null;
  if (field === 'trailingAmount') return 'trail' in command ? { ...command, trail: -n } : null;
  if (field.startsWith(EXIT) && 'bracket' in command && command.bracket !== null) {
    return { ...command, bracket: withExit(command.bracket, field, n as number) };
  }
  return field in command ? { ...command, [field]: n } : null;
}

/** Like withValue, for a field that v1 does not know. */
function withTerm(
  order: PlaceOrder,
  extras: OrderExtras,
  field: string | null,
  nearest: Measure,
): PlaceOrder | null {
  if (field === 'displayQty' && nearest.unit === 'lots') {
    return { ...order, extras: { ...extras, displayQty: lots(nearest.n) } };
  }
  if (field === 'stopPx' && nearest.unit === 'ticks') {
    return { ...order, extras: { ...extras, stopPx: ticks(nearest.n) } };
  }
  if (field === 'trailingAmount' && nearest.unit === 'ticks') {
    return { ...order, extras: { ...extras, trail: -nearest.n } };
  }
  if (!field?.startsWith(EXIT) || nearest.unit !== 'ticks' || extras.bracket === null) return null;
  const bracket = withExit(extras.bracket, field, nearest.n);
  return { ...order, extras: { ...extras, bracket } };
}

const EXIT = 'bracket.';

function withExit(bracket: Bracket, field: string, n: number): Bracket {
  const exit = field.slice(EXIT.length);
  return { ...bracket, ...(exit === 'trailingAmount' ? { trail: -n } : { [exit]: ticks(n) }) };
}

/** A budget is a whole number of price increments; ticks and lots are so by their nature. */
function isOnGrid({ tick, quote }: Instrument, { unit, n }: Measure): boolean {
  if (unit !== 'amount') return Number.isSafeInteger(n) && n > 0;
  const step = BigInt(tick.mantissa) * 10n ** BigInt(quote.scale - tick.decimals);
  return BigInt(amount(n)) % step === 0n;
}

/** The fault of an earn command's remedy, or null: tried on a copy of the state. */
export function earnRemedyFault(
  { state }: Exchange,
  time: number,
  command: Command,
  { name, field, nearest }: Reject,
): string | null {
  if (nearest === null) return null;
  if (field === null || !(field in command)) return `remedy: ${name} names field ${field}`;
  const unsigned = 'signature' in command ? { signature: null, idempotency: null } : {};
  const amended = { ...command, ...unsigned, [field]: nearest.n } as Command;
  const copy = new Exchange(restore(snapshot(state)));
  const again = copy.apply(state.seq + 1, time, amended);
  if (again.ok) return null;
  return `remedy: ${name} → ${field} ${nearest.n}, and this is rejected as ${again.reject.name}`;
}
