// Quantities of money and goods, and every conversion that is allowed between them.
//
// Three units exist, each a distinct type, so that a price cannot be added to a balance:
//   Ticks   a price, counted in the instrument's price increment
//   Lots    a quantity of the base asset, counted in the instrument's lot
//   Amount  money, counted in the smallest unit of one asset
//
// Representation (private to this file): an exact integer, held as a JavaScript number while its
// magnitude is at most 2^53 − 1 and as a bigint beyond. The form is canonical: an integer has one
// representation, so `===`, `<` and `>` are exact on Amounts, also when the forms differ. Numbers
// are some twenty times faster than bigints, and nearly every amount fits. Doubles are exact on
// integers of this size, and each operation checks its result before it trusts it.

declare const unit: unique symbol;

/** A price in ticks: a safe integer. */
export type Ticks = number & { readonly [unit]: 'Ticks' };
/** A base quantity in lots: a safe integer. */
export type Lots = number & { readonly [unit]: 'Lots' };
/** Money in the smallest unit of an asset: an exact integer without an upper bound. */
export type Amount = (number | bigint) & { readonly [unit]: 'Amount' };

const MAX = Number.MAX_SAFE_INTEGER;
const MAX_BIG = BigInt(MAX);

export const ZERO = 0 as Amount;
/** Rates (fees, bands, interest) are integers of 10^-8. */
export const RATE_DECIMALS = 8;
export const RATE_ONE = 100_000_000;
/** The largest price, quantity or count that a single order may carry. */
export const MAX_INTEGER = MAX;

export const ticks = (n: number): Ticks => n as Ticks;
export const lots = (n: number): Lots => n as Lots;

/** The canonical Amount of an integer. */
export function amount(n: number | bigint): Amount {
  if (typeof n === 'number') return n as Amount;
  return (n <= MAX_BIG && n >= -MAX_BIG ? Number(n) : n) as Amount;
}

export function add(a: Amount, b: Amount): Amount {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= MAX && sum >= -MAX) return sum as Amount;
  }
  return amount(BigInt(a) + BigInt(b));
}

export function subtract(a: Amount, b: Amount): Amount {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (difference <= MAX && difference >= -MAX) return difference as Amount;
  }
  return amount(BigInt(a) - BigInt(b));
}

export const negate = (money: Amount): Amount => subtract(ZERO, money);

/** A double product within ±(2^53 − 1) is exact, since rounding is monotone. */
export function multiply(a: number | bigint, b: number | bigint): Amount {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (product <= MAX && product >= -MAX) return product as Amount;
  }
  return amount(BigInt(a) * BigInt(b));
}

/** ⌊a ÷ b⌋ for a ≥ 0, b > 0. */
export function divideDown(a: Amount, b: Amount): Amount {
  if (typeof a === 'number' && typeof b === 'number') return ((a - (a % b)) / b) as Amount;
  return amount(BigInt(a) / BigInt(b));
}

/** ⌈a ÷ b⌉ for a ≥ 0, b > 0. */
export function divideUp(a: Amount, b: Amount): Amount {
  const down = divideDown(a, b);
  return multiply(down, b) === a ? down : add(down, 1 as Amount);
}

/** The quote amount that `quantity` costs at `price`, exactly. */
export function notional(price: Ticks, quantity: Lots, perTickLot: Amount): Amount {
  const product = price * quantity;
  if (product <= MAX && perTickLot === 1) return product as Amount;
  return multiply(multiply(price, quantity), perTickLot);
}

/** The largest whole number of lots that `budget` buys at `price`, at most `most`. */
export function affordableLots(budget: Amount, price: Ticks, perTickLot: Amount, most: Lots): Lots {
  const whole = divideDown(budget, multiply(price, perTickLot));
  return (whole < most ? whole : most) as Lots;
}

/** A fee or other share: money × rate ÷ 10^8, rounded up, so that the venue never loses a unit. */
export function shareUp(money: Amount, rate: number): Amount {
  if (rate === 0) return ZERO;
  return divideUp(multiply(money, rate), RATE_ONE as Amount);
}

export function powerOfTen(exponent: number): Amount {
  return amount(10n ** BigInt(exponent));
}
